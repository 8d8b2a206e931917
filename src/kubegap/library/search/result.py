"""The frozen shape of a search result: what the command line, the page, the API and the agents' tools all give."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.record import Happened
from kubegap.library.search.query import Order
from kubegap.library.vocabulary import Facet
from kubegap.text import Lang, Text

Range = tuple[int, int]


class Recognised(Struct, frozen=True):
    """A term named in the question: its place there in code points, and the total if it became a filter."""

    facet: Facet
    id: str
    label: Text
    span: Range
    count: int


class Correction(Struct, frozen=True):
    """A word that stands nowhere, the word it may have meant, and the question with it."""

    word: str
    to: str
    q: str


class FacetValue(Struct, frozen=True):
    """A value of a facet with the total it would give as its facet's only choice."""

    id: str
    label: Text
    count: int
    selected: bool


class TopComponent(Struct, frozen=True):
    """A component that matched cases carry themselves."""

    id: str
    label: Text
    count: int


class Why(Struct, frozen=True):
    """Where a case matched: ranges in code points of that text as given, the words found there, the terms that stand for them.

    `field` is the record's (a tag's note is `causes.note`); `index` the place in a list; `lang` the side of a text, absent
    where it has no sides.
    """

    field: str
    index: int | None
    lang: Lang | None
    ranges: list[Range]
    words: list[str]
    terms: list[str]


class Item(Struct, frozen=True):
    """A case in a list."""

    id: str
    title: Text
    organisation: str
    happened: Happened
    components: list[str]
    causes: list[str]
    symptoms: list[str]
    factors: list[str]
    why: list[Why]


class Result(Struct, frozen=True):
    """One page of a list that explains itself; `next` is the address of the next page, relative to this one's."""

    total: int
    page: int
    page_size: int
    order: Order
    sentence: Text
    dropped: list[str]
    corrections: list[Correction]
    recognised: list[Recognised]
    facets: dict[Facet, list[FacetValue]]
    top_components: list[TopComponent]
    items: list[Item]
    next: str | None
