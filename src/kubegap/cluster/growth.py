"""Whether somebody adds nodes when pods wait.

For pairs that read `v1/nodes` and `v1/pods`. The autoscalers of GKE and AKS run where nobody sees them, so on these nothing seen
says nothing.
"""

from collections.abc import Iterator
from enum import StrEnum

from kubegap.cluster.evidence import Evidence
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.programs import Program, runs
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import templates
from kubegap.cluster.workloads import has_ended

_KARPENTER = {"karpenter.sh/nodepool", "karpenter.sh/provisioner-name"}
# Labels that only nodes have which an autoscaler made.
_MADE = {*_KARPENTER, "eks.amazonaws.com/compute-type"}
_LEAVING = {
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
    "karpenter.sh/disrupted",
    "karpenter.sh/disruption",
}
_HIDDEN = {"gke", "aks"}


class Growth(StrEnum):
    """Whether nodes are added: somebody does, nobody does, or it cannot be seen here."""

    SEEN = "seen"
    HIDDEN = "hidden"
    NONE = "none"


@indexed
def growth_of(snapshot: Snapshot) -> Growth:
    """Told by the pods of an autoscaler, or by the labels of nodes that one made."""
    made = any(not _MADE.isdisjoint(node.labels) for node in snapshot.of(Node))
    if made or any(runs(pod.spec, {Program.NODE_AUTOSCALER}) for pod in snapshot.of(Pod) if not has_ended(pod)):
        return Growth.SEEN
    return Growth.HIDDEN if snapshot.provider in _HIDDEN else Growth.NONE


@indexed
def movers(snapshot: Snapshot) -> tuple[str, ...]:
    """Who moves running pods to other nodes unasked: `karpenter`, `descheduler`. Reads the group `workloads` besides."""
    by_karpenter = any(not _KARPENTER.isdisjoint(node.labels) for node in snapshot.of(Node))
    wanted = (template for template in templates(snapshot) if not template.is_suspended)
    is_descheduled = any(runs(template.spec, {Program.DESCHEDULER}) for template in wanted)
    return (*(("karpenter",) if by_karpenter else ()), *(("descheduler",) if is_descheduled else ()))


def is_leaving(node: Node) -> bool:
    """Whether the node is being deleted, or an autoscaler has chosen it for that."""
    return any(leave_marks(node))


def leave_marks(node: Node) -> Iterator[Evidence]:
    """The fields that say so."""
    if since := node.metadata.deletion_timestamp:
        yield Evidence(node.shown, "metadata.deletionTimestamp", since.isoformat())
    for taint in node.spec.taints or ():
        if taint.key in _LEAVING:
            yield Evidence(node.shown, f"spec.taints[{taint.key}].effect", taint.effect)
