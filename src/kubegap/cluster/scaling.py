"""Who changes the number of replicas, and who leads among them."""

from collections import defaultdict
from collections.abc import Mapping

from kubegap.cluster.evidence import Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.extension import Lease
from kubegap.cluster.kinds.policy import HorizontalPodAutoscaler
from kubegap.cluster.namespaces import KUBE_SYSTEM
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template


def autoscaler_of(snapshot: Snapshot, owner: Subject) -> HorizontalPodAutoscaler | None:
    """The autoscaler of a workload, by the object that it scales. Reads `autoscaling/v2/horizontalpodautoscalers`."""
    return _by_target(snapshot).get((owner.kind, owner.namespace, owner.name))


def wanted_replicas(snapshot: Snapshot, template: Template) -> int:
    """Pods that are wanted at once, or the least that an autoscaler keeps, if that is more.

    Manifests leave the number to the autoscaler, and silence would mean one. Reads `autoscaling/v2/horizontalpodautoscalers`.
    """
    autoscaler = autoscaler_of(snapshot, template.owner)
    return max(template.replicas, (autoscaler.spec.min_replicas or 0) if autoscaler else 0)


def is_leader_elected(snapshot: Snapshot, template: Template) -> bool:
    """Whether one of the pods holds a Lease, so that the others only stand by. Reads `coordination.k8s.io/v1/leases`.

    Holders write their pod's name, most with `_` and something random behind it, some with `-external-` and what they are. The
    Lease is in the pod's namespace or in kube-system, as that of cert-manager is.
    """
    holders = _holders(snapshot)
    known = holders.get(template.namespace, set()) | holders.get(KUBE_SYSTEM, set())
    return any(pod.name in known for pod in template.pods)


@indexed
def _by_target(snapshot: Snapshot) -> Mapping[tuple[str, str | None, str], HorizontalPodAutoscaler]:
    found = ((one.spec.scale_target_ref, one) for one in snapshot.of(HorizontalPodAutoscaler))
    return {(target.kind, one.namespace, target.name): one for target, one in found}


@indexed
def _holders(snapshot: Snapshot) -> Mapping[str | None, set[str]]:
    found: dict[str | None, set[str]] = defaultdict(set)
    for lease in snapshot.of(Lease):
        found[lease.namespace].add((lease.spec.holder_identity or "").partition("_")[0].partition("-external-")[0])
    return found
