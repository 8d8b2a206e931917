"""Orders of a list, and periods that may be known only in part."""

from __future__ import annotations

from datetime import date

from kubegap.library.dates import first_day, last_day
from kubegap.library.record import Happened, Incident

_NEVER = date.max.toordinal()


def newest_key(incident: Incident) -> tuple[int, bool, str]:
    """Newest first by start; a missing part counts as the period's start, vague after exact, then by id."""
    start = first_day(incident.happened.from_)
    return (_NEVER - start.toordinal() if start else _NEVER, incident.happened.precision != "day", incident.id)


def added_key(incident: Incident) -> tuple[int, tuple[int, bool, str]]:
    """Last added first, then as the newest."""
    return (_NEVER - date.fromisoformat(incident.added).toordinal(), newest_key(incident))


def interval(happened: Happened) -> tuple[date, date]:
    """The first and the last day on which an incident may have happened."""
    start = first_day(happened.from_) or date.min
    return start, last_day(happened.to or happened.from_) or date.max


def period(from_: str | None, to: str | None) -> tuple[int, int]:
    """The first and last day of a period as day numbers; an open end is None."""
    return _first(from_).toordinal(), _last(to).toordinal()


def overlaps(happened: Happened, from_: str | None, to: str | None) -> bool:
    """Whether an incident may have happened in a period; an open end is None."""
    start, end = interval(happened)
    return end >= _first(from_) and start <= _last(to)


def is_vague_in(happened: Happened, from_: str | None, to: str | None) -> bool:
    """Whether an incident, not dated to the day, may as well lie outside a period."""
    start, end = interval(happened)
    return happened.precision != "day" and (start < _first(from_) or end > _last(to))


def _first(value: str | None) -> date:
    return (first_day(value) if value else None) or date.min


def _last(value: str | None) -> date:
    return (last_day(value) if value else None) or date.max
