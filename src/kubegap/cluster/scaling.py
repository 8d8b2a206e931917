"""Who changes the number of replicas, and who leads among them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kubegap.cluster.evidence import Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.extension import Lease
from kubegap.cluster.kinds.policy import HorizontalPodAutoscaler
from kubegap.cluster.namespaces import KUBE_NODE_LEASE, is_system_namespace
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template


def autoscaler_of(snapshot: Snapshot, owner: Subject) -> HorizontalPodAutoscaler | None:
    """The autoscaler of a workload, by the object that it scales. Reads `autoscaling/v2/horizontalpodautoscalers`."""
    return _by_target(snapshot).get((owner.kind, owner.namespace, owner.name))


def is_leader_elected(snapshot: Snapshot, template: Template) -> bool:
    """Whether one of the pods holds a Lease, so that the others only stand by. Reads `coordination.k8s.io/v1/leases`.

    Holders write their pod's name, most with `_` and something random behind it, cert-manager with
    `-external-` and its role. The Lease lies beside the pod or in a namespace of the system.
    """
    holders = [*_holders(snapshot).get(template.namespace, ()), *_holders(snapshot).get(None, ())]
    return any(_holds(pod.name, holder) for pod in template.pods for holder in holders)


def _holds(pod: str, holder: str) -> bool:
    return holder == pod or holder.startswith((f"{pod}_", f"{pod}-external-"))


@indexed
def _by_target(snapshot: Snapshot) -> Mapping[tuple[str, str | None, str], HorizontalPodAutoscaler]:
    found = ((one.spec.scale_target_ref, one) for one in snapshot.of(HorizontalPodAutoscaler))
    return {(target.kind, one.namespace, target.name): one for target, one in found}


@indexed
def _holders(snapshot: Snapshot) -> Mapping[str | None, Sequence[str]]:
    """Who holds a Lease in each namespace; under None in all of the system's but those of the nodes."""
    found: dict[str | None, list[str]] = defaultdict(list)
    for lease in snapshot.of(Lease):
        place = lease.namespace or ""
        if place != KUBE_NODE_LEASE:
            found[None if is_system_namespace(place) else place].append(lease.spec.holder_identity or "")
    return found
