"""Schedules of CronJobs: how long it may take from one start to the next.

Source of the grammar: `github.com/robfig/cron/v3` (`parser.go`, `ParseStandard`), which Kubernetes uses, and for what stands
after `@every` Go's `time.ParseDuration`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

_DESCRIPTORS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_MONTHS = {
    name: str(number) for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_DAYS = {name: str(number) for number, name in enumerate("sun mon tue wed thu fri sat".split())}
# Minute, hour, day of the month, month, day of the week.
_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
_NAMES: tuple[Mapping[str, str], ...] = ({}, {}, {}, _MONTHS, _DAYS)
_PART = re.compile(r"(?P<start>\d+|\*|\?)(?:-(?P<end>\d+))?(?:/(?P<step>\d+))?", re.ASCII)
# In a list of days: any day; `*/2` picks some as numbers do.
_ANY = re.compile(r"(?:^|,)[*?](?:-\d+)?(?:/0*1)?(?:,|$)", re.ASCII)
_ZONES = ("TZ=", "CRON_TZ=")
_EVERY = "@every "
_PIECE = re.compile(r"(\d{1,19}(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_DURATION = re.compile(rf"[-+]?(?:0|(?:{_PIECE.pattern})+)", re.ASCII)
_SECONDS = {
    "h": Decimal(3600),
    "m": Decimal(60),
    "s": Decimal(1),
    "ms": Decimal("1e-3"),
    **dict.fromkeys(("us", "µs", "μs"), Decimal("1e-6")),
    "ns": Decimal("1e-9"),
}
# Nanoseconds are counted in 63 bits.
_TOO_MANY_SECONDS = Decimal(2**63).scaleb(-9)
_MINUTES_A_DAY = 24 * 60
_EVERY_DAY = ["*", "*", "*"]
# Four years and two months, so that two days of 29 February are among them.
_FIRST_DAY, _DAYS_LOOKED_AT = date(2028, 1, 1), 4 * 365 + 1 + 60
NEVER = timedelta.max


@lru_cache(maxsize=10_000)
def longest_wait(schedule: str) -> timedelta | None:
    """The longest time from one start to the next; `NEVER` where no such day comes, None for what cannot be read."""
    if schedule.startswith(_ZONES):
        schedule = schedule.partition(" ")[2].strip()
    if schedule.startswith(_EVERY):
        return _delay(schedule.removeprefix(_EVERY))
    fields = _DESCRIPTORS.get(schedule, schedule).lower().split()
    if len(fields) != len(_RANGES):
        return None
    numbers = [_numbers(*given) for given in zip(fields, _RANGES, _NAMES, strict=True)]
    return _longest(fields, numbers) if all(numbers) else None


def _delay(text: str) -> timedelta | None:
    """A duration in whole seconds; what is shorter than one, or negative, counts as one."""
    if not _DURATION.fullmatch(text):
        return None
    seconds = sum(Decimal(number) * _SECONDS[unit] for number, unit in _PIECE.findall(text))
    if seconds >= _TOO_MANY_SECONDS:
        return None
    return timedelta(seconds=1 if text.startswith("-") else max(int(seconds), 1))


def _longest(fields: Sequence[str], numbers: Sequence[frozenset[int]]) -> timedelta:
    minutes, hours, *_ = numbers
    times = sorted(hour * 60 + minute for hour in hours for minute in minutes)
    within = max((later - earlier for earlier, later in pairwise(times)), default=0)
    # Most schedules run every day, and two days say as much as four years.
    days = [0, 1] if fields[2:] == _EVERY_DAY else list(_days(fields, numbers))
    if len(days) < 2:
        return NEVER
    apart = max(later - earlier for earlier, later in pairwise(days))
    return timedelta(minutes=max(within, apart * _MINUTES_A_DAY - times[-1] + times[0]))


def _days(fields: Sequence[str], numbers: Sequence[frozenset[int]]) -> Iterator[int]:
    """The days of a time on which something starts; where both sorts of day are restricted, either will do."""
    _, _, of_month, months, of_week = numbers
    is_either = not any(_ANY.search(fields[place]) for place in (2, 4))
    for count in range(_DAYS_LOOKED_AT):
        day = _FIRST_DAY + timedelta(days=count)
        fits = (day.day in of_month, day.isoweekday() % 7 in of_week)
        if day.month in months and (any(fits) if is_either else all(fits)):
            yield count


def _numbers(text: str, given: tuple[int, int], names: Mapping[str, str]) -> frozenset[int]:
    """The numbers that a field means; none at all where it cannot be read."""
    found: set[int] = set()
    for name, number in names.items():
        text = text.replace(name, number)
    for part in filter(None, text.split(",")):
        match = _PART.fullmatch(part)
        if not match:
            return frozenset()
        found |= set(_range(match, *given))
    return frozenset(found) if all(given[0] <= number <= given[1] for number in found) else frozenset()


def _range(match: re.Match[str], lowest: int, highest: int) -> range:
    # Beyond what there is, one number is enough to say that it is wrong.
    wrong, step = range(highest + 1, highest + 2), int(match["step"] or 1)
    if not step:
        return wrong
    if not match["start"].isdigit():
        return range(lowest, highest + 1, step)
    start = int(match["start"])
    end = int(match["end"]) if match["end"] else (highest if match["step"] else start)
    return range(start, end + 1, step) if lowest <= start <= end <= highest else wrong
