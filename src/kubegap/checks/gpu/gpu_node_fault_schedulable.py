"""Nodes that report a broken GPU while new pods may still land on them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta

from msgspec import Struct

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster import gpu_faults
from kubegap.cluster.fields import Condition
from kubegap.cluster.gpus import is_gpu_node, is_gpu_pod
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import is_cordoned
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, pods_by_node

# The messages of the page, worst first: how bad each is and how sure.
WEIGHTS: Mapping[str, tuple[Severity, Confidence]] = {
    "fault": (Severity.HIGH, Confidence.OBSERVED),
    "refused": (Severity.HIGH, Confidence.OBSERVED),
    "suspect": (Severity.MEDIUM, Confidence.HEURISTIC),
    "stale": (Severity.INFO, Confidence.HEURISTIC),
    "application": (Severity.INFO, Confidence.OBSERVED),
    "unknown": (Severity.INFO, Confidence.HEURISTIC),
}
WORST_FIRST = list(WEIGHTS)
MIN_WIDESPREAD = 3
MIN_FROM_BIRTH = 2
Signals = Mapping[tuple[str, str | None], list[tuple[Node, Condition]]]


class Fault(Struct, frozen=True):
    """What speaks against a node: conditions with the message for each, and pods that were refused there."""

    node: Node
    told: tuple[tuple[str, Condition], ...]
    refused: tuple[Pod, ...]
    running: tuple[Pod, ...]


def find(cluster: Snapshot, lasting: timedelta, heartbeat: timedelta, birth: timedelta) -> Iterator[Finding]:
    """One finding for each node that the scheduler may still use."""
    nodes = [node for node in cluster.of(Node) if is_gpu_node(node) or gpu_faults.bad_conditions(node)]
    signals = gpu_faults.signals(nodes)
    for node in nodes:
        if guard_out_of_scheduling(cluster, node):
            continue
        bad = [found for found in gpu_faults.bad_conditions(node) if not guard_just_turned(cluster, found, lasting)]
        told = [(_key(cluster, found, signals, len(nodes), heartbeat, birth), found) for found in bad]
        told += [("unknown", found) for found in gpu_faults.doubtful_conditions(node)]
        pods = pods_by_node(cluster).get(node.name, ())
        fault = Fault(
            node,
            tuple(sorted(told, key=lambda item: WORST_FIRST.index(item[0]))),
            tuple(pod for pod in pods if gpu_faults.refused_for_lost_gpu(pod)),
            tuple(pod for pod in pods if is_gpu_pod(pod) and not has_ended(pod)),
        )
        if fault.told or fault.refused:
            yield _finding(cluster, fault)


def guard_out_of_scheduling(cluster: Snapshot, node: Node) -> bool:
    """The node is cordoned, or bears a taint that healthy GPU nodes do not."""
    return is_cordoned(node) or gpu_faults.is_quarantined(cluster, node)


def guard_just_turned(cluster: Snapshot, found: Condition, lasting: timedelta) -> bool:
    """The condition turned bad a moment ago: it may pass, and whoever reacts to it needs some time."""
    return gpu_faults.is_newer(cluster, found.last_transition_time, lasting)


def guard_application_xid(found: Condition) -> bool:
    """Every Xid that it names is a fault of the program and not of the GPU."""
    xids = gpu_faults.xids_of(found)
    return bool(xids) and gpu_faults.APPLICATION_XIDS.issuperset(xids)


def guard_stale(cluster: Snapshot, found: Condition, heartbeat: timedelta) -> bool:
    """Its agent used to renew the condition and has stopped, so nobody stands behind it any more."""
    beat, turned = found.last_heartbeat_time, found.last_transition_time
    renewed = beat is not None and turned is not None and beat > turned
    return renewed and not gpu_faults.is_newer(cluster, beat, heartbeat)


def guard_widespread(alike: int, nodes: int) -> bool:
    """Half of all GPU nodes say the same at once: more likely the agent or the driver than their hardware."""
    return alike >= MIN_WIDESPREAD and alike * 2 >= nodes


def guard_from_birth(alike: Signals, found: Condition, birth: timedelta) -> bool:
    """Several nodes say the same since shortly after they were made: replacing them again will not help."""
    return sum(gpu_faults.is_from_birth(*seen, birth) for seen in alike[found.type, found.reason]) >= MIN_FROM_BIRTH
