"""Nodes that report a broken GPU while new pods may still land on them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State, Subject
from kubegap.cluster import gpu_faults
from kubegap.cluster.fields import Condition
from kubegap.cluster.gpu_faults import Signal
from kubegap.cluster.gpus import gpu_pods_on
from kubegap.cluster.node_troubles import is_renewed
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import is_cordoned
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.tables import are_tables_old
from kubegap.cluster.workloads import pods_by_node

# The messages of the page, worst first: how bad each is and how sure.
WEIGHTS: Mapping[str, tuple[Severity, Confidence]] = {
    "fault": (Severity.HIGH, Confidence.OBSERVED),
    "refused": (Severity.HIGH, Confidence.OBSERVED),
    "suspect": (Severity.MEDIUM, Confidence.HEURISTIC),
    "stale": (Severity.INFO, Confidence.HEURISTIC),
    "application": (Severity.INFO, Confidence.OBSERVED),
    "unknown": (Severity.INFO, Confidence.HEURISTIC),
}
MIN_WIDESPREAD = 3
MIN_FROM_BIRTH = 2


def find(cluster: Snapshot, lasting: timedelta, heartbeat: timedelta, birth: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each node that the scheduler may still use, by the worst thing that speaks against it."""
    if guard_no_gpus(cluster):
        yield Answer(State.NOT_APPLICABLE, Message("no-gpus"))
    for node in gpu_faults.watched_nodes(cluster):
        if guard_out_of_scheduling(cluster, node):
            continue
        found: dict[str, Condition | None] = {}
        for bad in gpu_faults.bad_conditions(node):
            if not guard_just_turned(cluster, bad, lasting):
                found.setdefault(_key(cluster, bad, heartbeat, birth), bad)
        refused = [pod for pod in pods_by_node(cluster).get(node.name, ()) if gpu_faults.is_refused_for_lost_gpu(pod)]
        if refused:
            found["refused"] = None
        for doubtful in gpu_faults.doubtful_conditions(node):
            found.setdefault("unknown", doubtful)
        if found:
            yield _finding(cluster, node, found, refused)


def guard_no_gpus(cluster: Snapshot) -> bool:
    """No node has GPUs or speaks of them."""
    return not gpu_faults.watched_nodes(cluster)


def guard_out_of_scheduling(cluster: Snapshot, node: Node) -> bool:
    """The node is cordoned, or bears a taint that healthy GPU nodes do not."""
    return is_cordoned(node) or gpu_faults.is_quarantined(cluster, node)


def guard_just_turned(cluster: Snapshot, bad: Condition, lasting: timedelta) -> bool:
    """The condition turned bad a moment ago: it may pass, and whoever reacts to it needs some time."""
    return cluster.is_recent(bad.last_transition_time, lasting)


def guard_application_xid(bad: Condition) -> bool:
    """Every Xid that it names is a fault of the program and not of the GPU."""
    xids = gpu_faults.xids_of(bad)
    return bool(xids) and gpu_faults.APPLICATION_XIDS.issuperset(xids)


def guard_stale(cluster: Snapshot, bad: Condition, heartbeat: timedelta) -> bool:
    """Its agent used to renew the condition and has stopped, so nobody stands behind it any more."""
    return is_renewed(bad) and not cluster.is_recent(bad.last_heartbeat_time, heartbeat)


def guard_widespread(cluster: Snapshot, alike: Sequence[Signal]) -> bool:
    """Half of all GPU nodes say the same at once: more likely the agent or the driver than their hardware."""
    return len(alike) >= max(MIN_WIDESPREAD, len(gpu_faults.watched_nodes(cluster)) / 2)


def guard_from_birth(alike: Sequence[Signal], birth: timedelta) -> bool:
    """Several nodes say the same since shortly after they were made: replacing them again will not help."""
    return sum(gpu_faults.is_from_birth(signal, birth) for signal in alike) >= MIN_FROM_BIRTH


def _key(cluster: Snapshot, bad: Condition, heartbeat: timedelta, birth: timedelta) -> str:
    alike = gpu_faults.signals(cluster)[bad.type, bad.reason]
    if guard_application_xid(bad):
        return "application"
    if guard_stale(cluster, bad, heartbeat):
        return "stale"
    return "suspect" if guard_widespread(cluster, alike) or guard_from_birth(alike, birth) else "fault"


def _finding(cluster: Snapshot, node: Node, found: Mapping[str, Condition | None], refused: list[Pod]) -> Finding:
    key = next(key for key in WEIGHTS if key in found)
    severity, confidence = WEIGHTS[key]
    condition, running = found[key], gpu_pods_on(cluster, node)
    is_hit = bool(running) and severity is Severity.HIGH
    notes = [*(["running"] if is_hit else []), *(["old-tables"] if are_tables_old(cluster) else [])]
    facts: dict[str, Fact] = {
        "condition": condition.type if condition else "",
        "refused": len(refused),
        "running": len(running),
    }
    return Finding(
        subject=Subject.of(node),
        severity=Severity.CRITICAL if is_hit else severity,
        confidence=confidence,
        messages=tuple(Message(told, facts) for told in [key, *notes]),
        evidence=tuple(_evidence(node, found, refused)),
        members=tuple(sorted(pod.shown for pod in running)),
    )


def _evidence(node: Node, found: Mapping[str, Condition | None], refused: list[Pod]) -> Iterator[Evidence]:
    for condition in filter(None, found.values()):
        said = ": ".join(filter(None, (condition.status, condition.reason, condition.message)))
        place, since = f"status.conditions[{condition.type}]", condition.last_transition_time
        yield Evidence(node.shown, place, said)
        yield Evidence(node.shown, f"{place}.lastTransitionTime", since.isoformat() if since else None)
    for pod in refused[:1]:
        yield Evidence(pod.shown, "status.message", pod.status.message)
    yield Evidence(node.shown, "spec.unschedulable", None, "true")
