"""The page of one term: what it means, and what the library knows of it."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from kubegap.library.search.query import Query
from kubegap.library.search.result import FacetValue, Result
from kubegap.library.vocabulary import FACETS, Facet
from kubegap.text import LANGS, Lang, counted
from kubegap.web.addresses import Addresses
from kubegap.web.edition import Edition
from kubegap.web.views import results
from kubegap.web.views.facets import narrower_label
from kubegap.web.views.frame import Around, Feed, Frame, frame
from kubegap.web.views.results import Hit, Link
from kubegap.web.words import terms as words

MOST_TOGETHER = 5
FEW = 10
# Of the chart, in its own units.
_BAR, _GAP, _HIGH = 34, 10, 72
# Room for the count above a bar and the year below it.
_ABOVE, _BELOW = 16, 18


class Synonym(Struct, frozen=True):
    """Words of one language by which a term is found."""

    lang: Lang
    words: list[str]


class Bar(Struct, frozen=True):
    """A year with its cases; x, y and height are for the chart."""

    year: str
    count: int
    href: str
    x: int
    middle: int
    y: int
    height: int


class Chart(Struct, frozen=True):
    """Cases by year, without gaps between the first year and the last."""

    bars: list[Bar]
    width: int
    height: int
    bar: int
    ground: int


class Together(Struct, frozen=True):
    """A value that appears with the term: in `share` (3 of 12) cases."""

    label: str
    share: str
    href: str


class TogetherIn(Struct, frozen=True):
    """The most frequent values of one other facet."""

    title: str
    facet: Facet
    values: list[Together]


class TermPage(Struct, frozen=True):
    """A term."""

    frame: Frame
    facet: Facet
    facet_name: str
    facet_href: str
    id: str
    label: str
    definition: str
    synonyms: list[Synonym]
    broader: Link | None
    narrower: list[Link]
    narrower_label: str | None
    count: str
    hits: list[Hit]
    all_label: str | None
    all_href: str
    chart: Chart | None
    together: list[TogetherIn]
    is_few: bool
    feed: str
    forms: list[Link]


def term_page(
    facet: Facet, term: str, result: Result, years: Counter[str], edition: Edition, around: Around
) -> TermPage:
    """The page of a term; `result` is the list of its cases, `years` their numbers by year."""
    vocabulary, addresses = edition.vocabulary, around.addresses
    lang, entry, query = addresses.lang, vocabulary.term(facet, term), Query(filters={facet: (term,)})
    narrower = narrower_label(facet, term, vocabulary)
    feed = addresses.incidents(query, "atom")
    return TermPage(
        frame=frame(
            around, entry.label.of(lang), f"/terms/{facet}/{term}", menu="terms", feed=Feed(entry.label.of(lang), feed)
        ),
        facet=facet,
        facet_name=words.FACET_TITLES[facet].of(lang),
        facet_href=addresses.terms(facet),
        id=term,
        label=entry.label.of(lang),
        definition=entry.definition.of(lang),
        synonyms=[Synonym(side, entry.synonyms.of(side)) for side in _own_first(lang) if entry.synonyms.of(side)],
        broader=_term_link(facet, entry.broader, edition, addresses) if entry.broader else None,
        narrower=[_term_link(facet, below, edition, addresses) for below in vocabulary.narrower(facet, term)],
        narrower_label=narrower.of(lang) if narrower else None,
        count=results.count_label(result.total, lang),
        hits=results.hits(Query(), result, edition, lang),
        all_label=_all_label(result, lang),
        all_href=addresses.incidents(query),
        chart=chart(years, query, addresses),
        together=_together(facet, term, result, addresses),
        is_few=result.total < FEW,
        feed=feed,
        forms=[link for link in results.forms(query, addresses) if link.href != feed],
    )


def chart(years: Counter[str], query: Query, addresses: Addresses) -> Chart | None:
    """The bars of a chart, every year from the first to the last."""
    if not years:
        return None
    first, last = int(min(years)), int(max(years))
    most = max(years.values())
    bars = []
    for place, year in enumerate(range(first, last + 1)):
        count = years[str(year)]
        height = -(-count * _HIGH // most)
        href = addresses.incidents(Query(filters=query.filters, from_=str(year), to=str(year)))
        x = place * (_BAR + _GAP)
        bars.append(Bar(str(year), count, href, x, x + _BAR // 2, _ABOVE + _HIGH - height, height))
    return Chart(
        bars, len(bars) * (_BAR + _GAP) - _GAP, _ABOVE + _HIGH + _BELOW, _BAR, ground=_ABOVE + _HIGH + _BELOW - 4
    )


def _own_first(lang: Lang) -> list[Lang]:
    return sorted(LANGS, key=lambda side: side != lang)


def _term_link(facet: Facet, term: str, edition: Edition, addresses: Addresses) -> Link:
    return Link(edition.vocabulary.term(facet, term).label.of(addresses.lang), addresses.term(facet, term))


def _all_label(result: Result, lang: Lang) -> str | None:
    return counted(result.total, one=words.TERM_ONE, many=words.TERM_ALL).of(lang) if result.total else None


def _together(facet: Facet, term: str, result: Result, addresses: Addresses) -> list[TogetherIn]:
    found = []
    for other in FACETS:
        if other != facet and (most := result.facets[other][:MOST_TOGETHER]):
            shown = [_with(facet, term, other, value, result.total, addresses) for value in most]
            found.append(TogetherIn(words.FACET_TITLES[other].of(addresses.lang), other, shown))
    return found


def _with(facet: Facet, term: str, other: Facet, value: FacetValue, total: int, addresses: Addresses) -> Together:
    share = words.TOGETHER_SHARE.fill(count=f"{value.count:,}", total=f"{total:,}").of(addresses.lang)
    query = Query(filters={facet: (term,), other: (value.id,)})
    return Together(value.label.of(addresses.lang), share, addresses.incidents(query))
