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
_STARTING = {"ContainerCreating", "PodInitializing"}


def is_ready(node: Node) -> bool:
    """Whether the kubelet says that the node is ready."""
    found = condition(node.status.conditions, "Ready")
    return found is not None and found.status == "True"


def readiness(node: Node) -> Condition | None:
    """The kubelet's own condition while it does not say that the node is ready."""
    return None if is_ready(node) else condition(node.status.conditions, "Ready")


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


@indexed
def share_of_unready(snapshot: Snapshot) -> float:
    """How much of the cluster is not ready, from 0 to 1; one node alone is no share."""
    counts = Counter(is_ready(node) for node in snapshot.of(Node))
    return counts[False] / counts.total() if counts[False] > 1 else 0.0


def _is_starting(pod: Pod) -> bool:
    statuses = pod.status.container_statuses or ()
    waiting = [status.state.waiting for status in statuses if status.state and status.state.waiting]
    return bool(waiting) and len(waiting) == len(statuses) and all(found.reason in _STARTING for found in waiting)
