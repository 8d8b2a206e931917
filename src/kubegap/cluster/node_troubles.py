"""What nodes say about themselves besides their GPUs, and the pods on them that neither start nor stop.

For pairs that read `v1/nodes` and `v1/pods`. The tables hold what was true on `tables.AS_OF`. Conditions: `config/` of
`kubernetes/node-problem-detector`, documentation of AKS, and of `aws/eks-node-monitoring-agent`.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta

from kubegap.cluster.fields import Condition
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import condition, has_ended

_PRESSURES = {"MemoryPressure", "DiskPressure", "PIDPressure"}
# The status that is bad, by type of condition.
_KNOWN = {
    "NetworkUnavailable": "True",
    "KernelDeadlock": "True",
    "ReadonlyFilesystem": "True",
    "XfsShutdown": "True",
    "CorruptDockerOverlay2": "True",
    "CperHardwareErrorFatal": "True",
    "KubeletUnhealthy": "True",
    "ContainerRuntimeUnhealthy": "True",
    "FrequentKubeletRestart": "True",
    "FrequentDockerRestart": "True",
    "FrequentContainerdRestart": "True",
    "FrequentUnregisterNetDevice": "True",
    "KubeletProblem": "True",
    "ContainerRuntimeProblem": "True",
    "FilesystemCorruptionProblem": "True",
    "KernelReady": "False",
    "NetworkingReady": "False",
    "StorageReady": "False",
    "ContainerRuntimeReady": "False",
}
_UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"
# So many pods that are stuck on one node, and such a share of all that are, speak against the node.
GATHERED, _SHARE = 3, 0.25
_STARTING = {"ContainerCreating", "PodInitializing"}


def readiness(node: Node) -> Condition | None:
    """The kubelet's own condition while it does not say that the node is ready."""
    found = condition(node.status.conditions, "Ready")
    return found if found and found.status != "True" else None


def is_silent(snapshot: Snapshot, node: Node, age: timedelta) -> bool:
    """Whether nobody has told for at least a time that the node is ready, though nothing says that it is not.

    The kubelet renews its status every five minutes at least. False where no time is known.
    """
    told = condition(node.status.conditions, "Ready")
    if told is None:
        return snapshot.time_since(node.metadata.creation_timestamp) is not None
    past = snapshot.time_since(told.last_heartbeat_time)
    return told.status == "True" and past is not None and past >= age


def has_no_status(node: Node) -> bool:
    """Whether it is a node as somebody writes it: never made in a cluster, so that no kubelet stands behind it."""
    return node.metadata.creation_timestamp is None and condition(node.status.conditions, "Ready") is None


def pressures(node: Node) -> list[Condition]:
    """What the node runs short of."""
    return [found for found in node.status.conditions or () if found.type in _PRESSURES and found.status == "True"]


def problems(node: Node) -> list[Condition]:
    """Conditions that say in a known way that the kernel, the runtime, the disk or the network is broken."""
    return [found for found in node.status.conditions or () if _KNOWN.get(found.type) == found.status]


def is_renewed(found: Condition) -> bool:
    """Whether its agent tells the condition again and again, and not only when it changes."""
    beat, turned = found.last_heartbeat_time, found.last_transition_time
    return beat is not None and turned is not None and beat > turned


def is_uninitialized(node: Node) -> bool:
    """Whether the cloud's controller has not taken the node in, so that no pod may run there."""
    return any(taint.key == _UNINITIALIZED for taint in node.spec.taints or ())


def is_stuck(snapshot: Snapshot, pod: Pod, age: timedelta) -> bool:
    """Whether a pod on a node should be gone, or have started, for at least a time."""
    if has_ended(pod) or not pod.spec.node_name:
        return False
    deleted = snapshot.time_since(pod.metadata.deletion_timestamp)
    if deleted is not None:
        return deleted >= age
    created = snapshot.time_since(pod.metadata.creation_timestamp)
    return _is_starting(pod) and created is not None and created >= age


def stuck_pods(snapshot: Snapshot, age: timedelta) -> Mapping[str, Sequence[Pod]]:
    """The stuck pods by the name of their node; one walk over all pods, so ask once."""
    found: dict[str, list[Pod]] = defaultdict(list)
    for pod in snapshot.of(Pod):
        if is_stuck(snapshot, pod, age):
            found[pod.spec.node_name or ""].append(pod)
    return found


def are_deleted(pods: Sequence[Pod]) -> bool:
    """Whether some of stuck pods, and not one or two, are deleted and wait for nothing but their node's kubelet."""
    return sum(bool(one.metadata.deletion_timestamp) and not one.metadata.finalizers for one in pods) >= GATHERED


def are_gathered(pods: Sequence[Pod], total: int) -> bool:
    """Whether so many of all stuck pods are on one node that this speaks against the node."""
    return len(pods) >= max(GATHERED, total * _SHARE)


def crowds(snapshot: Snapshot, age: timedelta) -> Mapping[str, Sequence[Pod]]:
    """The stuck pods of nodes on which they gather."""
    stuck = stuck_pods(snapshot, age)
    total = sum(map(len, stuck.values()))
    return {name: pods for name, pods in stuck.items() if are_gathered(pods, total)}


@indexed
def share_of_unready(snapshot: Snapshot) -> float:
    """How much of the cluster is not ready, from 0 to 1; one node alone is no share."""
    counts = Counter(readiness(node) is None for node in snapshot.of(Node))
    return counts[False] / counts.total() if counts[False] > 1 else 0.0


def _is_starting(pod: Pod) -> bool:
    statuses = pod.status.container_statuses or ()
    waiting = [status.state.waiting for status in statuses if status.state and status.state.waiting]
    return bool(waiting) and len(waiting) == len(statuses) and all(found.reason in _STARTING for found in waiting)
