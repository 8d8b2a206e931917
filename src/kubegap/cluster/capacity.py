"""Room on nodes: what is free, which nodes are alike, whether pods would find a place without some of them, who waits.

For pairs that read `v1/nodes` and `v1/pods`. Units are those of `requests`. Pods are packed one
size after the other, as a scheduler would and no cleverer. Host ports, volumes and anti-affinity are not looked at, so what
fits here may still not be placed.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from kubegap.cluster.fields import PodSpec
from kubegap.cluster.gpus import is_accelerator
from kubegap.cluster.indexing import indexed
from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import BLOCKING, is_cordoned, nodes_for
from kubegap.cluster.requests import Amounts, added, amounts, requested_by
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import condition, has_ended, owner_of, pods_by_node, runs_on_every_node

PODS = "pods"
# Words of the scheduler's message, and the sort of reason that they tell.
_REASONS = {
    "Insufficient cpu": "cpu",
    "Insufficient memory": "memory",
    "Insufficient ephemeral-storage": "storage",
    "Too many pods": "pods",
    "untolerated taint": "taint",
    "node affinity/selector": "selector",
    "were unschedulable": "cordoned",
    "volume node affinity conflict": "volume-zone",
    "unbound immediate PersistentVolumeClaims": "volume",
    "max volume count": "volume-count",
    "free ports": "ports",
    "anti-affinity": "anti-affinity",
    "topology spread": "spread",
    "resourceclaim": "devices",
    "cannot allocate all claims": "devices",
}
# The resource that nodes lack; a sentence may end after it and another follow: `3 Insufficient nvidia.com/gpu. preemption: …`.
_LACKED = re.compile(r"Insufficient (\S+?)[.,]*(?=\s|$)")


class Room(Struct, frozen=True):
    """One node: what it has for pods, what its pods ask for, and of that what gives way to others (priority below 0).

    Amounts hold `pods` too, the number of pods.
    """

    node: Node
    allocatable: Amounts
    requested: Amounts
    yielding: Amounts

    def free(self, resource: str) -> int:
        """What is left, counting pods that give way as free; 0 where the node is overbooked or has no such thing."""
        taken = self.requested.get(resource, 0) - self.yielding.get(resource, 0)
        return max(self.allocatable.get(resource, 0) - taken, 0)


class Pool(Struct, frozen=True, order=True):
    """What makes nodes alike for the scheduler: taints, architecture, system and the accelerators that they have."""

    taints: tuple[str, ...]
    architecture: str
    system: str
    accelerators: tuple[str, ...]


@indexed
def rooms(snapshot: Snapshot) -> Mapping[str, Room]:
    """Every node by its name."""
    return {node.name: _room(snapshot, node) for node in snapshot.of(Node)}


@indexed
def pools(snapshot: Snapshot) -> Mapping[Pool, Sequence[Room]]:
    """The nodes that take new pods, by pool; cordoned ones are left out."""
    found: dict[Pool, list[Room]] = defaultdict(list)
    for room in rooms(snapshot).values():
        if not is_cordoned(room.node):
            found[_pool_of(room.node)].append(room)
    return found


def unplaced_without(snapshot: Snapshot, gone: Collection[str]) -> Sequence[Pod]:
    """The pods of some nodes (by name) that would not fit on the others, the largest placed first.

    DaemonSets, static pods and pods that give way need no place. Empty means that the loss can be borne.
    """
    moving = [pod for name in sorted(gone) for pod in pods_by_node(snapshot).get(name, ()) if _needs_place(pod)]
    free: dict[str, dict[str, int]] = {}
    left: list[Pod] = []
    lost = frozenset(gone)
    for alike in _alike(snapshot, moving):
        nodes = (node.name for node in alike.nodes if node.name not in lost)
        left += alike.pods[_placed(snapshot, alike.size, len(alike.pods), nodes, free) :]
    return left


def short_of_memory(snapshot: Snapshot, pods: Iterable[Pod]) -> Sequence[str]:
    """The nodes of pods, by name, that report `MemoryPressure` now, so that the kubelet evicts."""
    pressed = _pressed(snapshot)
    return sorted({pod.spec.node_name or "" for pod in pods} & pressed) if pressed else []


@indexed
def waiting(snapshot: Snapshot) -> Sequence[Pod]:
    """Pods that the scheduler found no node for and that nobody is deleting."""
    return [pod for pod in snapshot.of(Pod) if _is_waiting(pod)]


def is_vital(pod: Pod) -> bool:
    """Whether a pod belongs to the system, by its namespace or its class."""
    return is_system_namespace(pod.namespace or "") or (pod.spec.priority_class_name or "").startswith("system-")


def rank_of(pods: Iterable[Pod]) -> int:
    """The highest priority among pods, named or given by admission."""
    return max((pod.spec.priority or 0 for pod in pods), default=0)


def reasons_of(pod: Pod) -> tuple[str, ...]:
    """Why no node fits, in sorts that a message can name: `cpu`, `memory`, `taint`, `selector`, `volume-zone`, `gpu` …."""
    found = condition(pod.status.conditions, "PodScheduled")
    message = (found.message or "") if found else ""
    sorts = [sort for words, sort in _REASONS.items() if words in message]
    lacks_gpu = any(map(is_accelerator, _LACKED.findall(message)))
    return tuple(dict.fromkeys([*sorts, *(["gpu"] if lacks_gpu else [])]))


def most_room(snapshot: Snapshot, pod: PodSpec, resource: str) -> tuple[int, str]:
    """The most of a resource that a pod would find on a node, and that node; pods of a lower priority make way for it.

    `(0, "")` where no node that the pod may run on offers the resource.
    """
    nodes = nodes_for(snapshot, pod)
    priority = 0 if pod.preemption_policy == "Never" else max(pod.priority or 0, 0)
    key, known = (id(nodes), resource, priority), _most_room(snapshot)
    if key not in known:
        offering = (node.name for node in nodes if resource in rooms(snapshot)[node.name].allocatable)
        left = ((_left(snapshot, name, resource, priority), name) for name in offering)
        known[key] = max(left, default=(0, ""))
    return known[key]


def _left(snapshot: Snapshot, node: str, resource: str, priority: int) -> int:
    """What is free once all pods below a priority, which is none of those that give way to everybody, have left."""
    free = rooms(snapshot)[node].free(resource)
    there = pods_by_node(snapshot).get(node, ()) if priority else ()
    weaker = (pod for pod in there if 0 <= (pod.spec.priority or 0) < priority and not has_ended(pod))
    return free + sum(requested_by(snapshot, pod).get(resource, 0) for pod in weaker)


@indexed
def _most_room(_: Snapshot) -> dict[tuple[int, str, int], tuple[int, str]]:
    return {}


def _is_waiting(pod: Pod) -> bool:
    found = condition(pod.status.conditions, "PodScheduled")
    return bool(
        found and found.reason == "Unschedulable" and not pod.metadata.deletion_timestamp and not has_ended(pod)
    )


@indexed
def _pressed(snapshot: Snapshot) -> frozenset[str]:
    told = ((node.name, condition(node.status.conditions, "MemoryPressure")) for node in snapshot.of(Node))
    return frozenset(name for name, found in told if found and found.status == "True")


def _room(snapshot: Snapshot, node: Node) -> Room:
    pods = [pod for pod in pods_by_node(snapshot).get(node.name, ()) if not has_ended(pod)]
    yielding = [pod for pod in pods if _gives_way(pod)]
    return Room(node, amounts(node.status.allocatable), _sum(snapshot, pods), _sum(snapshot, yielding))


def _sum(snapshot: Snapshot, pods: Sequence[Pod]) -> Amounts:
    return added([*(requested_by(snapshot, pod) for pod in pods), {PODS: len(pods)}])


def _gives_way(pod: Pod) -> bool:
    """Whether any pod without a priority pushes it out: a place that is kept free."""
    return (pod.spec.priority or 0) < 0


def _needs_place(pod: Pod) -> bool:
    ended = has_ended(pod) or pod.metadata.deletion_timestamp
    return not (ended or _gives_way(pod) or runs_on_every_node(owner_of(pod)))


def _pool_of(node: Node) -> Pool:
    info = node.status.node_info
    taints = (
        f"{taint.key}={taint.value or ''}:{taint.effect}"
        for taint in node.spec.taints or ()
        if taint.effect in BLOCKING
    )
    accelerators = (name for name, size in amounts(node.status.allocatable).items() if size and is_accelerator(name))
    return Pool(
        tuple(sorted(taints)),
        (info.architecture if info else "") or node.labels.get("kubernetes.io/arch", ""),
        (info.operating_system if info else "") or node.labels.get("kubernetes.io/os", ""),
        tuple(sorted(accelerators)),
    )


class _Alike(Struct):
    """Pods of one size that may run on the same nodes."""

    size: Amounts
    nodes: Sequence[Node]
    pods: list[Pod]


def _alike(snapshot: Snapshot, pods: Iterable[Pod]) -> Sequence[_Alike]:
    """The pods by size and place, the largest first."""
    found: dict[tuple[object, int], _Alike] = {}
    for pod in pods:
        # The same answer for all pods that ask the same of a node, so it tells the places apart.
        nodes, size = nodes_for(snapshot, pod.spec), requested_by(snapshot, pod)
        key = (tuple(sorted(size.items())), id(nodes))
        found.setdefault(key, _Alike({**size, PODS: 1}, nodes, [])).pods.append(pod)
    return sorted(found.values(), key=lambda alike: sorted(alike.size.items()), reverse=True)


def _placed(
    snapshot: Snapshot, size: Amounts, count: int, nodes: Iterable[str], free: dict[str, dict[str, int]]
) -> int:
    """How many of so many pods of one size fit on nodes, which are filled one after the other."""
    needs = [(resource, each) for resource, each in size.items() if each]
    left = count
    for name in nodes:
        if not left:
            break
        if name not in free:
            room = rooms(snapshot)[name]
            free[name] = {resource: room.free(resource) for resource in {*room.allocatable, *room.requested}}
        there = free[name]
        fit = min(left, *(there.get(resource, 0) // each for resource, each in needs))
        for resource, each in needs:
            if fit:
                there[resource] -= fit * each
        left -= fit
    return count - left
