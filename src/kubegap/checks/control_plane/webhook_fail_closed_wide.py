"""Webhooks that refuse requests while they do not answer, and that are asked about what the cluster itself lives on."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, structs

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster import admission, lifelines, selectors
from kubegap.cluster.admission import Request
from kubegap.cluster.fields import Webhook
from kubegap.cluster.lifelines import Lifeline
from kubegap.cluster.namespaces import KUBE_NODE_LEASE, KUBE_SYSTEM, NAME_LABEL, is_system_namespace, labels_of
from kubegap.cluster.objects import (
    MutatingWebhookConfiguration,
    Node,
    ValidatingWebhookConfiguration,
    WebhookConfiguration,
)
from kubegap.cluster.providers import is_owned_by_provider
from kubegap.cluster.services import Backends, backends_of
from kubegap.cluster.snapshot import Snapshot

MIN_BACKENDS = 2
# The messages of the page, worst first, each with the severity of what it tells.
SEVERITIES: Mapping[str, Severity] = {
    "deadlock": Severity.CRITICAL,
    "leases": Severity.CRITICAL,
    "nodes": Severity.CRITICAL,
    "system": Severity.HIGH,
    "own": Severity.MEDIUM,
    "everyday": Severity.MEDIUM,
    "events": Severity.MEDIUM,
}
WORST_FIRST = list(SEVERITIES)


class Reach(Struct, frozen=True):
    """A webhook that the API server would ask about a lifeline, and the message that tells of it.

    `is_assumed`: the labels that decided it were not read. `is_undecided`: a match condition could not be told.
    """

    message: str
    lifeline: Lifeline
    index: int
    webhook: Webhook
    backends: Backends | None
    is_assumed: bool
    is_undecided: bool


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each configuration; the webhooks in it that reach too far are its members."""
    for configuration in (*cluster.of(ValidatingWebhookConfiguration), *cluster.of(MutatingWebhookConfiguration)):
        webhooks = enumerate(configuration.webhooks or ())
        reaches = [reach for index, webhook in webhooks for reach in _reaches(cluster, index, webhook)]
        # Milder ones are told only when nothing worse is there.
        worse = [reach for reach in reaches if SEVERITIES[reach.message].rank < Severity.MEDIUM.rank]
        if reaches:
            yield _finding(cluster, configuration, worse or reaches)


def guard_fails_open(webhook: Webhook) -> bool:
    """The webhook lets requests pass while it does not answer."""
    return not admission.fails_closed(webhook)


def guard_rules_elsewhere(webhook: Webhook, request: Request) -> bool:
    """No rule asks for the request, such as when all rules are about the webhook's own custom resources."""
    return admission.covers(webhook, request) is None


def guard_namespace_exempt(webhook: Webhook, request: Request, labels: Mapping[str, str]) -> bool:
    """The namespace selector leaves the request's namespace out."""
    return not admission.chooses_namespace(webhook, request, labels)


def guard_objects_exempt(webhook: Webhook, candidates: Iterable[Mapping[str, str]]) -> bool:
    """The object selector picks none of the objects that stand there."""
    return not admission.chooses_object(webhook, candidates)


def guard_conditions_exempt(webhook: Webhook, request: Request) -> bool:
    """A match condition is false for the request."""
    return admission.conditions_hold(webhook, request) is False


def guard_backends_spread(backends: Backends) -> bool:
    """Losing one pod or one node leaves a backend that answers."""
    return len(backends.ready) >= MIN_BACKENDS and len(backends.nodes) != 1


def guard_single_node(cluster: Snapshot, backends: Backends) -> bool:
    """The cluster has one node, so backends have nowhere to spread to."""
    return len(cluster.of(Node)) == 1 and len(backends.ready) >= MIN_BACKENDS


def guard_provider_owned(cluster: Snapshot, configuration: WebhookConfiguration) -> bool:
    """The provider installed it and would put it back, so the user cannot change it."""
    return is_owned_by_provider(configuration, cluster.provider)


def _reaches(cluster: Snapshot, index: int, webhook: Webhook) -> Iterator[Reach]:
    if guard_fails_open(webhook):
        return
    backends = backends_of(cluster, webhook.client_config.service)
    for message, lifeline in _lifelines(webhook, is_thin=_is_thin(cluster, backends)):
        reach = _reach(
            cluster, Reach(message, lifeline, index, webhook, backends, is_assumed=False, is_undecided=False)
        )
        if reach:
            yield reach


def _is_thin(cluster: Snapshot, backends: Backends | None) -> bool:
    if backends is None:
        return False
    return not guard_backends_spread(backends) and not guard_single_node(cluster, backends)


def _lifelines(webhook: Webhook, *, is_thin: bool) -> Iterator[tuple[str, Lifeline]]:
    """What to ask of a webhook, with the message for each; one that is spread may be asked about everyday writes."""
    groups = {
        "leases": lifelines.LEASES,
        "nodes": lifelines.NODES,
        "system": lifelines.SYSTEM,
        "events": lifelines.EVENTS,
    }
    if service := webhook.client_config.service:
        groups["deadlock" if is_thin else "own"] = lifelines.pod_lifelines(service.namespace, "own")
    if is_thin:
        groups["everyday"] = lifelines.EVERYDAY
    return ((message, lifeline) for message, group in groups.items() for lifeline in group)


def _reach(cluster: Snapshot, asked: Reach) -> Reach | None:
    """The same with what is uncertain about it, or None when a guard drops it."""
    webhook, request = asked.webhook, asked.lifeline.request
    seen = labels_of(cluster, request.namespace or "")
    if (
        guard_rules_elsewhere(webhook, request)
        or guard_namespace_exempt(webhook, request, seen.labels)
        or guard_objects_exempt(webhook, _candidates(cluster, asked))
        or guard_conditions_exempt(webhook, request)
    ):
        return None
    is_named = request.namespace not in {None, lifelines.ORDINARY}
    return structs.replace(
        asked,
        is_assumed=is_named and not seen.are_real and _needs_labels(webhook),
        is_undecided=admission.conditions_hold(webhook, request) is None,
    )


def _needs_labels(webhook: Webhook) -> bool:
    """Whether the namespace selector asks for labels beyond the name, which is always known."""
    return any(requirement.key != NAME_LABEL for requirement in selectors.requirements(webhook.namespace_selector))


def _candidates(cluster: Snapshot, asked: Reach) -> list[Mapping[str, str]]:
    """The labels of the objects that the write may be about, or none at all where no such object was read."""
    if not any(selectors.requirements(asked.webhook.object_selector)):
        return [{}]  # nobody asks for labels, so a hundred thousand pods need no looking at
    there = lifelines.objects_of(cluster, asked.lifeline.request)
    if asked.message in {"deadlock", "own"} and asked.backends:
        there = [thing for thing in there if thing.name in asked.backends.pods]
    return [thing.labels for thing in there] or [{}]


def _finding(cluster: Snapshot, configuration: WebhookConfiguration, reaches: list[Reach]) -> Finding:
    worst = min(reaches, key=lambda reach: WORST_FIRST.index(reach.message))
    is_owned = guard_provider_owned(cluster, configuration)
    return Finding(
        subject=Subject.of(configuration),
        severity=Severity.INFO if is_owned else SEVERITIES[worst.message],
        confidence=_confidence(worst),
        messages=(*_told(reaches), *_notes(cluster, reaches), *([Message("provider-owned")] if is_owned else [])),
        evidence=tuple(dict.fromkeys(_evidence(cluster, configuration, reaches))),
        members=tuple(dict.fromkeys(reach.webhook.name for reach in reaches)),
    )


def _confidence(reach: Reach) -> Confidence:
    if reach.is_assumed:
        return Confidence.HEURISTIC
    is_down = reach.backends is not None and not reach.backends.ready
    return Confidence.OBSERVED if is_down and not reach.is_undecided else Confidence.CONFIG


def _told(reaches: list[Reach]) -> Iterator[Message]:
    """The deadlock if there is one, and the worst of the rest."""
    own = [reach for reach in reaches if reach.message == "deadlock"]
    rest = sorted(
        (reach for reach in reaches if reach.message != "deadlock"), key=lambda reach: WORST_FIRST.index(reach.message)
    )
    for group in (own, rest):
        if group:
            yield Message(group[0].message, _facts(group))


def _facts(group: list[Reach]) -> dict[str, Fact]:
    return {"webhook": group[0].webhook.name, "writes": tuple(dict.fromkeys(reach.lifeline.name for reach in group))}


def _backend_note(reaches: list[Reach]) -> Iterator[Message]:
    """How many backends there are, where that is what makes it bad."""
    for reach in reaches:
        service, backends = reach.webhook.client_config.service, reach.backends
        if service and backends and (not backends.ready or reach.message in {"deadlock", "everyday"}):
            facts = {"ready": len(backends.ready), "nodes": len(backends.nodes)} if backends.ready else {}
            yield Message(
                "thin" if backends.ready else "down", {"backend": f"{service.namespace}/{service.name}", **facts}
            )
            return


def _notes(cluster: Snapshot, reaches: list[Reach]) -> Iterator[Message]:
    yield from _backend_note(reaches)
    missing = list(_missing_exemptions(cluster, reaches))
    if missing:
        namespaces, labels = (tuple(dict.fromkeys(f"`{item[part]}`" for item in missing)) for part in (0, 1))
        yield Message("missing-exemption", {"namespaces": namespaces, "labels": labels})
    if any(reach.is_assumed for reach in reaches):
        yield Message("assumed-labels")
    if any(reach.is_undecided for reach in reaches):
        yield Message("undecided-condition")
    if any(reach.backends is None and reach.webhook.client_config.service for reach in reaches):
        yield Message("backends-not-seen")


def _missing_exemptions(cluster: Snapshot, reaches: list[Reach]) -> Iterator[tuple[str, str, str]]:
    """Labels that would take a system namespace out of the webhook's sight: the namespace, the key, the value."""
    for reach in reaches:
        namespace = reach.lifeline.request.namespace or ""
        if is_system_namespace(namespace) and labels_of(cluster, namespace).are_real:
            labels = selectors.exempting_labels(reach.webhook.namespace_selector)
            yield from ((namespace, key, value) for key, value in labels if key != NAME_LABEL)


def _evidence(cluster: Snapshot, configuration: WebhookConfiguration, reaches: list[Reach]) -> Iterator[Evidence]:
    for reach in reaches:
        yield from _webhook_evidence(configuration.shown, reach)
    for namespace, key, value in _missing_exemptions(cluster, reaches):
        seen = labels_of(cluster, namespace).labels.get(key)
        yield Evidence(f"Namespace/{namespace}", f'metadata.labels["{key}"]', seen, value)
    for reach in reaches:
        if reach.message in {"deadlock", "everyday"}:
            yield from _backend_evidence(reach)


def _webhook_evidence(name: str, reach: Reach) -> Iterator[Evidence]:
    place, webhook = f"webhooks[{reach.index}]", reach.webhook
    yield Evidence(name, f"{place}.failurePolicy", webhook.failure_policy)
    if rule := admission.covers(webhook, reach.lifeline.request):
        yield Evidence(name, f"{place}.rules[{(webhook.rules or []).index(rule)}]", admission.written(rule))
    service = webhook.client_config.service
    exempt = dict.fromkeys([KUBE_SYSTEM, KUBE_NODE_LEASE, *([service.namespace] if service else [])])
    seen = selectors.written(webhook.namespace_selector)
    yield Evidence(name, f"{place}.namespaceSelector", seen, f"{NAME_LABEL} notin ({','.join(exempt)})")
    for index, condition in enumerate(webhook.match_conditions or ()):
        yield Evidence(name, f"{place}.matchConditions[{index}].expression", condition.expression)


def _backend_evidence(reach: Reach) -> Iterator[Evidence]:
    service = reach.webhook.client_config.service
    if service and reach.backends:
        name, hoped = f"Service/{service.namespace}/{service.name}", f">= {MIN_BACKENDS}"
        yield Evidence(name, "ready endpoints", str(len(reach.backends.ready)), hoped)
        yield Evidence(name, "their nodes", ", ".join(sorted(reach.backends.nodes)) or None, hoped)
