"""The vocabulary as data."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.search.result import Result
from kubegap.library.vocabulary import FACETS, Facet, Synonyms, Vocabulary
from kubegap.text import Text


class ListedTerm(Struct, frozen=True):
    """A term, with the number of cases that carry it or a narrower one."""

    facet: Facet
    id: str
    label: Text
    definition: Text
    synonyms: Synonyms
    broader: str | None
    count: int


def listed_terms(vocabulary: Vocabulary, everything: Result) -> list[ListedTerm]:
    """All terms; `everything` is the list of all cases, which counts every value."""
    counts = {facet: {value.id: value.count for value in everything.facets[facet]} for facet in FACETS}
    return [
        ListedTerm(
            facet, term, entry.label, entry.definition, entry.synonyms, entry.broader, counts[facet].get(term, 0)
        )
        for facet in FACETS
        for term, entry in vocabulary[facet].items()
    ]
