"""An empty list says what empties it, and what leaving that out would give."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from kubegap.library.search.analyse import words as words_of
from kubegap.library.search.query import Query
from kubegap.library.vocabulary import FACET_NAMES, FACETS, Vocabulary
from kubegap.text import Text, counted
from kubegap.web.addresses import Addresses
from kubegap.web.words import results as words

MOST_WORDS = 8
MOST_FILTERS = 12


class Removal(Struct, frozen=True):
    """One thing to leave out, and the cases there are then."""

    label: str
    count: str
    href: str


class Empty(Struct, frozen=True):
    """The ways out of an empty list, most cases first."""

    lead: str
    removals: list[Removal]
    paste: str


def empty(query: Query, total: Callable[[Query], int], vocabulary: Vocabulary, addresses: Addresses) -> Empty:
    """Try every removal; `total` counts the cases of a question."""
    one_less = _found(removals(query, vocabulary), total)
    found, lang = one_less or _found(larger_removals(query), total), addresses.lang
    return Empty(
        lead=(words.EMPTY_WAYS if one_less else words.EMPTY_NO_WAY).of(lang),
        removals=[
            Removal(
                label.of(lang),
                counted(count, one=words.COUNT_ONE, many=words.COUNT_MANY).of(lang),
                addresses.incidents(without),
            )
            for label, without, count in found
        ],
        paste=addresses.similar(),
    )


def removals(query: Query, vocabulary: Vocabulary) -> list[tuple[Text, Query]]:
    """The question without one filter, the period or one word."""
    return [*_without_filters(query, vocabulary)[:MOST_FILTERS], *_without_period(query), *_without_words(query)]


def larger_removals(query: Query) -> list[tuple[Text, Query]]:
    """The question without all that narrows it, and without its words: for when leaving out one thing is not enough."""
    return [
        (words.EMPTY_WITHOUT_FILTERS, Query(q=query.q, order=query.order)),
        (words.EMPTY_WITHOUT_WORDS, replace(query, q="", page=1)),
    ]


def _found(ways: list[tuple[Text, Query]], total: Callable[[Query], int]) -> list[tuple[Text, Query, int]]:
    """The ways that lead to cases, those to most before."""
    tried = [(label, without, total(without)) for label, without in ways]
    return sorted((trial for trial in tried if trial[2]), key=lambda trial: -trial[2])


def _without_filters(query: Query, vocabulary: Vocabulary) -> list[tuple[Text, Query]]:
    return [
        (
            words.EMPTY_WITHOUT_FILTER.fill(facet=FACET_NAMES[facet], label=vocabulary.term(facet, term).label),
            query.with_values(facet, [other for other in query.selected(facet) if other != term]),
        )
        for facet in FACETS
        for term in query.selected(facet)
    ]


def _without_period(query: Query) -> list[tuple[Text, Query]]:
    return (
        [(words.EMPTY_WITHOUT_PERIOD, replace(query, from_=None, to=None, page=1))] if query.from_ or query.to else []
    )


def _without_words(query: Query) -> list[tuple[Text, Query]]:
    found = words_of(query.q)[:MOST_WORDS]
    return [
        (
            words.EMPTY_WITHOUT_WORD.fill(word=query.q[word.start : word.end]),
            replace(query, q=" ".join(f"{query.q[: word.start]} {query.q[word.end :]}".split()), page=1),
        )
        for word in found
    ]
