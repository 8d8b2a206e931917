"""Nodes with fewer GPUs than they should have, or with a broken one, beside their like and one that is out of service."""

from tests.control_plane.world.room import TIMES, Gap, Room
from tests.silence.objects import Thing, node

GPUS = {"nvidia.com/gpu": "8"}
TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
TOLERATION = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
HUGE = {"cpu": "192", "memory": "2048Gi", "pods": "110"}


def gpu_node(name: str, pool: str, *conditions: Thing, offers: str = "8", cordoned: bool = False) -> Thing:
    """A node with eight GPUs, of which it offers as many as told."""
    labels = {"nvidia.com/gpu.product": "NVIDIA-H100", "nvidia.com/gpu.count": "8", "pool": pool}
    made = node(name, "z0", HUGE, labels=labels, taints=[TAINT], holds=GPUS)
    made["spec"]["unschedulable"] = cordoned
    made["status"]["allocatable"]["nvidia.com/gpu"] = offers
    made["status"]["conditions"] = list(conditions)
    return made


_BROKEN = {"type": "GpuXidError", "status": "True", "reason": "Xid79", "message": "Xid 79", **TIMES}
ROOM = Room(
    things=[
        gpu_node("gpu-short", "gpu", offers="7"),
        gpu_node("gpu-broken", "gpu", _BROKEN),
        gpu_node("gpu-broken-cordoned", "gpu", {**_BROKEN, "type": "GpuMemWatch"}, cordoned=True),
        *(gpu_node(f"gpu-{number}", "gpu") for number in range(4)),
    ],
    gaps=[
        Gap("gpu-allocatable-gap", "Node/-/gpu-short", {'status.allocatable["nvidia.com/gpu"]': "7"}),
        Gap("gpu-node-fault-schedulable", "Node/-/gpu-broken", {"status.conditions[GpuXidError]": "True: Xid79: Xid 79"}),
        # What keeps new pods off a broken node is a gap of its own once nobody comes back to it.
        Gap("nodes-cordoned-forgotten", "Node/-/gpu-broken-cordoned", {"spec.unschedulable": "true"}),
    ],
    look_alikes=[
        ("gpu-allocatable-gap", "Node/-/gpu-0"),
        ("gpu-node-fault-schedulable", "Node/-/gpu-broken-cordoned"),
    ],
)  # fmt: skip
