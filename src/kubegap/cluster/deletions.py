"""What is being deleted and still there: what it waits for, and what pods hold meanwhile."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from kubegap.cluster.evidence import Evidence
from kubegap.cluster.fields import Condition
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.extension import CustomResourceDefinition
from kubegap.cluster.kinds.storage import PersistentVolumeClaim
from kubegap.cluster.objects import KubernetesObject, Namespace, Pod
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import pods_by_namespace

T = TypeVar("T", bound=KubernetesObject)
DISCOVERY_FAILURE = "NamespaceDeletionDiscoveryFailure"
_REMAINING = {
    DISCOVERY_FAILURE,
    "NamespaceDeletionGroupVersionParsingFailure",
    "NamespaceDeletionContentFailure",
    "NamespaceContentRemaining",
    "NamespaceFinalizersRemaining",
}
_ONE_NODE = {"ReadWriteOnce", "ReadWriteOncePod"}


def leaving(snapshot: Snapshot, kind: type[T]) -> list[T]:
    """Objects of a kind that are being deleted; the time of a pod's deletion already includes its grace period."""
    return [thing for thing in snapshot.of(kind) if thing.metadata.deletion_timestamp]


def remaining(namespace: Namespace) -> list[Condition]:
    """What the namespace controller says it waits for; finalizers of the namespace itself are not among it."""
    return [found for found in namespace.status.conditions or () if found.type in _REMAINING and found.status == "True"]


def claims_of(pod: Pod) -> Iterator[str]:
    """The names of the claims that a pod mounts."""
    sources = (volume.persistent_volume_claim for volume in pod.spec.volumes or ())
    return (source.claim_name for source in sources if source)


def pods_with(snapshot: Snapshot, claim: PersistentVolumeClaim) -> Sequence[Pod]:
    """The pods on nodes that mount a claim that is being deleted, also those that ended: all of them keep it alive."""
    return _by_claim(snapshot).get((claim.namespace, claim.name), ())


def holds_volume(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether a pod has a volume that no pod on another node can use meanwhile. Reads `v1/persistentvolumeclaims`."""
    return any((pod.namespace, name) in _single(snapshot) for name in claims_of(pod))


def evidence(thing: KubernetesObject) -> Iterator[Evidence]:
    """Since when an object should be gone, its finalizers, its node, and what its status says."""
    since = thing.metadata.deletion_timestamp
    yield Evidence(thing.shown, "metadata.deletionTimestamp", since.isoformat() if since else None)
    if thing.metadata.finalizers:
        yield Evidence(thing.shown, "metadata.finalizers", ", ".join(thing.metadata.finalizers))
    if isinstance(thing, Pod) and thing.spec.node_name:
        yield Evidence(thing.shown, "spec.nodeName", thing.spec.node_name)
    for found in _conditions(thing):
        words = ": ".join(filter(None, (found.status, found.reason, found.message)))
        yield Evidence(thing.shown, f"status.conditions[{found.type}]", words)


def _conditions(thing: KubernetesObject) -> list[Condition]:
    if isinstance(thing, Namespace):
        return remaining(thing)
    if isinstance(thing, CustomResourceDefinition):
        return [found for found in thing.status.conditions or () if found.type == "Terminating"]
    return []


@indexed
def _by_claim(snapshot: Snapshot) -> Mapping[tuple[str | None, str], list[Pod]]:
    found: dict[tuple[str | None, str], list[Pod]] = defaultdict(list)
    # Few namespaces have such claims, and many pods have volumes.
    spaces = {claim.namespace for claim in leaving(snapshot, PersistentVolumeClaim)}
    for pod in (pod for space in spaces for pod in pods_by_namespace(snapshot).get(space, ())):
        if pod.spec.volumes and pod.spec.node_name:
            for name in claims_of(pod):
                found[pod.namespace, name].append(pod)
    return found


@indexed
def _single(snapshot: Snapshot) -> frozenset[tuple[str | None, str]]:
    claims = snapshot.of(PersistentVolumeClaim)
    return frozenset(
        (one.namespace, one.name) for one in claims if _ONE_NODE.issuperset(one.spec.access_modes or ["?"])
    )
