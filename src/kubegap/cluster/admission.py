"""Whether the API server sends a request to a webhook, by its rules, selectors and match conditions.

Source: `k8s.io/apiserver` `pkg/admission/plugin/webhook` (`predicates/rules`, `predicates/namespace`,
`predicates/object`, `matchconditions`) at Kubernetes 1.34.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from kubegap.cluster import expressions
from kubegap.cluster.fields import Rule, Webhook
from kubegap.cluster.selectors import selects


class Request(Struct, frozen=True, kw_only=True):
    """One write that the API server may ask webhooks about.

    `namespace` is None for kinds without one; an empty `user` is anyone. `equivalents` are other groups and versions
    of the same stored object, which a rule also means when its `matchPolicy` is `Equivalent`.
    """

    operation: str
    group: str = ""
    version: str = "v1"
    resource: str
    subresource: str = ""
    namespace: str | None = None
    user: str = ""
    groups: tuple[str, ...] = ()
    equivalents: tuple[tuple[str, str], ...] = ()


def fails_closed(webhook: Webhook) -> bool:
    """Whether requests are refused while the webhook does not answer; `Fail` is the default."""
    return webhook.failure_policy != "Ignore"


def covers(webhook: Webhook, request: Request) -> Rule | None:
    """The first rule that asks for a request, or None."""
    exact = webhook.match_policy == "Exact"
    served = [(request.group, request.version), *(() if exact else request.equivalents)]
    rules = webhook.rules or ()
    return next((rule for rule in rules if any(_rule_matches(rule, request, *place) for place in served)), None)


def chooses_namespace(webhook: Webhook, request: Request, labels: Mapping[str, str]) -> bool:
    """Whether the namespace selector lets a request through; `labels` are those of the request's namespace.

    A request for a Namespace object is judged by that object's labels; other cluster-scoped kinds are never exempt.
    """
    if request.namespace is None and request.resource != "namespaces":
        return True
    return selects(webhook.namespace_selector, labels)


def chooses_object(webhook: Webhook, candidates: Iterable[Mapping[str, str]]) -> bool:
    """Whether the object selector picks any of the objects whose labels are given."""
    return any(selects(webhook.object_selector, labels) for labels in candidates)


def conditions_hold(webhook: Webhook, request: Request) -> bool | None:
    """Whether all match conditions are true; None when at least one cannot be told and none is false."""
    facts = _facts(request)
    answers = [expressions.holds(condition.expression, facts) for condition in webhook.match_conditions or ()]
    if False in answers:
        return False
    return None if None in answers else True


def written(rule: Rule) -> str:
    """A rule in one line: `CREATE,UPDATE */* *`, and its scope unless that is all."""
    parts = (rule.operations, rule.api_groups, rule.api_versions, rule.resources)
    operations, groups, versions, resources = (",".join(item or '""' for item in part or ()) for part in parts)
    scope = f" scope={rule.scope}" if rule.scope not in {None, "*"} else ""
    return f"{operations} {groups}/{versions} {resources}{scope}"


def _rule_matches(rule: Rule, request: Request, group: str, version: str) -> bool:
    return (
        _in_scope(rule, request)
        and _named(rule.operations, request.operation)
        and _named(rule.api_groups, group)
        and _named(rule.api_versions, version)
        and any(_resource_matches(item, request) for item in rule.resources or ())
    )


def _in_scope(rule: Rule, request: Request) -> bool:
    if rule.scope in {None, "*"}:
        return True
    return (rule.scope == "Namespaced") is (request.namespace is not None and request.resource != "namespaces")


def _named(items: list[str] | None, wanted: str) -> bool:
    return any(item in {"*", wanted} for item in items or ())


def _resource_matches(item: str, request: Request) -> bool:
    """`pods` is pods alone, `pods/*` also its subresources, `*` all kinds without theirs, `*/*` everything."""
    resource, _, subresource = item.partition("/")
    return resource in {"*", request.resource} and subresource in {"*", request.subresource}


def _facts(request: Request) -> expressions.Facts:
    """What an expression may ask; empty fields are absent there, so reading them is an error that nobody can answer."""
    facts: dict[str, str | tuple[str, ...]] = {
        "request.operation": request.operation,
        "request.namespace": request.namespace or "",
        "request.subResource": request.subresource,
        "request.userInfo.username": request.user,
        "request.resource.resource": request.resource,
        "request.resource.version": request.version,
    }
    # The group of a resource is always present, and empty for the core group.
    always: dict[str, str | tuple[str, ...]] = {"request.resource.group": request.group}
    if request.groups:
        always["request.userInfo.groups"] = request.groups
    return {**{name: value for name, value in facts.items() if value}, **always}
