"""Cordons: since when a node takes no new pods, and what on it says who holds it.

`kubectl cordon` leaves no trace of who did it or why; the time is that of the taint which the node controller adds, in
`pkg/controller/util/node` of `kubernetes/kubernetes`. Marks of holders are those of NVSentinel, of CoreWeave, and of kured with
`--annotate-nodes`, as of November 2026.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from msgspec import structs

from kubegap.cluster.capacity import reasons_of, waiting
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import CORDON, may_run, wishes_of
from kubegap.cluster.snapshot import Snapshot

# Labels or annotations that a tool sets for as long as it holds a node, weightiest first.
MARKS = (
    "k8saas.nvidia.com/cordon-by",
    "k8s.nvidia.com/cordon-by",
    "node.coreweave.cloud/cordonReason",
    "weave.works/kured-reboot-in-progress",
)


def cordoned_since(node: Node) -> datetime | None:
    """When the node was cordoned; None where it is not, or where nobody noted the time, as in manifests."""
    times = (taint.time_added for taint in node.spec.taints or () if taint.key == CORDON.key)
    return next(times, None) if node.spec.unschedulable else None


def holder_of(node: Node) -> tuple[str, str] | None:
    """The label or annotation by which a tool says that it holds the node, and its value."""
    found = {**node.annotations, **node.labels}
    return next(((mark, found[mark]) for mark in MARKS if mark in found), None)


def waiting_for(snapshot: Snapshot, node: Node) -> int:
    """How many pods that wait for cordons, among other reasons, might run on a node without its own. Reads `v1/pods`."""
    opened = uncordoned(node)
    return sum(len(alike) for alike in _kept_waiting(snapshot).values() if may_run(alike[0].spec, opened))


def uncordoned(node: Node) -> Node:
    """The node as it would be without its cordon, to ask which pods might run there."""
    taints = [taint for taint in node.spec.taints or () if taint.key != CORDON.key]
    return structs.replace(node, spec=structs.replace(node.spec, unschedulable=None, taints=taints))


@indexed
def _kept_waiting(snapshot: Snapshot) -> Mapping[bytes, list[Pod]]:
    """The pods for which cordons are among the scheduler's reasons, by what they ask of a node."""
    found: dict[bytes, list[Pod]] = defaultdict(list)
    for pod in waiting(snapshot):
        if "cordoned" in reasons_of(pod):
            found[wishes_of(pod.spec)].append(pod)
    return found
