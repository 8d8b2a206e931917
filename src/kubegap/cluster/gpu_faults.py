"""What nodes and pods say about broken GPUs: conditions of health agents, Xids, refusals of the kubelet.

The tables hold what was true on `tables.AS_OF`. Conditions: documentation of AKS (node problem detector), of the EKS node
monitoring agent and of NVSentinel. Xids that are the application's fault: `ignoredXids` in
`NVIDIA/k8s-device-plugin` `internal/rm/health.go` at v0.20.0.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta

from msgspec import Struct

from kubegap.cluster.fields import Condition
from kubegap.cluster.gpus import is_accelerator, is_gpu_node
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import BLOCKING
from kubegap.cluster.snapshot import Snapshot

APPLICATION_XIDS = frozenset({13, 31, 43, 45, 68, 109})
# The status that is bad, by type of condition.
_KNOWN = {
    "AcceleratedHardwareReady": "False",
    "GPUMissing": "True",
    "NVLinkStatusInactive": "True",
    "XIDErrors": "True",
    "IBLinkFlapping": "True",
    "GPUClockThrottling": "True",
    "UnhealthyNvidiaDevicePlugin": "True",
    "GpuMemWatch": "True",
    "GpuPcieWatch": "True",
    "GpuNvlinkWatch": "True",
    "GpuThermalWatch": "True",
    "GpuPowerWatch": "True",
    "GpuInforomWatch": "True",
    "GpuDriverWatch": "True",
    "GpuXidWatch": "True",
    "GpuXidError": "True",
    "GpuNvswitchFatalWatch": "True",
    "GpuSmWatch": "True",
    "GpuMcuWatch": "True",
    "GpuPmuWatch": "True",
    "GpuAllWatch": "True",
    "GpuThermalMarginWatch": "True",
    "SysLogsXIDError": "True",
    "SysLogsSXIDError": "True",
    "SysLogsGPUFallenOff": "True",
}
_GPU_WORDS = re.compile(r"gpu|xid|nvlink|nvswitch|infiniband|\bib[A-Z]|ecc(?!e)|accelerator", re.IGNORECASE)
_GOOD_WHEN_TRUE = ("Ready", "Healthy", "Available", "Ok", "OK")
_XIDS = re.compile(r"Xid \(PCI:[0-9a-f:.]+\): (\d+)|\bXid[ =:]+(\d+)|\bErrorCode:(\d+)", re.IGNORECASE)
_REFUSED = "UnexpectedAdmissionError"
_LOST = re.compile(
    r"GPU is lost|fallen off the bus|Unable to determine the device handle|unhealthy device", re.IGNORECASE
)


class Signal(Struct, frozen=True):
    """A node and what it says."""

    node: Node
    condition: Condition


def bad_conditions(node: Node) -> list[Condition]:
    """Conditions that say in a known way that a GPU or its links are broken."""
    return [found for found in node.status.conditions or () if _KNOWN.get(found.type) == found.status]


def doubtful_conditions(node: Node) -> list[Condition]:
    """Conditions that speak of GPUs and look bad, of agents that are not known here."""
    unknown = [found for found in node.status.conditions or () if found.type not in _KNOWN]
    return [found for found in unknown if _GPU_WORDS.search(found.type) and found.status == _looks_bad(found.type)]


def xids_of(found: Condition) -> tuple[int, ...]:
    """The Xids that a condition names, each once, in order."""
    matches = _XIDS.finditer(f"{found.reason or ''} {found.message or ''}")
    return tuple(dict.fromkeys(int(next(filter(None, match.groups()))) for match in matches))


def is_refused_for_lost_gpu(pod: Pod) -> bool:
    """Whether the kubelet refused a pod because the device plugin met a GPU that is gone."""
    return pod.status.reason == _REFUSED and bool(_LOST.search(pod.status.message or ""))


@indexed
def watched_nodes(snapshot: Snapshot) -> list[Node]:
    """The nodes that have GPUs or say something bad about them."""
    return [node for node in snapshot.of(Node) if is_gpu_node(node) or bad_conditions(node)]


@indexed
def signals(snapshot: Snapshot) -> Mapping[tuple[str, str | None], list[Signal]]:
    """The nodes that say the same, by type and reason of the bad condition."""
    found: dict[tuple[str, str | None], list[Signal]] = defaultdict(list)
    for node in watched_nodes(snapshot):
        for bad in bad_conditions(node):
            found[bad.type, bad.reason].append(Signal(node, bad))
    return found


def is_quarantined(snapshot: Snapshot, node: Node) -> bool:
    """Whether a taint keeps pods off that use GPUs: one that names no accelerator and that no healthy peer bears."""
    keys = {taint.key for taint in node.spec.taints or () if taint.effect in BLOCKING}
    return not keys <= _pool_taints(snapshot) | {key for key in keys if is_accelerator(key)}


def is_from_birth(signal: Signal, birth: timedelta) -> bool:
    """Whether a condition turned bad before the node was of that age."""
    created, turned = signal.node.metadata.creation_timestamp, signal.condition.last_transition_time
    return created is not None and turned is not None and turned - created < birth


@indexed
def _pool_taints(snapshot: Snapshot) -> frozenset[str]:
    """Taints that nodes bear with nothing wrong on them: they say what a pool is for."""
    well = (node for node in watched_nodes(snapshot) if not bad_conditions(node))
    return frozenset(taint.key for node in well for taint in node.spec.taints or ())


def _looks_bad(kind: str) -> str:
    return "False" if kind.endswith(_GOOD_WHEN_TRUE) else "True"
