"""Namespaces, pods, definitions, claims and nodes that were deleted long ago and are still there."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.deletions import DISCOVERY_FAILURE, T, evidence, holds_volume, leaving, pods_with, remaining
from kubegap.cluster.gpus import is_gpu_pod
from kubegap.cluster.growth import is_leaving
from kubegap.cluster.kinds.extension import CustomResourceDefinition
from kubegap.cluster.kinds.storage import PersistentVolumeClaim
from kubegap.cluster.node_troubles import GATHERED, are_deleted, crowds, readiness
from kubegap.cluster.objects import KubernetesObject, Namespace, Node, Pod
from kubegap.cluster.ownership import top_of
from kubegap.cluster.placing import nodes_by_name
from kubegap.cluster.providers import is_virtual
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, is_staying, owner_of, pods_by_namespace

NEVER = datetime.max.replace(tzinfo=UTC)
# Notes that make it worse than that something is merely left over.
SERIOUS = {"discovery", "in-use", "definition", "claim-in-use", "gpus", "volumes"}
SHOWN = 3
_JOB_TRACKING = "batch.kubernetes.io/job-tracking"


def find(
    cluster: Snapshot, namespace: timedelta, definition: timedelta, pod: timedelta, claim: timedelta, node: timedelta
) -> Iterator[Finding]:
    """One finding for each object, and for pods one for what they have in common: their node, or their owner."""
    spaces = _late(cluster, Namespace, namespace)
    for space in spaces:
        alive = [one for one in pods_by_namespace(cluster).get(space.name, ()) if is_staying(one)]
        yield _finding([space], ["namespace", *_reasons(space), *(["in-use"] if alive else [])], alive)
    for kind, key, wait in ((CustomResourceDefinition, "definition", definition), (Node, "node", node)):
        yield from (_finding([thing], [key, *_held(thing)]) for thing in _late(cluster, kind, wait))
    told = {space.name for space in spaces}
    pods = [one for one in _late(cluster, Pod, pod) if not (guard_inside(one, told) or guard_job_tracking(one))]
    told_elsewhere = _nodes_told(cluster, pod)
    for subject, group in _groups(cluster, pods, told_elsewhere).items():
        about = list(_about(cluster, subject, group))
        if not guard_node_told(subject, told_elsewhere, about):
            yield _finding(group, about, subject=subject)
    for one in _late(cluster, PersistentVolumeClaim, claim):
        users = pods_with(cluster, one)
        if not (guard_inside(one, told) or guard_pods_leave(users)):
            yield _finding([one], ["claim-in-use" if any(map(is_staying, users)) else "claim", *_held(one)], users)


def guard_just_deleted(cluster: Snapshot, thing: KubernetesObject, wait: timedelta) -> bool:
    """It may still take this long, or its grace period is not over."""
    since = cluster.time_since(thing.metadata.deletion_timestamp)
    return since is None or since < wait


def guard_inside(thing: KubernetesObject, spaces: Collection[str]) -> bool:
    """Its namespace is being deleted and is told as a whole."""
    return thing.namespace in spaces


def guard_job_tracking(pod: Pod) -> bool:
    """The pod ended, and the Job controller has only to count it."""
    return has_ended(pod) and pod.metadata.finalizers == [_JOB_TRACKING]


def guard_node_told(subject: Subject, told_elsewhere: Collection[Subject], about: Collection[str]) -> bool:
    """`node-condition-bad` tells of the node, and the pods hold nothing that others wait for."""
    return subject in told_elsewhere and SERIOUS.isdisjoint(about)


def guard_pods_leave(users: Sequence[Pod]) -> bool:
    """All pods that mount the claim are being deleted themselves, and are told of if they stay."""
    return bool(users) and all(user.metadata.deletion_timestamp for user in users)


def _late(cluster: Snapshot, kind: type[T], wait: timedelta) -> list[T]:
    return [thing for thing in leaving(cluster, kind) if not guard_just_deleted(cluster, thing, wait)]


def _reasons(space: Namespace) -> Iterator[str]:
    """What the namespace waits for, by its conditions and by its own finalizers."""
    types = {found.type for found in remaining(space)}
    yield from ["discovery"] if DISCOVERY_FAILURE in types else []
    yield from ["content"] if types - {DISCOVERY_FAILURE} else []
    yield from _held(space)


def _held(*things: KubernetesObject) -> list[str]:
    return ["finalizers"] if any(thing.metadata.finalizers for thing in things) else []


def _nodes_told(cluster: Snapshot, wait: timedelta) -> set[Subject]:
    """The nodes that are not ready, or on which deleted pods gather together with such as do not start."""
    if is_virtual(cluster.of(Node)):
        return set()
    mixed = {name for name, pods in crowds(cluster, wait).items() if not are_deleted(pods)}
    staying = (node for node in cluster.of(Node) if not is_leaving(node))
    return {Subject.of(node) for node in staying if readiness(node) or node.name in mixed}


def _groups(cluster: Snapshot, pods: Sequence[Pod], bad: Collection[Subject]) -> Mapping[Subject, list[Pod]]:
    """By the node where it is bad or where pods gather that only its kubelet can end; else by the top owner."""
    nodes = nodes_by_name(cluster)
    waiting = Counter(pod.spec.node_name for pod in pods if not pod.metadata.finalizers)
    found: dict[Subject, list[Pod]] = defaultdict(list)
    for pod in pods:
        node = nodes.get(pod.spec.node_name or "")
        is_crowd = not pod.metadata.finalizers and waiting[pod.spec.node_name] >= GATHERED
        is_node = node and (readiness(node) or is_crowd or Subject.of(node) in bad)
        found[Subject.of(node) if node and is_node else top_of(cluster, owner_of(pod))].append(pod)
    return found


def _about(cluster: Snapshot, subject: Subject, pods: Sequence[Pod]) -> Iterator[str]:
    yield "node-pods" if subject.kind == "Node" else "pods"
    yield from _held(*pods)
    yield from ["gpus"] if any(map(is_gpu_pod, pods)) else []
    yield from ["volumes"] if any(holds_volume(cluster, pod) for pod in pods) else []


def _finding(
    things: Sequence[KubernetesObject], told: list[str], users: Sequence[Pod] = (), subject: Subject | None = None
) -> Finding:
    """What waits longest stands first; `users` are pods that are still at work there."""
    things = sorted(things, key=lambda thing: (thing.metadata.deletion_timestamp or NEVER, thing.shown))
    since, finalizers = things[0].metadata.deletion_timestamp, [thing.metadata.finalizers or () for thing in things]
    facts: dict[str, Fact] = {
        "since": f"{since:%Y-%m-%dT%H:%MZ}" if since else "",
        "count": len(things),
        "users": len(users),
        "finalizers": tuple(dict.fromkeys(f"`{name}`" for names in finalizers for name in names)),
    }
    seen = [*(one for thing in things[:SHOWN] for one in evidence(thing))]
    seen += (Evidence(user.shown, "status.phase", user.status.phase) for user in users[:SHOWN])
    return Finding(
        subject=subject or Subject.of(things[0]),
        severity=Severity.MEDIUM if SERIOUS.isdisjoint(told) else Severity.HIGH,
        confidence=Confidence.OBSERVED,
        messages=tuple(Message(key, facts) for key in told),
        evidence=tuple(seen),
        members=tuple(thing.shown for thing in (*things, *users) if subject or thing in users),
    )
