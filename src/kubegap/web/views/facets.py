"""Values of the vocabulary as filters: the applied ones, the recommended ones, and all of a list with counts."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from kubegap.library.search.query import Query
from kubegap.library.search.result import FacetValue, Result
from kubegap.library.search.search import with_recognised
from kubegap.library.vocabulary import FACET_NAMES, Facet, Vocabulary
from kubegap.text import Lang, Text, counted
from kubegap.web.addresses import Addresses
from kubegap.web.views.links import FacetLinks
from kubegap.web.words import results as words

# The order of the lists of values, that of the page this one grew from.
SHOWN_FACETS: tuple[Facet, ...] = ("cause", "component", "symptom", "factor", "platform")
OPEN_VALUES = 8
_STEPS = 10


class Chip(Struct, frozen=True):
    """An applied filter; `href` is the list without it. `kind` is a facet, or `period`."""

    kind: str
    name: str
    label: str
    narrower: str | None
    remove: str
    href: str


class Recommended(Struct, frozen=True):
    """A value named in the search, `count` being the total with it as a filter; `word` is what named it."""

    facet: Facet
    name: str
    label: str
    word: str
    count: int
    href: str


class Value(Struct, frozen=True):
    """A value of a list; `step` from 1 to 10 is its share of the list's most frequent one."""

    label: str
    count: str
    step: int
    is_chosen: bool
    href: str


class Values(Struct, frozen=True):
    """The values of one facet in a list: the first `seen` are in the open, `rest` opens the others in place."""

    facet: Facet
    title: str
    values: list[Value]
    seen: int
    rest: str | None
    is_any: bool


def chips(query: Query, vocabulary: Vocabulary, addresses: Addresses) -> list[Chip]:
    """What narrows a list, each with the way to undo it."""
    lang = addresses.lang
    found = [
        _chip(query, facet, term, vocabulary, addresses) for facet in query.filters for term in query.selected(facet)
    ]
    if period := period_label(query, lang):
        name = words.PERIOD.of(lang)
        without = replace(query, from_=None, to=None, page=1)
        found.append(Chip("period", name, period, None, _removing(name, period, lang), addresses.incidents(without)))
    return found


def cleared(query: Query, addresses: Addresses) -> str:
    """The list without any filter; the words and the order stay."""
    return addresses.incidents(Query(q=query.q, order=query.order))


def recommended(query: Query, result: Result, addresses: Addresses) -> list[Recommended]:
    """The values that the words name."""
    lang = addresses.lang
    return [
        Recommended(
            facet=found.facet,
            name=FACET_NAMES[found.facet].of(lang),
            label=found.label.of(lang),
            word=query.q[slice(*found.span)],
            count=found.count,
            href=addresses.incidents(with_recognised(query, found.facet, found.id, found.span)),
        )
        for found in result.recognised
    ]


def values(query: Query, result: Result, addresses: Addresses) -> list[Values]:
    """All values of a list, by facet."""
    return [_values(query, facet, result.facets[facet], addresses) for facet in SHOWN_FACETS]


def period_label(query: Query, lang: Lang) -> str | None:
    """The period in words."""
    if query.from_ and query.to:
        return words.PERIOD_SPAN.fill(start=query.from_, to=query.to).of(lang)
    if query.from_:
        return words.PERIOD_SINCE.fill(start=query.from_).of(lang)
    return words.PERIOD_UNTIL.fill(to=query.to).of(lang) if query.to else None


def narrower_label(facet: Facet, term: str, vocabulary: Vocabulary) -> Text | None:
    """How many narrower values a value stands for."""
    below = len(vocabulary.narrower(facet, term))
    return counted(below, one=words.NARROWER_ONE, many=words.NARROWER_MANY) if below else None


def _chip(query: Query, facet: Facet, term: str, vocabulary: Vocabulary, addresses: Addresses) -> Chip:
    lang = addresses.lang
    name, label = FACET_NAMES[facet].of(lang), vocabulary.term(facet, term).label.of(lang)
    narrower = narrower_label(facet, term, vocabulary)
    href = FacetLinks(query, facet, addresses).toggled(term)
    return Chip(facet, name, label, narrower.of(lang) if narrower else None, _removing(name, label, lang), href)


def _removing(name: str, label: str, lang: Lang) -> str:
    return words.REMOVE.fill(facet=name, label=label).of(lang)


def _values(query: Query, facet: Facet, found: list[FacetValue], addresses: Addresses) -> Values:
    lang, links = addresses.lang, FacetLinks(query, facet, addresses)
    most = max((value.count for value in found), default=0)
    shown = [
        Value(
            value.label.of(lang), f"{value.count:,}", _step(value.count, most), value.selected, links.toggled(value.id)
        )
        for value in sorted(found, key=lambda value: not value.selected)
    ]
    seen = max(OPEN_VALUES, sum(value.is_chosen for value in shown))
    # One more in the open takes no more room than the line that would open it.
    seen = len(shown) if len(shown) <= seen + 1 else seen
    return Values(
        facet=facet,
        title=words.VALUES_BY[facet].of(lang),
        values=shown,
        seen=seen,
        rest=words.VALUES_REST.fill(count=f"{len(shown) - seen:,}").of(lang) if seen < len(shown) else None,
        is_any=len(query.selected(facet)) > 1,
    )


def _step(count: int, most: int) -> int:
    return -(-count * _STEPS // most) if most else 0
