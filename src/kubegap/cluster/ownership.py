"""Who stands at the top: from what owns a pod up to what nobody owns, as far as the owners were read.

For pairs that read the group `workloads`. A Job leads to its CronJob or JobSet, a Deployment to the custom resource that
an operator made it from, also where that resource itself was not read.
"""

from collections.abc import Iterator, Mapping

from kubegap.cluster.evidence import Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.workload import Workload
from kubegap.cluster.objects import KubernetesObject, Pod
from kubegap.cluster.resources import GROUPS, RESOURCES
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import controller_of, owner_of, workloads

_POD = Pod.resource.kind
_VERSIONS = {(kind.resource.group, kind.resource.kind): kind.resource.api_version for kind in RESOURCES.values()}


@indexed
def objects_by_subject(snapshot: Snapshot) -> Mapping[Subject, Workload]:
    """Every workload that was read and is not over, by what findings call it."""
    kinds = (kind for path in GROUPS["workloads"] if issubclass(kind := RESOURCES[path], Workload))
    return {Subject.of(thing): thing for kind in kinds for thing in snapshot.of(kind) if not thing.has_ended}


@indexed
def pods_by_owner(snapshot: Snapshot) -> Mapping[Subject, tuple[Pod, ...]]:
    """The pods of what owns them directly, a Deployment in place of its ReplicaSets."""
    found: dict[Subject, tuple[Pod, ...]] = {}
    for owner, pods in workloads(snapshot).items():
        known = _in_our_version(owner)
        found[known] = (*found.get(known, ()), *pods)
    return found


def line_of(snapshot: Snapshot, subject: Subject) -> Iterator[Subject]:
    """The subject, its owner, the owner of that, and so on; owners that own each other end it."""
    parents, seen = _parents(snapshot), set()
    while subject not in seen:
        yield subject
        seen.add(subject)
        subject = parents.get(subject, subject)


def line_of_pod(snapshot: Snapshot, pod: Pod) -> Iterator[Subject]:
    """What owns a pod directly, the owner of that, and so on; the pod itself where nothing owns it."""
    return line_of(snapshot, _in_our_version(owner_of(pod)))


def top_of(snapshot: Snapshot, subject: Subject) -> Subject:
    """Who stands at the top of a subject."""
    return list(line_of(snapshot, subject))[-1]


@indexed
def _parents(snapshot: Snapshot) -> Mapping[Subject, Subject]:
    things = objects_by_subject(snapshot).items()
    found = {subject: parent for subject, thing in things if (parent := _parent(thing))}
    # Workers of a LeaderWorkerSet are owned by their leader, which is a pod.
    leaders = {parent for parent in found.values() if parent.kind == _POD}
    pods = (pod for pod in snapshot.of(Pod) if leaders and Subject.of(pod) in leaders)
    return found | {Subject.of(pod): _in_our_version(owner_of(pod)) for pod in pods}


def _parent(thing: KubernetesObject) -> Subject | None:
    owner = controller_of(thing)
    return _in_our_version(Subject(owner.api_version, owner.kind, thing.namespace, owner.name)) if owner else None


def _in_our_version(subject: Subject) -> Subject:
    """References may name another version of a kind than the one that is read."""
    group = subject.api_version.rpartition("/")[0]
    version = _VERSIONS.get((group, subject.kind), subject.api_version)
    return (
        subject if version == subject.api_version else Subject(version, subject.kind, subject.namespace, subject.name)
    )
