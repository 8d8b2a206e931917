"""What the suite plants in the real cluster: every gap beside a look-alike, room by room, and canaries where nobody may look.

Each module of this package is one room: it declares `ROOM`. A new one is found by walking.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from tests.control_plane.plane import Plane
from tests.control_plane.putting_up import create_all
from tests.control_plane.world.canaries import CANARY, marked
from tests.control_plane.world.room import Gap, Room
from tests.control_plane.world.settling import wait_until_settled

__all__ = ["CANARY", "GAPS", "LOOK_ALIKES", "PLANTED", "ROOMS", "Gap", "plant"]

_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
ROOMS: list[Room] = [module.ROOM for module in _MODULES if hasattr(module, "ROOM")]
PLANTED: list[Gap] = [gap for room in ROOMS for gap in room.gaps]
GAPS: set[tuple[str, str]] = {(gap.check, gap.subject) for gap in PLANTED}
LOOK_ALIKES: list[tuple[str, str]] = [pair for room in ROOMS for pair in room.look_alikes]


def plant(plane: Plane) -> None:
    """Everything, in an order in which no gap keeps the rest from coming up."""
    create_all(plane, [marked(one) for room in ROOMS for one in room.things])
    wait_until_settled(plane)
    for room in ROOMS:
        room.afterwards(plane)
    plane.create(*(marked(one) for room in ROOMS for one in room.last))
    wait_until_settled(plane)
