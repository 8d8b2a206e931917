"""Dates exist in the calendar, are written as exactly as `precision` says, and do not lie in the future."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.dates import first_day, last_day
from kubegap.library.documents import Document
from kubegap.library.loading import Library
from kubegap.library.record import Happened, Incident
from kubegap.library.strict_yaml import Path
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, today: date) -> Iterator[Problem]:
    """Dates that cannot be, are too exact or not exact enough, or are out of order."""
    for document in library.incidents.values():
        for path, value in _dates(document.value):
            if (first := first_day(value)) is None:
                yield document.problem(path, _NO_SUCH_DAY.fill(value=value))
            elif first > today:
                yield document.problem(path, _FUTURE.fill(value=value))
        yield from _period(document)


def _dates(incident: Incident) -> Iterator[tuple[Path, str]]:
    yield ("happened", "from"), incident.happened.from_
    yield ("added",), incident.added
    if incident.happened.to:
        yield ("happened", "to"), incident.happened.to
    for place, revision in enumerate(incident.revised):
        yield ("revised", place, "on"), revision.on
    for place, source in enumerate(incident.sources):
        if source.published:
            yield ("sources", place, "published"), source.published
    if incident.withdrawn:
        yield ("withdrawn", "on"), incident.withdrawn.on


def _period(document: Document[Incident]) -> Iterator[Problem]:
    happened = document.value.happened
    if not _fits_precision(happened):
        yield document.problem(
            ("happened", "precision"), _PRECISION.fill(value=happened.from_, precision=happened.precision)
        )
    if happened.to and (end := last_day(happened.to)) and (start := first_day(happened.from_)) and end < start:
        yield document.problem(("happened", "to"), _BACKWARDS.fill(to=happened.to, start=happened.from_))


def _fits_precision(happened: Happened) -> bool:
    length = {"year": 4, "month": 7, "day": 10}.get(happened.precision)
    return length is None or len(happened.from_) == length


_NO_SUCH_DAY = Text(ko="{value} 라는 날은 없습니다.", en="there is no day {value}")
_FUTURE = Text(ko="{value} 는 아직 오지 않은 날입니다.", en="{value} lies in the future")
_BACKWARDS = Text(ko="끝({to})이 시작({start})보다 앞섭니다.", en="it ends ({to}) before it starts ({start})")
_PRECISION = Text(
    ko="`{value}` 는 precision `{precision}` 과 맞지 않습니다.",
    en="`{value}` is not written to the precision `{precision}`",
)
