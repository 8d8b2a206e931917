"""Nodes that stay cordoned for days without a word why, and clusters of which a large share is cordoned at once."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State, Subject
from kubegap.cluster import gpus
from kubegap.cluster.cordons import cordoned_since, holder_of, waiting_for
from kubegap.cluster.growth import is_leaving
from kubegap.cluster.objects import Node
from kubegap.cluster.placing import CORDON, is_cordoned
from kubegap.cluster.providers import is_virtual
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import is_younger

SHARE = 0.2
CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")


def find(cluster: Snapshot, lasting: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each node that was forgotten, or for each cordoned one while they are many."""
    if guard_virtual(cluster):
        yield Answer(State.NOT_VISIBLE, Message("virtual"))
        return
    workers = [node for node in cluster.of(Node) if not guard_control_plane(node)]
    closed = [node for node in workers if is_cordoned(node) and not guard_leaving(node)]
    are_many = len(closed) > len(workers) * SHARE and not _is_usual(cluster, closed, lasting)
    for node in closed:
        state = _state(cluster, node, lasting)
        if state or are_many:
            waiting = waiting_for(cluster, node)
            facts: dict[str, Fact] = {"closed": len(closed), "nodes": len(workers), "waiting": waiting}
            notes = [*([state] if state else []), *(["many"] if are_many else []), *(["waiting"] if waiting else [])]
            yield _finding(cluster, node, notes, facts)


def guard_virtual(cluster: Snapshot) -> bool:
    """The nodes are shown by a cluster inside another, which does not cordon them."""
    return is_virtual(cluster.of(Node))


def guard_control_plane(node: Node) -> bool:
    """Some installers keep the control plane cordoned for good in place of a taint."""
    return any(label in node.labels for label in CONTROL_PLANE)


def guard_leaving(node: Node) -> bool:
    """The node is being deleted, or an autoscaler drains it to take it away."""
    return is_leaving(node)


def guard_recent(cluster: Snapshot, node: Node, lasting: timedelta) -> bool:
    """Cordoned a short while ago, for work that is probably under way."""
    return cluster.is_recent(cordoned_since(node), lasting)


def guard_young(cluster: Snapshot, node: Node, lasting: timedelta) -> bool:
    """Nobody noted when the node was cordoned, but it cannot have been longer ago than the node is old."""
    return is_younger(node, lasting, cluster)


def guard_driver_changing(node: Node) -> bool:
    """The GPU Operator is changing the driver and uncordons the node itself."""
    return gpus.is_driver_changing(node)


def guard_held(node: Node) -> bool:
    """A tool says on the node that it holds it, so it was not forgotten."""
    return holder_of(node) is not None


def guard_alone(closed: Sequence[Node]) -> bool:
    """One node at a time is how nodes are serviced, however few there are."""
    return len(closed) < 2


def guard_replacing(cluster: Snapshot, closed: Sequence[Node], lasting: timedelta) -> bool:
    """As many open nodes have just come as are cordoned: one node pool takes the place of another."""
    return sum(is_younger(node, lasting, cluster) and not is_cordoned(node) for node in cluster.of(Node)) >= len(closed)


def _is_usual(cluster: Snapshot, closed: Sequence[Node], lasting: timedelta) -> bool:
    return guard_alone(closed) or guard_replacing(cluster, closed, lasting)


def _state(cluster: Snapshot, node: Node, lasting: timedelta) -> str | None:
    """The message for how long the node has been cordoned, if that is long, or if nobody knows how long."""
    if guard_recent(cluster, node, lasting) or guard_driver_changing(node):
        return None
    if not cordoned_since(node):
        return None if guard_young(cluster, node, lasting) else "undated"
    return "held" if guard_held(node) else "forgotten"


def _finding(cluster: Snapshot, node: Node, notes: Sequence[str], facts: Mapping[str, Fact]) -> Finding:
    age, count = cluster.time_since(cordoned_since(node)), sum(gpus.accelerators(node.status.capacity).values())
    mark = holder_of(node) or ("", "")
    severity = Severity.HIGH if count or "many" in notes or "waiting" in notes else Severity.MEDIUM
    known = {**facts, "days": age.days if age else 0, "gpus": count, "mark": f"`{mark[0]}`"}
    return Finding(
        subject=Subject.of(node),
        severity=Severity.INFO if {"held", "undated"} & {*notes} and "many" not in notes else severity,
        confidence=Confidence.OBSERVED,
        messages=tuple(Message(key, known) for key in [*notes, *(["gpus"] if count else [])]),
        evidence=tuple(_evidence(node, mark)),
    )


def _evidence(node: Node, mark: tuple[str, str]) -> Iterator[Evidence]:
    since = cordoned_since(node)
    yield Evidence(node.shown, "spec.unschedulable", "true", "false")
    yield Evidence(node.shown, f"spec.taints[{CORDON.key}].timeAdded", since.isoformat() if since else None)
    if mark[0]:
        place = "labels" if mark[0] in node.labels else "annotations"
        yield Evidence(node.shown, f'metadata.{place}["{mark[0]}"]', mark[1])
