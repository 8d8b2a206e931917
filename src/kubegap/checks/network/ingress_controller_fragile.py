"""Ingress and gateway controllers whose loss takes every route with them: one pod, cordoned nodes, spot nodes."""

from collections.abc import Iterator
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State
from kubegap.cluster.dependents import services_before
from kubegap.cluster.duties import is_door_on_nodes
from kubegap.cluster.objects import Node
from kubegap.cluster.placing import is_cordoned, is_spot, nodes_by_name
from kubegap.cluster.programs import Program, has_data_plane_elsewhere, runs
from kubegap.cluster.providers import is_for_development, is_owned_by_provider
from kubegap.cluster.services import is_open_to_outside
from kubegap.cluster.settling import is_settling
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates
from kubegap.cluster.workloads import condition, is_ready

# The messages of the page, worst first.
SEVERITIES = {
    "down": Severity.CRITICAL,
    "single": Severity.CRITICAL,
    "degraded": Severity.CRITICAL,
    "cordoned": Severity.HIGH,
    "spot": Severity.HIGH,
}
# So many pods survive the loss of one.
SPARE = 2
SHOWN = 3


def find(cluster: Snapshot, settling: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each controller, with everything that it would not survive."""
    entries = [template for template in templates(cluster) if runs(template.running_spec, {Program.INGRESS})]
    serving = [template for template in entries if not guard_batch(template) and not guard_suspended(template)]
    if not serving:
        yield Answer(State.NOT_APPLICABLE, Message("none"))
    for template in serving:
        if (key := _key(cluster, template)) and not _is_meant(cluster, template, settling):
            yield _finding(cluster, template, key)


def guard_batch(template: Template) -> bool:
    """A Job of a controller's chart routes nothing."""
    return template.is_batch


def guard_suspended(template: Template) -> bool:
    """Its owner wants no pods of it for now."""
    return template.is_suspended


def guard_on_every_node(template: Template) -> bool:
    """A DaemonSet stands on many nodes, and goes where its node goes."""
    return template.is_on_every_node


def guard_settling(cluster: Snapshot, template: Template, settling: timedelta) -> bool:
    """A rollout is under way."""
    return is_settling(cluster, template, settling)


def guard_data_plane_elsewhere(template: Template) -> bool:
    """The traffic goes through the cloud's own load balancer or other pods; the controller only sets it up."""
    return has_data_plane_elsewhere(template.running_spec)


def guard_provider_owned(cluster: Snapshot, template: Template) -> bool:
    """The provider would undo a change of its own controller."""
    return template.source is not None and is_owned_by_provider(template.source, cluster.provider)


def guard_development(cluster: Snapshot) -> bool:
    """A cluster of one node, or on somebody's own machine, has no second place."""
    return is_for_development(cluster.of(Node))


def _is_meant(cluster: Snapshot, template: Template, settling: timedelta) -> bool:
    by_kind = guard_on_every_node(template) or guard_provider_owned(cluster, template)
    return by_kind or guard_settling(cluster, template, settling)


def _key(cluster: Snapshot, template: Template) -> str | None:
    ready = [pod for pod in template.pods if is_ready(pod)]
    nodes = [nodes_by_name(cluster).get(pod.spec.node_name or "") for pod in ready]
    if _is_told(template) and not ready:
        return "down"
    if template.replicas < SPARE:
        return "single"
    if _is_told(template) and len(ready) < SPARE:
        return "degraded"
    if guard_data_plane_elsewhere(template):
        return None
    if nodes and all(map(is_cordoned, nodes)):
        return "cordoned"
    return "spot" if nodes and all(node and is_spot(node) for node in nodes) else None


def _is_told(template: Template) -> bool:
    """Whether the cluster says how its pods are; manifests, also of bare pods, only say how many are wanted."""
    return any(pod.status.conditions for pod in template.pods)


def _finding(cluster: Snapshot, template: Template, key: str) -> Finding:
    services = [one for one in services_before(cluster, template) if is_open_to_outside(one)]
    is_dev, is_entry = guard_development(cluster), bool(services) or is_door_on_nodes(template)
    only_sets_up = guard_data_plane_elsewhere(template)
    severity = SEVERITIES[key] if is_entry and not only_sets_up else Severity.MEDIUM
    ready = sum(map(is_ready, template.pods))
    facts: dict[str, Fact] = {
        "ready": ready,
        "wanted": template.replicas,
        "services": tuple(one.shown for one in services),
    }
    said = {"controller": only_sets_up, "entry": bool(services), "development": is_dev}
    return Finding(
        subject=template.subject,
        severity=Severity.INFO if is_dev else severity,
        confidence=_confidence(template, is_entry=is_entry),
        messages=tuple(Message(name, facts) for name in [key, *(note for note, holds in said.items() if holds)]),
        evidence=tuple(_evidence(cluster, template, key)),
        members=tuple(pod.shown for pod in template.pods),
    )


def _confidence(template: Template, *, is_entry: bool) -> Confidence:
    """An image's name alone is a pattern; what stands behind a door to the outside is an entry whatever it runs."""
    if not is_entry:
        return Confidence.HEURISTIC
    return Confidence.OBSERVED if _is_told(template) else Confidence.CONFIG


def _evidence(cluster: Snapshot, template: Template, key: str) -> Iterator[Evidence]:
    hoped = f">= {SPARE}" if key == "single" else None
    yield Evidence(template.place, template.replicas_path, str(template.replicas), hoped)
    for pod in template.pods[:SHOWN]:
        node, said = nodes_by_name(cluster).get(pod.spec.node_name or ""), condition(pod.status.conditions, "Ready")
        hoped = "True" if key in {"down", "degraded"} else None
        yield Evidence(pod.shown, "status.conditions[Ready].status", said.status if said else None, hoped)
        if key == "cordoned" and is_cordoned(node):
            yield Evidence(f"Node/{pod.spec.node_name}", "spec.unschedulable", "true", "false")
