"""Pods that wait for a node, and groups of nodes that cannot bear the loss of one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State, Subject
from kubegap.cluster import capacity
from kubegap.cluster.capacity import Room
from kubegap.cluster.gpus import is_accelerator
from kubegap.cluster.growth import Growth, growth_of
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.ownership import top_of
from kubegap.cluster.placing import HOSTNAME
from kubegap.cluster.providers import is_for_development, is_virtual
from kubegap.cluster.requests import requested_by
from kubegap.cluster.rollouts import deadlocked
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import condition, is_batch, owner_of, runs_on_every_node, workloads

SHOWN = 3


def find(cluster: Snapshot, waiting: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each workload that waits, and one for each group of like nodes that is too full."""
    if guard_virtual(cluster):
        yield Answer(State.NOT_VISIBLE, Message("virtual"))
        return
    for owner, pods in _waiting(cluster, waiting).items():
        yield _pending(owner, pods)
    if guard_development(cluster):
        yield Answer(State.NOT_APPLICABLE, Message("development"))
        return
    for pool, rooms in capacity.pools(cluster).items():
        if full := _full(cluster, rooms, ("cpu", "memory", *pool.accelerators)):
            yield _too_full(cluster, *full)


def guard_virtual(cluster: Snapshot) -> bool:
    """The nodes are shown by a cluster inside another; room is a matter of the outer one."""
    return is_virtual(cluster.of(Node))


def guard_development(cluster: Snapshot) -> bool:
    """A cluster on somebody's machine, or of one node, has nothing to lose a node to."""
    return is_for_development(cluster.of(Node))


def guard_just_waiting(cluster: Snapshot, pod: Pod, waiting: timedelta) -> bool:
    """The pod asked for a node a moment ago; an autoscaler needs some minutes to bring one."""
    unplaced = condition(pod.status.conditions, "PodScheduled")
    return cluster.is_recent(unplaced.last_transition_time if unplaced else None, waiting)


def guard_agent_without_rank(cluster: Snapshot, pod: Pod) -> bool:
    """An agent for every node that has no priority to make room for it: `priority-class-gap` tells it, where pods compete."""
    owner = owner_of(pod)
    is_outranked = runs_on_every_node(owner) and capacity.rank_of(workloads(cluster)[owner]) <= 0
    return is_outranked and not guard_development(cluster)


def guard_waits_for_old(cluster: Snapshot, pod: Pod) -> bool:
    """A new version that waits for GPUs of the old one: `gpu-rollout-needs-surge` tells it."""
    return pod in deadlocked(cluster).get(top_of(cluster, owner_of(pod)), ())


def guard_batch(pod: Pod) -> bool:
    """Work that runs to an end may wait its turn."""
    return is_batch(owner_of(pod), pod)


def guard_pinned(pod: Pod) -> bool:
    """Somebody tied the pod to one node by its name."""
    return HOSTNAME in (pod.spec.node_selector or {})


def guard_grows(cluster: Snapshot) -> bool:
    """An autoscaler brings another node, if quota and addresses let it; clusters that it packs are full on purpose."""
    return growth_of(cluster) is not Growth.NONE


def _waiting(cluster: Snapshot, waiting: timedelta) -> Mapping[Subject, list[Pod]]:
    found: dict[Subject, list[Pod]] = defaultdict(list)
    for pod in capacity.waiting(cluster):
        is_elsewhere = guard_agent_without_rank(cluster, pod) or guard_waits_for_old(cluster, pod)
        if not (is_elsewhere or guard_batch(pod) or guard_just_waiting(cluster, pod, waiting)):
            found[top_of(cluster, owner_of(pod))].append(pod)
    return found


def _pending(owner: Subject, pods: Sequence[Pod]) -> Finding:
    is_vital = any(map(capacity.is_vital, pods))
    reasons = tuple(dict.fromkeys(reason for pod in pods for reason in capacity.reasons_of(pod))) or ("unknown",)
    facts: dict[str, Fact] = {"pods": len(pods), "reasons": reasons}
    unplaced = [(pod, condition(pod.status.conditions, "PodScheduled")) for pod in pods[:SHOWN]]
    return Finding(
        subject=owner,
        severity=Severity.CRITICAL if is_vital else Severity.MEDIUM,
        confidence=Confidence.OBSERVED,
        messages=(Message("vital" if is_vital else "pending", facts),),
        evidence=tuple(
            Evidence(pod.shown, "status.conditions[PodScheduled].message", said.message if said else None)
            for pod, said in unplaced
        ),
        members=tuple(pod.shown for pod in pods),
    )


def _full(cluster: Snapshot, rooms: Sequence[Room], resources: Iterable[str]) -> tuple[Node, Sequence[Pod]] | None:
    """The first of the nodes of which most of some resource is asked whose pods fit nowhere else; None if each can be lost."""
    fullest = (max(rooms, key=lambda room: _load(room, resource)).node for resource in resources)
    for node in {node.name: node for node in fullest}.values():
        left = capacity.unplaced_without(cluster, [node.name])
        if serving := [pod for pod in left if not guard_batch(pod) and not guard_pinned(pod)]:
            return node, serving
    return None


def _load(room: Room, resource: str) -> tuple[int, int, int, str]:
    cpu, memory = (room.requested.get(name, 0) for name in ("cpu", "memory"))
    return room.requested.get(resource, 0), cpu, memory, room.node.name


def _too_full(cluster: Snapshot, node: Node, left: Sequence[Pod]) -> Finding:
    grows = guard_grows(cluster)
    facts: dict[str, Fact] = {"node": node.name, "pods": len(left)}
    return Finding(
        subject=Subject.of(node),
        severity=Severity.LOW if grows else Severity.HIGH,
        confidence=Confidence.CONFIG,
        messages=(Message("full", facts), *([Message("grows")] if grows else [])),
        evidence=tuple(
            Evidence(pod.shown, "spec.containers[*].resources.requests", _size(cluster, pod)) for pod in left[:SHOWN]
        ),
        members=tuple(pod.shown for pod in left),
    )


def _size(cluster: Snapshot, pod: Pod) -> str:
    size = requested_by(cluster, pod)
    devices = [f"{name} {count}" for name, count in sorted(size.items()) if count and is_accelerator(name)]
    return ", ".join([f"cpu {size.get('cpu', 0)}m", f"memory {size.get('memory', 0) // 2**20}Mi", *devices])
