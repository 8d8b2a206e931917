"""Addresses of pods, nodes and Services that are nearly used up, and pods that get no sandbox on several nodes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State, Subject
from kubegap.cluster import quantities
from kubegap.cluster.addresses import size_of, used_in
from kubegap.cluster.kinds.routing import ServiceCIDR
from kubegap.cluster.objects import Node, Pod, Service
from kubegap.cluster.ownership import top_of
from kubegap.cluster.providers import is_virtual
from kubegap.cluster.snapshot import ReadState, Snapshot
from kubegap.cluster.workloads import condition, has_ended, owner_of, pods_by_node

NEAR, NEARER = 0.8, 0.9
FULL_NODES = 0.2
MIN_NODES = 2
# The network's own address and the last one are not given to pods.
RESERVED = 2
SHOWN = 3


def find(cluster: Snapshot, starting: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each range that is nearly full, for nodes that are full of pods, and for pods without a sandbox."""
    if guard_virtual(cluster):
        yield Answer(State.NOT_VISIBLE, Message("virtual"))
        return
    nodes = cluster.of(Node)
    yield from (found for node in nodes if (found := _range_of(cluster, node)))
    yield from _crowded(cluster, nodes)
    yield from (found for cidr in cluster.of(ServiceCIDR) for found in _services(cluster, cidr))
    yield from _without_sandbox(cluster, starting)
    if hidden := _hidden(cluster, nodes):
        yield Answer(State.NOT_VISIBLE, Message(hidden))


def guard_virtual(cluster: Snapshot) -> bool:
    """The nodes are shown by a cluster inside another, which gives out the addresses."""
    return is_virtual(cluster.of(Node))


def guard_host_network(pod: Pod) -> bool:
    """The pod uses the address of its node."""
    return bool(pod.spec.host_network)


def guard_ipv6(cidr: str) -> bool:
    """A range that does not run out."""
    return size_of(cidr) is None


def guard_few_full(full: int, nodes: int) -> bool:
    """A node or two full of pods are what a scheduler makes of small pods."""
    return full < max(MIN_NODES, nodes * FULL_NODES)


def guard_volumes(pod: Pod) -> bool:
    """The pod may be waiting for a volume instead."""
    return any(volume.persistent_volume_claim for volume in pod.spec.volumes or ())


def guard_just_placed(cluster: Snapshot, pod: Pod, starting: timedelta) -> bool:
    """Its sandbox is being made, or its image pulled."""
    made = condition(pod.status.conditions, "PodReadyToStartContainers")
    return cluster.is_recent(made.last_transition_time if made else None, starting)


def guard_one_node(nodes: set[str]) -> bool:
    """One node alone may be broken in other ways."""
    return len(nodes) < MIN_NODES


def _hidden(cluster: Snapshot, nodes: Sequence[Node]) -> str | None:
    """The message for ranges that do not show in the API."""
    is_plugin = bool(nodes) and not any(node.spec.pod_cidrs for node in nodes)
    is_unserved = cluster.coverage_of(ServiceCIDR.resource.path).state is ReadState.NOT_SERVED
    return {(True, False): "plugin", (False, True): "unserved", (True, True): "neither"}.get((is_plugin, is_unserved))


def _addressed(cluster: Snapshot, node: Node) -> int:
    pods = pods_by_node(cluster).get(node.name, ())
    return sum(not has_ended(pod) and not guard_host_network(pod) for pod in pods)


def _range_of(cluster: Snapshot, node: Node) -> Finding | None:
    """The node's own range, when nine tenths of it are used."""
    ranges = [cidr for cidr in node.spec.pod_cidrs or () if not guard_ipv6(cidr)]
    size = sum((size_of(cidr) or 0) - RESERVED for cidr in ranges)
    used = _addressed(cluster, node)
    if not ranges or used < size * NEARER:
        return None
    facts: dict[str, Fact] = {"used": used, "size": size}
    seen = [
        Evidence(node.shown, "spec.podCIDRs", ", ".join(ranges)),
        Evidence(node.shown, "pods with an address", str(used)),
    ]
    return Finding(Subject.of(node), Severity.HIGH, Confidence.CONFIG, (Message("range", facts),), tuple(seen))


def _crowded(cluster: Snapshot, nodes: Sequence[Node]) -> Iterator[Finding]:
    """The fullest of the nodes that hold nearly as many pods as their kubelets allow."""
    limits = {node.name: quantities.count(node.status.allocatable, "pods") for node in nodes}
    counts = {node.name: sum(not has_ended(pod) for pod in pods_by_node(cluster).get(node.name, ())) for node in nodes}
    full = [node for node in nodes if limits[node.name] and counts[node.name] >= limits[node.name] * NEARER]
    if not full or guard_few_full(len(full), len(nodes)):
        return
    fullest = max(full, key=lambda node: (counts[node.name], node.name))
    facts: dict[str, Fact] = {"full": len(full), "nodes": len(nodes)}
    yield Finding(
        subject=Subject.of(fullest),
        severity=Severity.MEDIUM,
        confidence=Confidence.CONFIG,
        messages=(Message("crowded", facts),),
        evidence=tuple(
            Evidence(node.shown, "pods of status.allocatable.pods", f"{counts[node.name]} of {limits[node.name]}")
            for node in [fullest, *(node for node in full if node is not fullest)][:SHOWN]
        ),
        members=tuple(node.name for node in full),
    )


def _services(cluster: Snapshot, cidr: ServiceCIDR) -> Iterator[Finding]:
    """A range of Services of which four fifths are used."""
    for part in cidr.spec.cidrs or ():
        if guard_ipv6(part):
            continue
        size, used = size_of(part) or 0, used_in(part, (service.spec.cluster_ip for service in cluster.of(Service)))
        if used >= size * NEAR:
            severity = Severity.HIGH if used >= size * NEARER else Severity.MEDIUM
            seen = Evidence(cidr.shown, "spec.cidrs", part), Evidence(cidr.shown, "addresses of Services", str(used))
            facts: dict[str, Fact] = {"used": used, "size": size}
            yield Finding(Subject.of(cidr), severity, Confidence.CONFIG, (Message("services", facts),), seen)


def _without_sandbox(cluster: Snapshot, starting: timedelta) -> Iterator[Finding]:
    """Pods that the kubelets of several nodes cannot give a network, by owner."""
    pods = [pod for pod in cluster.of(Pod) if _lacks_sandbox(pod) and not guard_just_placed(cluster, pod, starting)]
    pods = [pod for pod in pods if not guard_host_network(pod) and not guard_volumes(pod)]
    nodes = {pod.spec.node_name or "" for pod in pods}
    if guard_one_node(nodes):
        return
    for owner, waiting in _by_owner(cluster, pods).items():
        facts: dict[str, Fact] = {"pods": len(waiting), "nodes": len(nodes)}
        yield Finding(
            subject=owner,
            severity=Severity.MEDIUM,
            confidence=Confidence.HEURISTIC,
            messages=(Message("no-sandbox", facts),),
            evidence=tuple(
                Evidence(pod.shown, "status.conditions[PodReadyToStartContainers]", f"False on {pod.spec.node_name}")
                for pod in waiting[:SHOWN]
            ),
            members=tuple(pod.shown for pod in waiting),
        )


def _lacks_sandbox(pod: Pod) -> bool:
    made = condition(pod.status.conditions, "PodReadyToStartContainers")
    is_there = pod.spec.node_name and not has_ended(pod) and not pod.metadata.deletion_timestamp
    return bool(is_there and made and made.status == "False")


def _by_owner(cluster: Snapshot, pods: Sequence[Pod]) -> Mapping[Subject, list[Pod]]:
    found: dict[Subject, list[Pod]] = defaultdict(list)
    for pod in pods:
        found[top_of(cluster, owner_of(pod))].append(pod)
    return found
