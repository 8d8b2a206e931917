"""Dates of incidents as readers see them."""

from __future__ import annotations

import re

from kubegap.text import Lang, Text

_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_UNITS = (
    (Text(ko="{n}일", en="{n} day"), Text(ko="{n}일", en="{n} days")),
    (Text(ko="{n}시간", en="{n} hour"), Text(ko="{n}시간", en="{n} hours")),
    (Text(ko="{n}분", en="{n} minute"), Text(ko="{n}분", en="{n} minutes")),
    (Text(ko="{n}초", en="{n} second"), Text(ko="{n}초", en="{n} seconds")),
)


def duration(value: str, lang: Lang) -> str:
    """An ISO 8601 duration in words; one of another form as it is."""
    if not (match := _DURATION.fullmatch(value)):
        return value
    found = [
        (int(number), names) for number, names in zip(match.groups(), _UNITS, strict=True) if number and int(number)
    ]
    return (
        " ".join((one if number == 1 else many).fill(n=f"{number:,}").of(lang) for number, (one, many) in found)
        or value
    )
