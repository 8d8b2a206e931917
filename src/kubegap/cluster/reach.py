"""How far a webhook reaches: the writes that a cluster lives on and that the API server would ask it about."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from kubegap.cluster import admission, lifelines, selectors
from kubegap.cluster.admission import Request
from kubegap.cluster.evidence import Evidence
from kubegap.cluster.fields import Webhook
from kubegap.cluster.lifelines import Lifeline
from kubegap.cluster.namespaces import (
    KUBE_NODE_LEASE,
    KUBE_SYSTEM,
    NAME_LABEL,
    NamespaceLabels,
    is_system_namespace,
    labels_of,
)
from kubegap.cluster.objects import KubernetesObject
from kubegap.cluster.services import Backends
from kubegap.cluster.snapshot import Snapshot


class Reach(Struct, frozen=True):
    """One write and the webhook that might be asked about it; `group` is the lifelines' name for such writes."""

    group: str
    lifeline: Lifeline
    index: int
    webhook: Webhook
    backends: Backends | None
    namespace: NamespaceLabels

    @property
    def request(self) -> Request:
        """The write as the API server sees it."""
        return self.lifeline.request

    @property
    def is_down(self) -> bool:
        """Whether no backend is ready."""
        return self.backends is not None and not self.backends.ready

    @property
    def is_assumed(self) -> bool:
        """Whether labels of the namespace that the selector asks for were not read; its name is always known."""
        is_named = self.request.namespace not in {None, lifelines.ORDINARY}
        wanted = selectors.requirements(self.webhook.namespace_selector)
        return is_named and not self.namespace.are_real and any(one.key != NAME_LABEL for one in wanted)

    @property
    def is_undecided(self) -> bool:
        """Whether a match condition cannot be judged here."""
        return admission.conditions_hold(self.webhook, self.request) is None

    def candidates(self, snapshot: Snapshot) -> list[Mapping[str, str]]:
        """Labels of the objects that the write may be about, or none at all where no such object was read."""
        if not any(selectors.requirements(self.webhook.object_selector)):
            return [{}]  # nobody asks for labels, so a hundred thousand pods need no looking at
        there: Sequence[KubernetesObject] = lifelines.objects_of(snapshot, self.request)
        if self.group in lifelines.OWN and self.backends:
            there = [thing for thing in there if thing.name in self.backends.pods]
        return [thing.labels for thing in there] or [{}]


def possible(
    snapshot: Snapshot, index: int, webhook: Webhook, backends: Backends | None, *, is_thin: bool
) -> Iterator[Reach]:
    """Every write to ask a webhook about; what it exempts is not looked at yet."""
    for group, lines in lifelines.groups(webhook.client_config.service, is_thin=is_thin).items():
        for line in lines:
            labels = labels_of(snapshot, line.request.namespace or "")
            yield Reach(group, line, index, webhook, backends, labels)


def missing_exemptions(reaches: Sequence[Reach]) -> Iterator[tuple[str, str, str]]:
    """Labels that would take a system namespace out of the webhook's sight: the namespace, the key, the value."""
    for reach in reaches:
        namespace = reach.request.namespace or ""
        if is_system_namespace(namespace) and reach.namespace.are_real:
            labels = selectors.exempting_labels(reach.webhook.namespace_selector)
            yield from ((namespace, key, value) for key, value in labels if key != NAME_LABEL)


def evidence(configuration: str, reaches: Sequence[Reach]) -> list[Evidence]:
    """The fields behind reaches, each once: policy, rule, selectors, conditions, labels that are missing, backends."""
    found = [one for reach in reaches for one in _webhook(configuration, reach)]
    for namespace, key, value in missing_exemptions(reaches):
        seen = next(reach.namespace.labels.get(key) for reach in reaches if reach.request.namespace == namespace)
        found.append(Evidence(f"Namespace/{namespace}", f'metadata.labels["{key}"]', seen, value))
    found += [one for reach in reaches if reach.group in lifelines.THIN for one in _backends(reach)]
    return list(dict.fromkeys(found))


def _webhook(name: str, reach: Reach) -> Iterator[Evidence]:
    place, webhook = f"webhooks[{reach.index}]", reach.webhook
    yield Evidence(name, f"{place}.failurePolicy", webhook.failure_policy)
    if rule := admission.covers(webhook, reach.request):
        yield Evidence(name, f"{place}.rules[{(webhook.rules or []).index(rule)}]", admission.written(rule))
    service = webhook.client_config.service
    exempt = dict.fromkeys([KUBE_SYSTEM, KUBE_NODE_LEASE, *([service.namespace] if service else [])])
    seen = selectors.written(webhook.namespace_selector)
    yield Evidence(name, f"{place}.namespaceSelector", seen, f"{NAME_LABEL} notin ({','.join(exempt)})")
    for index, condition in enumerate(webhook.match_conditions or ()):
        yield Evidence(name, f"{place}.matchConditions[{index}].expression", condition.expression)


def _backends(reach: Reach) -> Iterator[Evidence]:
    service = reach.webhook.client_config.service
    if service and reach.backends:
        name = f"Service/{service.namespace}/{service.name}"
        yield Evidence(name, "ready-endpoints", str(len(reach.backends.ready)), ">= 2")
        yield Evidence(name, "endpoint-nodes", ", ".join(sorted(reach.backends.nodes)) or None, ">= 2")
