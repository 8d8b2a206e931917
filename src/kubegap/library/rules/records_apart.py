"""No two records tell the same story."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import combinations

from kubegap.library.loading import Library
from kubegap.library.normal import normal
from kubegap.library.walk import texts
from kubegap.problems import Problem
from kubegap.text import Text

ALIKE = 0.6
_RUN = 3


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Pairs of records that share most runs of three words, at the later one."""
    runs = {incident: _word_runs(document.value) for incident, document in library.incidents.items()}
    for one, other in combinations(runs, 2):
        shared = len(runs[one] & runs[other])
        if shared > ALIKE * min(len(runs[one]), len(runs[other])):
            yield library.incidents[other].problem(("title",), _ALIKE.fill(other=one))


def _word_runs(incident: object) -> set[tuple[str, ...]]:
    words = normal(" ".join(text.en for _, text in texts(incident))).split()
    return {tuple(words[start : start + _RUN]) for start in range(max(1, len(words) - _RUN + 1))}


_ALIKE = Text(ko="`{other}` 와 거의 같은 기록입니다.", en="this record is nearly the same as `{other}`")
