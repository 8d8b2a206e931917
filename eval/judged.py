"""The judged queries: two files, of which the held-out one is never looked at while tuning."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from kubegap.library import strict_yaml
from kubegap.text import Lang

HERE = Path(__file__).parent
HALVES = ("development", "held_out")

Kind = Literal["same", "cross", "log"]


class Judged(Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """A query with the records that answer it, graded 1 to 3, and the values that should be recognised (`facet:id`)."""

    id: str
    kind: Kind
    lang: Lang
    q: str
    grades: dict[str, int]
    note: str
    recognised: list[str] | None = None


def read(half: str) -> list[Judged]:
    """The queries of one half; raises `msgspec.ValidationError` with the path of what does not fit."""
    parsed = strict_yaml.parse((HERE / f"{half}.yaml").read_bytes())
    if parsed.faults:
        raise ValueError(f"{half}.yaml:{parsed.faults[0].mark.line}: {parsed.faults[0].message.en}")
    return msgspec.convert(parsed.root, list[Judged], strict=False)
