"""What nodes and pods say about broken GPUs: conditions of health agents, Xids, refusals of the kubelet.

The tables hold what was true on `AS_OF`. Conditions: documentation of AKS (node problem detector), of the EKS node
monitoring agent and of NVSentinel. Xids that are the application's fault: `ignoredXids` in
`NVIDIA/k8s-device-plugin` `internal/rm/health.go` at v0.20.0.
"""

import re
from datetime import UTC, datetime, timedelta

from kubegap.cluster.fields import Condition
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.snapshot import Snapshot

AS_OF = datetime(2026, 11, 30, tzinfo=UTC)
_GOOD_FOR = timedelta(days=365)

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


def refused_for_lost_gpu(pod: Pod) -> bool:
    """Whether the kubelet refused a pod because the device plugin met a GPU that is gone."""
    return pod.status.reason == _REFUSED and bool(_LOST.search(pod.status.message or ""))


def are_tables_old(snapshot: Snapshot) -> bool:
    """Whether the tables are so old that a reader should know."""
    return snapshot.source.read_at is not None and snapshot.source.read_at - AS_OF > _GOOD_FOR


def _looks_bad(kind: str) -> str:
    return "False" if kind.endswith(_GOOD_WHEN_TRUE) else "True"
