"""No two records tell the same story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import combinations

from kubegap.library.loading import Library
from kubegap.library.normal import normal
from kubegap.library.walk import texts
from kubegap.problems import Problem
from kubegap.text import Text

ALIKE = 0.6
_RUN = 3
# A run of words in more records than this is a turn of phrase and tells nothing.
_COMMON = 5

Run = tuple[str, ...]


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Pairs of records that share most runs of three words, at the later one."""
    runs = {incident: _word_runs(document.value) for incident, document in library.incidents.items()}
    for (one, other), shared in sorted(_shared(runs).items()):
        if shared > ALIKE * min(len(runs[one]), len(runs[other])):
            yield library.incidents[other].problem(("title",), _ALIKE.fill(other=one))


def _shared(runs: Mapping[str, set[Run]]) -> Counter[tuple[str, str]]:
    """How many runs each pair of records has in common."""
    owners: dict[Run, list[str]] = {}
    for incident, own in runs.items():
        for run in own:
            owners.setdefault(run, []).append(incident)
    rare = (found for found in owners.values() if 1 < len(found) <= _COMMON)
    return Counter(pair for found in rare for pair in combinations(sorted(found), 2))


def _word_runs(incident: object) -> set[Run]:
    words = normal(" ".join(text.en for _, text in texts(incident))).split()
    return {tuple(words[start : start + _RUN]) for start in range(max(1, len(words) - _RUN + 1))}


_ALIKE = Text(ko="`{other}` 와 거의 같은 기록입니다.", en="this record is nearly the same as `{other}`")
