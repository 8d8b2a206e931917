"""An id begins with a year and month in which the incident happened, 00 where the month is not known."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Ids that tell another date than the record."""
    for incident, document in library.incidents.items():
        happened = document.value.happened
        start, end, told = happened.from_, happened.to or happened.from_, _told(incident)
        if not start[: len(told)] <= told <= end:
            yield document.problem(("happened", "from"), _DIFFERS.fill(start=start, id=incident[:7]))


def _told(incident: str) -> str:
    """The year, or year and month, that an id begins with."""
    return incident[:7].removesuffix("-00")


_DIFFERS = Text(ko="기록은 {start} 라 하고 id 는 {id} 라 합니다.", en="the record says {start}, its id says {id}")
