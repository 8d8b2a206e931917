"""Webhooks that refuse requests while they do not answer, and that are asked about what the cluster itself lives on."""

from collections.abc import Iterator, Mapping

from kubegap.checks.model import Confidence, Finding, Message, Severity, Subject
from kubegap.cluster import admission, reach
from kubegap.cluster.fields import Webhook
from kubegap.cluster.lifelines import THIN
from kubegap.cluster.objects import (
    MutatingWebhookConfiguration,
    Node,
    ValidatingWebhookConfiguration,
    WebhookConfiguration,
)
from kubegap.cluster.providers import is_owned_by_provider
from kubegap.cluster.reach import Reach
from kubegap.cluster.services import Backends, backends_of
from kubegap.cluster.snapshot import Snapshot

MIN_BACKENDS = 2
# Groups of writes, which are also the messages that tell of them, worst first.
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


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each configuration; the webhooks in it that reach too far are its members."""
    for configuration in (*cluster.of(ValidatingWebhookConfiguration), *cluster.of(MutatingWebhookConfiguration)):
        webhooks = enumerate(configuration.webhooks or ())
        reaches = [one for index, webhook in webhooks for one in _reaches(cluster, index, webhook)]
        reaches.sort(key=lambda one: WORST_FIRST.index(one.group))
        # Milder ones are told only when nothing worse is there.
        worse = [one for one in reaches if SEVERITIES[one.group].rank < Severity.MEDIUM.rank]
        if reaches:
            yield _finding(cluster, configuration, worse or reaches)


def guard_fails_open(webhook: Webhook) -> bool:
    """The webhook lets requests pass while it does not answer."""
    return not admission.fails_closed(webhook)


def guard_rules_elsewhere(one: Reach) -> bool:
    """No rule asks for the write, such as when all rules are about the webhook's own custom resources."""
    return admission.covers(one.webhook, one.request) is None


def guard_namespace_exempt(one: Reach) -> bool:
    """The namespace selector leaves the namespace of the write out."""
    return not admission.chooses_namespace(one.webhook, one.request, one.namespace.labels)


def guard_objects_exempt(cluster: Snapshot, one: Reach) -> bool:
    """The object selector picks none of the objects that stand there."""
    return not admission.chooses_object(one.webhook, one.candidates(cluster))


def guard_conditions_exempt(one: Reach) -> bool:
    """A match condition is false for the write."""
    return admission.conditions_hold(one.webhook, one.request) is False


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
    few = backends is not None and not (guard_backends_spread(backends) or guard_single_node(cluster, backends))
    for one in reach.possible(cluster, index, webhook, backends, is_thin=few):
        exempt = guard_rules_elsewhere(one) or guard_namespace_exempt(one) or guard_conditions_exempt(one)
        if not exempt and not guard_objects_exempt(cluster, one):
            yield one


def _finding(cluster: Snapshot, configuration: WebhookConfiguration, reaches: list[Reach]) -> Finding:
    worst, is_owned = reaches[0], guard_provider_owned(cluster, configuration)
    confidence = Confidence.OBSERVED if worst.is_down and not worst.is_undecided else Confidence.CONFIG
    return Finding(
        subject=Subject.of(configuration),
        severity=Severity.INFO if is_owned else SEVERITIES[worst.group],
        confidence=Confidence.HEURISTIC if worst.is_assumed else confidence,
        messages=(*_told(reaches), *_notes(reaches), *([Message("provider-owned")] if is_owned else [])),
        evidence=tuple(reach.evidence(configuration.shown, reaches)),
        members=tuple(dict.fromkeys(one.webhook.name for one in reaches)),
    )


def _told(reaches: list[Reach]) -> Iterator[Message]:
    """The deadlock if there is one, and the worst of the rest, each with all its writes."""
    own = [one for one in reaches if one.group == "deadlock"]
    for group in (own, reaches[len(own) :]):
        if group:
            writes = tuple(dict.fromkeys(one.lifeline.name for one in group))
            yield Message(group[0].group, {"webhook": group[0].webhook.name, "writes": writes})


def _notes(reaches: list[Reach]) -> Iterator[Message]:
    for one in reaches:
        service, backends = one.webhook.client_config.service, one.backends
        if service and backends and (one.is_down or one.group in THIN):
            count = {"ready": len(backends.ready), "nodes": len(backends.nodes)}
            yield Message(
                "down" if one.is_down else "thin", {"backend": f"{service.namespace}/{service.name}", **count}
            )
            break
    if missing := list(reach.missing_exemptions(reaches)):
        namespaces, labels = (tuple(dict.fromkeys(f"`{item[part]}`" for item in missing)) for part in (0, 1))
        yield Message("missing-exemption", {"namespaces": namespaces, "labels": labels})
    if any(one.is_assumed for one in reaches):
        yield Message("assumed-labels")
    if any(one.is_undecided for one in reaches):
        yield Message("undecided-condition")
    if any(one.backends is None and one.webhook.client_config.service for one in reaches):
        yield Message("backends-not-seen")
