"""Every term of a record and every broader term stands in the vocabulary of its facet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.vocabulary import FACET_FIELDS, FACET_NAMES, Facet, tagged
from kubegap.problems import Problem, did_you_mean, nearest
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Unknown terms, with the nearest ones, unless the facet's file could not be read at all."""
    for facet, document in library.terms.items():
        for term, entry in document.value.items():
            if entry.broader and entry.broader not in document.value:
                yield document.problem((term, "broader"), *_unknown(library, facet, entry.broader))
    for record in library.incidents.values():
        for facet, terms in tagged(record.value).items():
            for place, term in enumerate(terms):
                if facet in library.terms and term not in library.terms[facet].value:
                    yield record.problem(_path(facet, place), *_unknown(library, facet, term))


def _path(facet: Facet, place: int) -> tuple[str | int, ...]:
    field = FACET_FIELDS[facet]
    return (field, place) if facet == "platform" else (field, place, "term")


def _unknown(library: Library, facet: Facet, term: str) -> tuple[Text, Text | None]:
    return _NO_SUCH.fill(term=term, facet=FACET_NAMES[facet]), did_you_mean(
        nearest(term, library.terms[facet].value, 1)
    )


_NO_SUCH = Text(ko="`{term}` 라는 {facet} 값이 없습니다.", en="`{term}`: no such {facet}")
