"""A record carries a term of a facet once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.vocabulary import FACET_FIELDS, tagged
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Terms given twice."""
    for document in library.incidents.values():
        for facet, terms in tagged(document.value).items():
            for place, term in enumerate(terms):
                if term in terms[:place]:
                    yield document.problem((FACET_FIELDS[facet], place), _TWICE.fill(term=term))


_TWICE = Text(ko="`{term}` 가 두 번 나옵니다.", en="`{term}` stands twice")
