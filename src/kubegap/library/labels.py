"""Labels of a picture: how wide a text is without knowing its font, and where it is broken."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_MOST_LINES = 2
_KEPT = 4096


@lru_cache(maxsize=_KEPT)
def lines_of(text: str, room: float, size: float) -> tuple[str, ...]:
    """A text in at most two lines, broken at spaces; what has no room is cut and says so."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        elif len(lines) < _MOST_LINES:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return tuple(_cut(line, room, size) for line in lines)


def _cut(line: str, room: float, size: float) -> str:
    if text_width(line, size) <= room:
        return line
    while line and text_width(line + "…", size) > room:
        line = line[:-1]
    return line.rstrip(" ·,(") + "…"


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 0.98
    if letter in "iljtfrI.,:;'|()[]·- ":
        return 0.4
    if letter.isupper() or letter in "mwMW&@%":
        return 0.78
    return 0.62


def text_width(text: str, size: float) -> float:
    """About how wide a text is, rather too wide than too narrow: fonts differ, and labels must not touch."""
    return sum(_letter_width(letter) for letter in text) * size
