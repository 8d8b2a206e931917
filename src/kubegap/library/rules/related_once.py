"""`related` names another record that exists, on one side only."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.problems import Problem, did_you_mean, nearest
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Links to nowhere, to the record itself, or written on both sides."""
    for incident, document in library.incidents.items():
        for place, other in enumerate(document.value.related):
            path = ("related", place)
            if other == incident:
                yield document.problem(path, _ITSELF)
            elif other not in library.incidents:
                yield document.problem(
                    path, _NO_SUCH.fill(id=other), did_you_mean(nearest(other, library.incidents, 1))
                )
            elif incident in library.incidents[other].value.related and incident > other:
                yield document.problem(path, _BOTH_SIDES.fill(id=other))


_ITSELF = Text(ko="자기 자신을 가리킵니다.", en="it names itself")
_NO_SUCH = Text(ko="`{id}` 라는 기록이 없습니다.", en="there is no record `{id}`")
_BOTH_SIDES = Text(
    ko="`{id}` 쪽에 이미 적혀 있습니다. 한쪽에만 적습니다.", en="`{id}` names this record already; one side is enough"
)
