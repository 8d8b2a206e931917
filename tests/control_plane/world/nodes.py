"""Nodes that are not ready or report trouble, beside one that an autoscaler takes away and one that is well."""

from tests.control_plane.world.room import HELD, TIMES, Gap, Room, tainted
from tests.silence.objects import SMALL, Thing, node

_LEAVING = {"key": "ToBeDeletedByClusterAutoscaler", "value": "1767225600", "effect": "NoSchedule"}


def _node(name: str, *conditions: Thing, taints: list[Thing] | None = None, held: bool = False) -> Thing:
    pool = tainted("ill")
    labels = {**pool["labels"], **(HELD if held else {})}
    made = node(name, "z0", SMALL, labels=labels, taints=[*pool["taints"], *(taints or [])])
    made["spec"]["unschedulable"] = bool(taints)
    made["status"]["conditions"] = list(conditions)
    return made


def _condition(kind: str, status: str, reason: str) -> Thing:
    return {"type": kind, "status": status, "reason": reason, "message": f"{kind} is {status}", **TIMES}


_DOWN = _condition("Ready", "False", "KubeletNotReady")
ROOM = Room(
    things=[
        _node("lost", _DOWN, held=True),
        _node("leaving", _DOWN, taints=[_LEAVING], held=True),
        _node("frail", _condition("ReadonlyFilesystem", "True", "FilesystemIsReadOnly")),
        _node("sturdy", _condition("ReadonlyFilesystem", "False", "FilesystemIsNotReadOnly")),
    ],
    gaps=[
        Gap("node-condition-bad", "Node/-/lost", {"status.conditions[Ready]": "False: KubeletNotReady: *"}),
        Gap(
            "node-condition-bad",
            "Node/-/frail",
            {"status.conditions[ReadonlyFilesystem]": "True: FilesystemIsReadOnly: ReadonlyFilesystem is True"},
        ),
    ],
    look_alikes=[
        ("nodes-cordoned-forgotten", "Node/-/leaving"),
        ("node-condition-bad", "Node/-/leaving"),
        ("node-condition-bad", "Node/-/sturdy"),
    ],
)
