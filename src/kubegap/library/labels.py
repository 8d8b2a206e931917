"""Labels of a picture: how wide a text is without knowing its font, and where it is broken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from unicodedata import east_asian_width

_KEPT = 4096
_SPACE = re.compile(r" +")
# Where there is no other way: behind the dot between two Korean words, before a parenthesis.
_ANYWHERE = re.compile(r" +|(?<=·)(?=\w)|(?<=\w)(?=\()")
_PARTS = re.compile(r"[^/?&]*[/?&]+|[^/?&]+")


@lru_cache(maxsize=_KEPT)
def lines_of(text: str, room: float, size: float, most: int = 2) -> tuple[str, ...]:
    """A text in as few lines as it needs, about equally long, and at most so many; what has no room is cut and says so."""
    best: tuple[str, ...] = (text,)
    for breaks in (_SPACE, _ANYWHERE):
        for count in range(1, most + 1):
            best = min(_broken(text, breaks, count), key=lambda lines: _widest(lines, size), default=best)
            if _widest(best, size) <= room:
                return best
    return tuple(_cut(line, room, size) for line in best)


def address_lines(address: str, room: float, size: float, most: int) -> list[str]:
    """An address in lines that can be typed off, broken behind its separators; what has no room is cut and says so."""
    lines = [""]
    for part in _PARTS.findall(address):
        if lines[-1] and text_width(lines[-1] + part, size) > room:
            lines.append("")
        lines[-1] += part
    kept = lines[:most]
    if len(lines) > most:
        kept[-1] += "…"
    return [_cut(line, room, size) for line in kept]


def _broken(text: str, breaks: re.Pattern[str], count: int) -> Iterator[tuple[str, ...]]:
    """Every way to break a text into so many lines."""
    for places in combinations(breaks.finditer(text), count - 1):
        ends = [(0, 0), *[place.span() for place in places], (len(text), len(text))]
        yield tuple(text[start:end] for (_, start), (end, _) in pairwise(ends))


def _widest(lines: Iterable[str], size: float) -> float:
    return max(text_width(line, size) for line in lines)


def _cut(line: str, room: float, size: float) -> str:
    if text_width(line, size) <= room:
        return line
    while line and text_width(line + "…", size) > room:
        line = line[:-1]
    return line.rstrip(" ·,(") + "…"


def _letter_width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 0.98
    if letter in "iljI.,:;'|·":
        return 0.32
    if letter in "tfr()[]-/ ":
        return 0.42
    if letter in "mwMW&@%":
        return 0.88
    if letter.isupper():
        return 0.76
    return 0.62


def text_width(text: str, size: float) -> float:
    """About how wide a text is, rather too wide than too narrow: fonts differ, and labels must not touch."""
    return sum(_letter_width(letter) for letter in text) * size
