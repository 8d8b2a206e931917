"""Partial dates (2024, 2024-03, 2024-03-09) as days."""

from __future__ import annotations

import calendar
from datetime import date


def first_day(value: str) -> date | None:
    """The first day of a partial date; None when the calendar has no such day."""
    year, month, day = _numbers(value)
    try:
        return date(year, month or 1, day or 1)
    except ValueError:
        return None


def last_day(value: str) -> date | None:
    """The last day of a partial date; None when the calendar has no such day."""
    year, month, day = _numbers(value)
    try:
        month = month or 12
        return date(year, month, day or calendar.monthrange(year, month)[1])
    except ValueError:
        return None


def _numbers(value: str) -> tuple[int, int, int]:
    parts = [int(part) for part in value.split("-")]
    year, month, day = [*parts, 0, 0][:3]
    return year, month, day
