"""GPU nodes and GPU workloads: what a node should offer, what it offers, and who its peers are.

Labels are those of NVIDIA's GPU Feature Discovery and GPU Operator.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

from kubegap.cluster import quantities
from kubegap.cluster.containers import Quantity
from kubegap.cluster.indexing import indexed
from kubegap.cluster.node_troubles import is_ready
from kubegap.cluster.objects import Node, Pod, ResourceSlice
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, pods_by_node

GPU = "nvidia.com/gpu"
SHARED = "nvidia.com/gpu.shared"
COUNT = "nvidia.com/gpu.count"
PRODUCT = "nvidia.com/gpu.product"
REPLICAS = "nvidia.com/gpu.replicas"
MIG_CONFIG = "nvidia.com/mig.config"
MIG_STATE = "nvidia.com/mig.config.state"
UPGRADE_STATE = "nvidia.com/gpu-driver-upgrade-state"
WORKLOAD_CONFIG = "nvidia.com/gpu.workload.config"

_INSTANCE_TYPE = "node.kubernetes.io/instance-type"
_MIG_STRATEGY = "nvidia.com/mig.strategy"
_NAMES = {
    GPU,
    SHARED,
    "amd.com/gpu",
    "habana.ai/gaudi",
    "gpu.intel.com/i915",
    "gpu.intel.com/xe",
    "google.com/tpu",
    "aws.amazon.com/neuron",
    "aws.amazon.com/neurondevice",
    "aws.amazon.com/neuroncore",
}
_MIG = "nvidia.com/mig-"
_DEPLOY = "nvidia.com/gpu.deploy."
_PAUSED = "paused-for-mig-change"
# States of the GPU Operator in which it does nothing to the node now: done, failed, or not its turn yet.
_AT_REST = {"", "upgrade-done", "upgrade-failed", "upgrade-required"}
_DRIVERS = {"gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com", "tpu.google.com", "neuron.aws.com"}
# What makes nodes the same hardware, set up in the same way.
_PEER_LABELS = (_INSTANCE_TYPE, PRODUCT, _MIG_STRATEGY, MIG_CONFIG, REPLICAS, WORKLOAD_CONFIG)


def is_accelerator(resource: str) -> bool:
    """Whether a resource name means GPUs, parts of them, or other accelerators."""
    return resource in _NAMES or resource.startswith(_MIG)


def accelerators(quantities_: Mapping[str, Quantity] | None) -> dict[str, int]:
    """How many of each accelerator stand in a list of quantities, those with none included."""
    return {name: quantities.count(quantities_, name) for name in quantities_ or () if is_accelerator(name)}


def is_gpu_node(node: Node) -> bool:
    """Whether a node has accelerators, or is labelled as if it had."""
    labelled = node.labels.get(COUNT, "0") != "0" or PRODUCT in node.labels
    return labelled or any(accelerators(node.status.capacity).values())


def is_gpu_pod(pod: Pod) -> bool:
    """Whether a pod asks for accelerators, by resource or by claim."""
    limits = (container.resources.limits for container in pod.spec.containers or () if container.resources)
    return bool(pod.spec.resource_claims) or any(any(accelerators(limit).values()) for limit in limits)


def gpu_pods_on(snapshot: Snapshot, node: Node) -> list[Pod]:
    """The pods on a node that use accelerators and have not ended."""
    there = pods_by_node(snapshot).get(node.name, ())
    return [pod for pod in there if is_gpu_pod(pod) and not has_ended(pod)]


def number(node: Node, label: str) -> int:
    """A label that holds a number; 0 when it is missing or holds none."""
    value = node.labels.get(label, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0


def expected_by_label(node: Node) -> int:
    """GPUs found on the node, times the parts that each is shared in."""
    return number(node, COUNT) * max(number(node, REPLICAS), 1)


def offers_mig(node: Node) -> bool:
    """Whether the node offers parts of GPUs, each kind under its own name."""
    return any(count for name, count in accelerators(node.status.allocatable).items() if name.startswith(_MIG))


def is_mig_stuck(node: Node) -> bool:
    """Whether a change of MIG that has not succeeded keeps the node's GPU pods paused."""
    paused = any(key.startswith(_DEPLOY) and value == _PAUSED for key, value in node.labels.items())
    return paused or node.labels.get(MIG_STATE) in {"pending", "rebooting", "failed"}


def is_driver_changing(node: Node) -> bool:
    """Whether the GPU Operator is changing the driver now; a change that failed, or waits for its turn, is none."""
    return node.labels.get(UPGRADE_STATE, "") not in _AT_REST


def pool_of(node: Node) -> tuple[str | None, ...]:
    """The hardware of a node and how it is set up: nodes of one pool should offer the same."""
    return tuple(node.labels.get(label) for label in _PEER_LABELS)


@indexed
def pools(snapshot: Snapshot) -> Mapping[tuple[str | None, ...], list[Node]]:
    """The GPU nodes by pool."""
    found: dict[tuple[str | None, ...], list[Node]] = defaultdict(list)
    for node in snapshot.of(Node):
        if is_gpu_node(node):
            found[pool_of(node)].append(node)
    return found


def offered(node: Node) -> int:
    """All accelerators that pods can have, of whatever name."""
    return sum(accelerators(node.status.allocatable).values())


def offers_of_peers(snapshot: Snapshot, node: Node) -> Counter[int]:
    """How many other Ready nodes of the pool offer how many accelerators."""
    counts = _offers(snapshot)[pool_of(node)].copy()
    if is_ready(node):
        counts[offered(node)] -= 1
    return +counts


@indexed
def _offers(snapshot: Snapshot) -> Mapping[tuple[str | None, ...], Counter[int]]:
    found = pools(snapshot).items()
    return {pool: Counter(offered(node) for node in nodes if is_ready(node)) for pool, nodes in found}


@indexed
def nodes_with_claimable_devices(snapshot: Snapshot) -> frozenset[str]:
    """Nodes whose accelerators are offered through dynamic resource allocation."""
    slices = (part.spec for part in snapshot.of(ResourceSlice))
    return frozenset(part.node_name for part in slices if part.node_name and part.driver in _DRIVERS)
