"""Nodes that are not ready, report trouble, or hold many of the pods that neither start nor stop."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State, Subject
from kubegap.cluster import node_troubles
from kubegap.cluster.fields import Condition
from kubegap.cluster.growth import is_leaving
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import is_cordoned
from kubegap.cluster.providers import is_virtual
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.tables import are_tables_old
from kubegap.cluster.workloads import condition, is_younger

# The messages of the page, worst first: how bad each is and how sure.
WEIGHTS: Mapping[str, tuple[Severity, Confidence]] = {
    "not-ready": (Severity.HIGH, Confidence.OBSERVED),
    "silent": (Severity.HIGH, Confidence.OBSERVED),
    "uninitialized": (Severity.HIGH, Confidence.OBSERVED),
    "problem": (Severity.HIGH, Confidence.OBSERVED),
    "pressure": (Severity.MEDIUM, Confidence.OBSERVED),
    "stuck-pods": (Severity.MEDIUM, Confidence.HEURISTIC),
    "stale": (Severity.INFO, Confidence.HEURISTIC),
}
# Those that rest on what a table says of a condition.
FROM_TABLES = {"problem", "stale"}
WIDESPREAD = 0.1
SHOWN = 3


def find(
    cluster: Snapshot, booting: timedelta, lasting: timedelta, stuck: timedelta, heartbeat: timedelta
) -> Iterator[Finding | Answer]:
    """One finding for each node, by the worst thing that speaks against it."""
    if guard_virtual(cluster):
        yield Answer(State.NOT_VISIBLE, Message("virtual"))
        return
    held = node_troubles.stuck_pods(cluster, stuck)
    total = sum(map(len, held.values()))
    for node in cluster.of(Node):
        if guard_booting(cluster, node, booting) or guard_leaving(node):
            continue
        pods = held.get(node.name, ())
        told = dict(_told(cluster, node, lasting, heartbeat))
        if not guard_scattered(pods, total) and not guard_deleted(pods):
            told.setdefault("stuck-pods", None)
        if told:
            yield _finding(cluster, node, told, pods)
    if any(map(node_troubles.has_no_status, cluster.of(Node))):
        yield Answer(State.NOT_IN_THIS_INPUT, Message("no-status"))


def guard_virtual(cluster: Snapshot) -> bool:
    """The nodes are shown by a cluster inside another and have conditions that are not its own."""
    return is_virtual(cluster.of(Node))


def guard_booting(cluster: Snapshot, node: Node, booting: timedelta) -> bool:
    """A new node is not ready at first."""
    return is_younger(node, booting, cluster)


def guard_leaving(node: Node) -> bool:
    """An autoscaler is taking the node away."""
    return is_leaving(node)


def guard_just_turned(cluster: Snapshot, bad: Condition, lasting: timedelta) -> bool:
    """It turned bad a moment ago and may pass."""
    return cluster.is_recent(bad.last_transition_time, lasting)


def guard_stale(cluster: Snapshot, bad: Condition, heartbeat: timedelta) -> bool:
    """Its agent used to renew the condition and has stopped, so nobody stands behind it any more."""
    return node_troubles.is_renewed(bad) and not cluster.is_recent(bad.last_heartbeat_time, heartbeat)


def guard_scattered(pods: Sequence[Pod], total: int) -> bool:
    """Pods that are stuck all over the cluster do not speak against one node."""
    return not node_troubles.are_gathered(pods, total)


def guard_deleted(pods: Sequence[Pod]) -> bool:
    """Those that are deleted are enough for `stuck-terminating` to tell of the node."""
    return node_troubles.are_deleted(pods)


def guard_out_of_service(node: Node) -> bool:
    """Somebody cordoned the node and so knows about it, though what runs there is still hit."""
    return is_cordoned(node)


def _told(
    cluster: Snapshot, node: Node, lasting: timedelta, heartbeat: timedelta
) -> Iterator[tuple[str, Condition | None]]:
    """The messages for a node with the first condition behind each."""
    unready = node_troubles.readiness(node)
    if unready and not guard_just_turned(cluster, unready, lasting):
        yield "not-ready", unready
    if node_troubles.is_silent(cluster, node, heartbeat):
        yield "silent", condition(node.status.conditions, "Ready")
    if node_troubles.is_uninitialized(node):
        yield "uninitialized", None
    found: dict[str, Condition] = {}
    for bad in node_troubles.problems(node):
        if not guard_just_turned(cluster, bad, lasting):
            found.setdefault("stale" if guard_stale(cluster, bad, heartbeat) else "problem", bad)
    for bad in node_troubles.pressures(node):
        if not guard_just_turned(cluster, bad, lasting):
            found.setdefault("pressure", bad)
    yield from found.items()


def _finding(cluster: Snapshot, node: Node, told: Mapping[str, Condition | None], pods: Sequence[Pod]) -> Finding:
    key = next(key for key in WEIGHTS if key in told)
    severity, confidence = WEIGHTS[key]
    is_many = key == "not-ready" and node_troubles.share_of_unready(cluster) >= WIDESPREAD
    severity = Severity.CRITICAL if is_many else severity
    is_known, bad = guard_out_of_service(node), told[key]
    is_old = not FROM_TABLES.isdisjoint(told) and are_tables_old(cluster)
    holding = {"many": is_many, "cordoned": is_known, "old-tables": is_old}
    notes = [note for note, holds in holding.items() if holds]
    facts: dict[str, Fact] = {"condition": bad.type if bad else "", "pods": len(pods)}
    return Finding(
        subject=Subject.of(node),
        severity=severity.milder if is_known else severity,
        confidence=confidence,
        messages=tuple(Message(name, facts) for name in [key, *notes]),
        evidence=tuple(_evidence(node, told, pods)),
        members=tuple(pod.shown for pod in pods),
    )


def _evidence(node: Node, told: Mapping[str, Condition | None], pods: Sequence[Pod]) -> Iterator[Evidence]:
    if "silent" in told:
        yield from _last_heard(node, told["silent"])
    for bad in (found for key, found in told.items() if found and key != "silent"):
        place, since = f"status.conditions[{bad.type}]", bad.last_transition_time
        yield Evidence(node.shown, place, ": ".join(filter(None, (bad.status, bad.reason, bad.message))))
        yield Evidence(node.shown, f"{place}.lastTransitionTime", since.isoformat() if since else None)
    if "uninitialized" in told:
        yield Evidence(node.shown, "spec.taints", "node.cloudprovider.kubernetes.io/uninitialized")
    for pod in pods[:SHOWN]:
        gone = pod.metadata.deletion_timestamp
        path = "metadata.deletionTimestamp" if gone else "metadata.creationTimestamp"
        since = gone or pod.metadata.creation_timestamp
        yield Evidence(pod.shown, path, since.isoformat() if since else None)


def _last_heard(node: Node, ready: Condition | None) -> Iterator[Evidence]:
    last = ready.last_heartbeat_time if ready else None
    yield Evidence(node.shown, "status.conditions[Ready].lastHeartbeatTime", last.isoformat() if last else None)
    yield Evidence(node.shown, "status.conditions[Ready].status", ready.status if ready else None, "True")
