"""How far reading is, for those who wait."""

from msgspec import Struct


class Progress(Struct, frozen=True):
    """The kind or file in hand, its objects so far, all objects, and the seconds since the start."""

    name: str
    objects: int
    total: int
    seconds: float
