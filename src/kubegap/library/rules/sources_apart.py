"""Two records that rest on one address each say which part of it, and not the same part."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Addresses used twice with the same `at`, or without one."""
    first: dict[tuple[str, str | None], str] = {}
    for incident, document in library.incidents.items():
        for place, source in enumerate(document.value.sources):
            if source.url is None:
                continue
            owner = first.setdefault((source.url, source.at), incident)
            if owner != incident:
                yield document.problem(("sources", place), _SHARED.fill(other=owner))


_SHARED = Text(
    ko="`{other}` 와 같은 출처입니다. `at` 에 서로 다른 자리를 적으세요.",
    en="`{other}` rests on the same source; give each a different `at`",
)
