"""Lists in pages that stay small: as many rows as were asked for and fit, and where the next ones begin."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from kubegap.problems import KubegapError
from kubegap.text import Text

LIST_BYTES = 8_000
DETAIL_BYTES = 12_000
_MARK = 8
T = TypeVar("T", bound=Struct)
R = TypeVar("R")


class BadCursor(KubegapError):
    """A cursor that is none of ours, or of another list."""


def start_of(cursor: str, question: object) -> int:
    """Where the page of a cursor begins in the list of a question; 0 for an empty one. Raises `BadCursor`."""
    if not cursor:
        return 0
    try:
        mark, _, place = base64.urlsafe_b64decode(cursor.encode("ascii") + b"==").decode("ascii").partition(":")
        start = int(place)
    except (ValueError, binascii.Error) as error:
        raise BadCursor(_BAD, _AGAIN) from error
    if mark != _mark(question) or start < 0:
        raise BadCursor(_OTHER, _AGAIN)
    return start


def cursor_at(start: int, question: object) -> str:
    """The cursor of the page that begins there."""
    return base64.urlsafe_b64encode(f"{_mark(question)}:{start}".encode("ascii")).decode("ascii").rstrip("=")


def page(  # noqa: PLR0913, one parameter for each part of a page
    answer: T,
    rows: Sequence[R],
    start: int,
    question: object,
    *,
    total: int,
    most: int = LIST_BYTES,
    tell: Callable[[int, int], str] | None = None,
) -> T:
    """The answer with the rows that fit as `items`, their `total`, `next_cursor` where more follow, and `summary` by `tell`.

    `rows` are those from `start` on; `tell` is given how many are shown and how many there are.
    """
    count = len(rows)
    while True:
        is_last = start + count >= total
        shown = structs.replace(
            answer,
            items=list(rows[:count]),
            total=total,
            next_cursor="" if is_last else cursor_at(start + count, question),
            **({"summary": tell(count, total)} if tell else {}),
        )
        size = len(msgspec.json.encode(shown))
        if size <= most or count <= 1:
            return shown
        # Rows are of like size, so this needs a step or two.
        count = max(1, min(count - 1, count * most // size))


def fits(items: Iterable[R], most: int) -> list[R]:
    """The first items that take at most so many bytes together."""
    kept: list[R] = []
    for item in items:
        most -= len(msgspec.json.encode(item)) + 1
        if most < 0:
            break
        kept.append(item)
    return kept


def _mark(question: object) -> str:
    return hashlib.sha256(msgspec.json.encode(question)).hexdigest()[:_MARK]


_BAD = Text(ko="이 커서는 읽을 수 없습니다.", en="This cursor cannot be read.")
_OTHER = Text(ko="이 커서는 다른 목록의 것입니다.", en="This cursor belongs to another list.")
_AGAIN = Text(
    ko="같은 인자에 `next_cursor` 를 그대로 주거나, 커서 없이 처음부터 물어보세요.",
    en="Pass `next_cursor` unchanged with the same arguments, or ask again without a cursor.",
)
