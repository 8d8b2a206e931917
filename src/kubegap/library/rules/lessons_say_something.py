"""A lesson is long enough to tell a reader what to change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.record import passages
from kubegap.problems import Problem
from kubegap.text import Text

SHORTEST_KO = 30
SHORTEST_EN = 60


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Lessons of a few words."""
    for document in library.incidents.values():
        lesson = passages(document.value.lesson)
        if sum(len(part.ko) for part in lesson) < SHORTEST_KO or sum(len(part.en) for part in lesson) < SHORTEST_EN:
            yield document.problem(("lesson",), _SHORT)


_SHORT = Text(
    ko="교훈이 너무 짧습니다. 읽는 사람이 무엇을 바꿔야 하는지 적으세요.",
    en="the lesson is too short; say what a reader should change",
)
