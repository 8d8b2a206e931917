"""Following `broader` from any term comes to an end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.vocabulary import Terms
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Each term that comes back to itself."""
    for document in library.terms.values():
        for term in document.value:
            if term in _above(document.value, term):
                yield document.problem((term, "broader"), _LOOP.fill(term=term))


def _above(terms: Terms, term: str) -> list[str]:
    line: list[str] = []
    above = terms[term].broader
    while above in terms and above not in line:
        line.append(above)
        above = terms[above].broader
    return line


_LOOP = Text(ko="`{term}` 는 위로 따라가면 자기 자신으로 돌아옵니다.", en="`{term}` is broader than itself")
