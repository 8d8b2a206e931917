"""Cluster DNS that does not grow with the cluster, or that queries have already killed."""

from collections.abc import Iterator

from msgspec import Struct

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State
from kubegap.cluster.capacity import rooms
from kubegap.cluster.dns import Dns, caches, dns_of, dns_services, is_outside_pods, is_scaled_with_cluster
from kubegap.cluster.gpus import is_gpu_node
from kubegap.cluster.objects import Node, Pod, Service
from kubegap.cluster.providers import is_for_development
from kubegap.cluster.scaling import autoscaler_of
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import is_ready, runs_on_every_node

# What the cluster-proportional autoscaler gives to DNS when nobody changes it: one pod for so many nodes or cores.
NODES_A_POD, CORES_A_POD = 16, 256
LARGE_NODES = 100
SMALL = 2
CACHED = 4
SHOWN = 3


class Size(Struct, frozen=True):
    """What DNS has to serve, how many pods the usual rule would give it, and how many nodes can hold a cache."""

    nodes: int
    cores: int
    places: int

    @property
    def pods(self) -> float:
        """Pods by the larger of both."""
        return max(self.nodes / NODES_A_POD, self.cores / CORES_A_POD)


def find(cluster: Snapshot) -> Iterator[Finding | Answer]:
    """One finding for what answers DNS, with everything that speaks against its size."""
    inside = [service for service in dns_services(cluster) if not guard_outside_pods(cluster, service)]
    if not inside:
        yield Answer(State.NOT_APPLICABLE, Message("outside-pods"))
    size = _size(cluster)
    for dns in {dns.owner: dns for service in inside if (dns := dns_of(cluster, service))}.values():
        keys = list(_keys(cluster, dns, size))
        if keys and not guard_development(cluster):
            yield _finding(cluster, dns, size, keys)


def guard_outside_pods(cluster: Snapshot, service: Service) -> bool:
    """The provider answers DNS outside of pods."""
    return is_outside_pods(cluster, service)


def guard_on_every_node(dns: Dns) -> bool:
    """A DaemonSet grows with the nodes."""
    return runs_on_every_node(dns.owner)


def guard_cached(cluster: Snapshot, size: Size) -> bool:
    """A cache on every node answers most questions before they reach the pods of DNS."""
    return sum(map(is_ready, caches(cluster))) >= size.places > 0


def guard_no_place_for_cache(node: Node) -> bool:
    """Windows and nodes without a kubelet of their own hold no cache."""
    return node.labels.get("kubernetes.io/os", "linux") != "linux" or node.labels.get("type") == "virtual-kubelet"


def guard_feeds_gpus(node: Node) -> bool:
    """Cores beside GPUs belong to a few large pods, which ask DNS no more than small ones; the node counts as one."""
    return is_gpu_node(node)


def guard_scaled(cluster: Snapshot, dns: Dns) -> bool:
    """An autoscaler gives it pods as the cluster or its load grows."""
    return is_scaled_with_cluster(cluster) or autoscaler_of(cluster, dns.owner) is not None


def guard_small(size: Size) -> bool:
    """Two pods are enough for a small cluster."""
    return size.pods <= SMALL


def guard_development(cluster: Snapshot) -> bool:
    """A cluster of one node, or on somebody's own machine."""
    return is_for_development(cluster.of(Node))


def _size(cluster: Snapshot) -> Size:
    nodes = cluster.of(Node)
    counted = [room for room in rooms(cluster).values() if not guard_feeds_gpus(room.node)]
    cores = sum(room.allocatable.get("cpu", 0) for room in counted) // 1000
    return Size(len(nodes), cores, sum(not guard_no_place_for_cache(node) for node in nodes))


def _keys(cluster: Snapshot, dns: Dns, size: Size) -> Iterator[str]:
    cached = guard_cached(cluster, size)
    if _killed(dns) and not cached:
        yield "oom"
    wanted = size.pods / (CACHED if cached else 1)
    if not guard_on_every_node(dns) and not guard_small(size):
        if len(dns.pods) < wanted / 2:
            yield "few"
        elif len(dns.pods) < wanted and not guard_scaled(cluster, dns):
            yield "fixed"
    if caches(cluster) and not cached:
        yield "cache"


def _killed(dns: Dns) -> list[tuple[Pod, str]]:
    """Pods of which a container was ended for its memory, each once, with the field that says so."""
    return [(pod, field) for pod in dns.pods if (field := _field_of_kill(pod))]


def _field_of_kill(pod: Pod) -> str | None:
    for status in pod.status.container_statuses or ():
        for name, state in (("state", status.state), ("lastState", status.last_state)):
            if state and state.terminated and state.terminated.reason == "OOMKilled":
                return f"status.containerStatuses[{status.name}].{name}.terminated.reason"
    return None


def _finding(cluster: Snapshot, dns: Dns, size: Size, keys: list[str]) -> Finding:
    is_bad = "oom" in keys or (size.pods > LARGE_NODES / NODES_A_POD and keys != ["cache"])
    ready = sum(map(is_ready, caches(cluster)))
    facts: dict[str, Fact] = {
        "pods": len(dns.pods),
        "nodes": size.nodes,
        "cores": size.cores,
        "killed": len(_killed(dns)),
        "ready": ready,
        "places": size.places,
    }
    return Finding(
        subject=dns.owner,
        severity=Severity.HIGH if is_bad else Severity.MEDIUM,
        confidence=Confidence.OBSERVED if "oom" in keys or "cache" in keys else Confidence.CONFIG,
        messages=tuple(Message(key, facts) for key in keys),
        evidence=(
            Evidence(dns.owner.shown, "pods", str(len(dns.pods)), str(int(-(-size.pods // 1)))),
            *(Evidence(pod.shown, field, "OOMKilled") for pod, field in _killed(dns)[:SHOWN]),
        ),
        members=tuple(pod.shown for pod in dns.pods),
    )
