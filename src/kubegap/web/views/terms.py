"""The index of the vocabulary."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.search.result import Result
from kubegap.library.vocabulary import Facet, Term
from kubegap.web.edition import Edition
from kubegap.web.views.facets import SHOWN_FACETS
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.words import terms as words


class ListedTerm(Struct, frozen=True):
    """A term in the index; `depth` counts the broader ones above it."""

    label: str
    href: str
    definition: str
    count: int
    depth: int


class ListedFacet(Struct, frozen=True):
    """A facet with its terms, each below its broader one."""

    id: Facet
    title: str
    count: str
    terms: list[ListedTerm]


class TermsPage(Struct, frozen=True):
    """The whole vocabulary."""

    frame: Frame
    facets: list[ListedFacet]


def terms_page(result: Result, edition: Edition, around: Around) -> TermsPage:
    """The index; `result` is the list of all cases, which counts every value."""
    title = words.TERMS_TITLE.of(around.addresses.lang)
    facets = [_facet(facet, result, edition, around) for facet in SHOWN_FACETS]
    return TermsPage(frame(around, title, "/terms", menu="terms"), facets)


def in_order(terms: dict[str, Term]) -> list[tuple[str, int]]:
    """Ids with their depth, each term right below its broader one, otherwise in the vocabulary's order."""
    below: dict[str | None, list[str]] = {}
    for term, entry in terms.items():
        below.setdefault(entry.broader if entry.broader in terms else None, []).append(term)
    found: list[tuple[str, int]] = []
    waiting = [(term, 0) for term in reversed(below.get(None, []))]
    while waiting:
        term, depth = waiting.pop()
        found.append((term, depth))
        waiting += [(narrower, depth + 1) for narrower in reversed(below.get(term, []))]
    return found


def _facet(facet: Facet, result: Result, edition: Edition, around: Around) -> ListedFacet:
    addresses, terms = around.addresses, edition.vocabulary[facet]
    lang = addresses.lang
    counts = {value.id: value.count for value in result.facets[facet]}
    return ListedFacet(
        id=facet,
        title=words.FACET_TITLES[facet].of(lang),
        count=words.TERM_COUNT.fill(count=f"{len(terms):,}").of(lang),
        terms=[
            ListedTerm(
                terms[term].label.of(lang),
                addresses.term(facet, term),
                terms[term].definition.of(lang),
                counts.get(term, 0),
                depth,
            )
            for term, depth in in_order(terms)
        ],
    )
