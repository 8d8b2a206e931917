"""Pods and what they belong to: the top owner of a pod, the pods of an owner, of a node.

Owners are read from the pods themselves, so that no list of ReplicaSets (up to eleven for each Deployment) is needed:
a Deployment names its ReplicaSet `<deployment>-<hash>` and labels the pods with that hash, and so do Argo Rollouts.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from datetime import timedelta
from typing import TypeVar

from kubegap.cluster.evidence import Subject
from kubegap.cluster.fields import Condition, PodCondition
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import KubernetesObject, OwnerReference, Pod
from kubegap.cluster.snapshot import Snapshot

K = TypeVar("K", bound=Hashable)
C = TypeVar("C", Condition, PodCondition)
# The label of the pods that holds the hash, and the owner that sets it.
_HASHES = {
    "pod-template-hash": ("apps/v1", "Deployment"),
    "rollouts-pod-template-hash": ("argoproj.io/v1alpha1", "Rollout"),
}
# Groups whose kinds run pods to an end.
_BATCH_GROUPS = (
    "batch",
    "batch.volcano.sh",
    "jobset.x-k8s.io",
    "kubeflow.org",
    "kueue.x-k8s.io",
    "ray.io",
    "sparkoperator.k8s.io",
    "tekton.dev",
    "trainer.kubeflow.org",
)
# The label that KubeRay gives to all pods of a RayService, whose owner is a RayCluster like any other.
_SERVES = "ray.io/serve"


def owner_of(pod: Pod) -> Subject:
    """The top owner of a pod; the pod itself when nothing owns it, and an owner of an unknown kind as it is."""
    owner = controller_of(pod)
    if owner is None:
        return Subject.of(pod)
    for label, (version, kind) in _HASHES.items():
        name = owner.name.removesuffix(f"-{pod.labels.get(label)}")
        if owner.kind == "ReplicaSet" and name != owner.name:
            return Subject(version, kind, pod.namespace, name)
    # A mirror pod is owned by its node, which has no namespace.
    return Subject(owner.api_version, owner.kind, None if owner.kind == "Node" else pod.namespace, owner.name)


@indexed
def workloads(snapshot: Snapshot) -> Mapping[Subject, tuple[Pod, ...]]:
    """The pods of every top owner."""
    return _grouped((owner_of(pod), pod) for pod in snapshot.of(Pod))


@indexed
def pods_by_node(snapshot: Snapshot) -> Mapping[str, tuple[Pod, ...]]:
    """The pods of every node by its name, those that ended among them; pods without a node are left out."""
    return _grouped((pod.spec.node_name, pod) for pod in snapshot.of(Pod) if pod.spec.node_name)


@indexed
def pods_by_namespace(snapshot: Snapshot) -> Mapping[str | None, tuple[Pod, ...]]:
    """The pods of every namespace."""
    return _grouped((pod.namespace, pod) for pod in snapshot.of(Pod))


def has_ended(pod: Pod) -> bool:
    """Whether a pod ran to its end, well or not, and needs no node any more."""
    return pod.status.phase in {"Succeeded", "Failed"}


def is_staying(pod: Pod) -> bool:
    """Whether a pod has not ended and nobody is deleting it."""
    return not has_ended(pod) and pod.metadata.deletion_timestamp is None


def is_ready(pod: Pod) -> bool:
    """Whether a pod may get traffic, and is not being deleted."""
    ready = condition(pod.status.conditions, "Ready")
    return ready is not None and ready.status == "True" and not pod.metadata.deletion_timestamp


def exit_codes_of(pod: Pod, container: str) -> set[int]:
    """How a container ended, now or the time before: 137 is killed, 135 a bus error."""
    statuses = (status for status in pod.status.container_statuses or () if status.name == container)
    ends = (state.terminated for status in statuses for state in (status.state, status.last_state) if state)
    return {end.exit_code for end in ends if end and end.exit_code is not None}


def is_batch(owner: Subject, pod: Pod) -> bool:
    """Whether a pod runs to an end instead of serving."""
    group = owner.api_version.rpartition("/")[0]
    return (group in _BATCH_GROUPS and _SERVES not in pod.labels) or pod.spec.restart_policy not in {None, "Always"}


def runs_on_every_node(owner: Subject) -> bool:
    """Whether the nodes decide how many pods there are: DaemonSets and the mirrors of static pods."""
    return owner.kind in {"DaemonSet", "Node"}


def is_younger(thing: KubernetesObject, age: timedelta, snapshot: Snapshot) -> bool:
    """Whether an object was created less than a time before the snapshot; False where either is unknown."""
    return snapshot.is_recent(thing.metadata.creation_timestamp, age)


def condition(conditions: Iterable[C] | None, kind: str) -> C | None:
    """The condition of a type."""
    return next((found for found in conditions or () if found.type == kind), None)


def controller_of(thing: KubernetesObject) -> OwnerReference | None:
    """The one owner that makes the object what it is; None for what people make themselves."""
    owners = thing.metadata.owner_references or ()
    return next((owner for owner in owners if owner.controller), None)


def _grouped(pairs: Iterable[tuple[K, Pod]]) -> dict[K, tuple[Pod, ...]]:
    groups: dict[K, list[Pod]] = defaultdict(list)
    for key, pod in pairs:
        groups[key].append(pod)
    return {key: tuple(pods) for key, pods in groups.items()}
