"""What a person asks for: words, filters, a period, an order and a page; checked before anything is searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from kubegap.library.dates import first_day
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary
from kubegap.problems import KubegapError
from kubegap.text import Text

Order = Literal["relevance", "newest", "added"]
ORDERS: tuple[Order, ...] = get_args(Order)
PAGE_SIZE = 20
MAX_QUERY = 10_000

Filters = dict[Facet, tuple[str, ...]]


class BadQuery(KubegapError):
    """A question that cannot be asked so: an unknown value, an impossible period or page."""


class Query(Struct, frozen=True):
    """A checked question. `filters` holds term ids by facet, `from_` and `to` partial dates; pages count from 1."""

    q: str = ""
    filters: Filters = {}
    from_: str | None = None
    to: str | None = None
    order: Order | None = None
    page: int = 1
    page_size: int = PAGE_SIZE

    @property
    def has_words(self) -> bool:
        """Whether there is any text to search for."""
        return bool(self.q.strip())

    @property
    def effective_order(self) -> Order:
        """`relevance` with text, `newest` without, unless another was chosen; without text nothing is more relevant."""
        if self.order is None or (self.order == "relevance" and not self.has_words):
            return "relevance" if self.has_words else "newest"
        return self.order

    def selected(self, facet: Facet) -> tuple[str, ...]:
        """The chosen values of a facet."""
        return self.filters.get(facet, ())

    def with_values(self, facet: Facet, values: Sequence[str]) -> Query:
        """The same question with other values chosen in one facet, from its first page."""
        filters = {**self.filters, facet: tuple(values)}
        return msgspec.structs.replace(
            self, filters={name: chosen for name, chosen in filters.items() if chosen}, page=1
        )

    def parameters(self) -> list[tuple[str, str]]:
        """The parameters of its address: repeated keys, one fixed order, defaults left out."""
        pairs = [("q", self.q)] if self.q else []
        pairs += [(facet, value) for facet in FACETS for value in self.selected(facet)]
        pairs += [
            (name, value) for name, value in (("from", self.from_), ("to", self.to), ("order", self.order)) if value
        ]
        return pairs + ([("page", str(self.page))] if self.page > 1 else [])

    def address(self) -> str:
        """`?q=…&component=…`, or an empty string when everything is at its default."""
        pairs = self.parameters()
        return "?" + urlencode(pairs, errors="replace") if pairs else ""


def check(query: Query, vocabulary: Vocabulary) -> Query:
    """The question itself, with repeated values dropped; raises `UnknownName` or `BadQuery`."""
    filters: Filters = {}
    for facet in FACETS:
        if values := tuple(dict.fromkeys(query.selected(facet))):
            for value in values:
                vocabulary.term(facet, value)
            filters[facet] = values
    _check_period(query)
    if query.page < 1 or query.page_size < 1:
        raise BadQuery(_BAD_PAGE)
    return msgspec.structs.replace(query, q=query.q[:MAX_QUERY], filters=filters)


def from_parameters(parameters: Mapping[str, Sequence[str]]) -> Query:
    """Read repeated parameters as a question; unknown ones are the caller's to report. Raises `BadQuery`."""

    def one(name: str) -> str | None:
        return next((value for value in parameters.get(name, ()) if value), None)

    order, page = one("order"), one("page") or "1"
    if order is not None and order not in ORDERS:
        raise BadQuery(_BAD_ORDER.fill(order=order, orders=", ".join(ORDERS)))
    if not (page.isascii() and page.isdigit() and int(page[:9]) >= 1 and len(page) < 9):
        raise BadQuery(_BAD_PAGE)
    filters = {facet: tuple(value for value in parameters.get(facet, ()) if value) for facet in FACETS}
    return Query(
        q=one("q") or "",
        filters={facet: values for facet, values in filters.items() if values},
        from_=one("from"),
        to=one("to"),
        order=msgspec.convert(order, Order | None),
        page=int(page),
    )


def _check_period(query: Query) -> None:
    for value in (query.from_, query.to):
        if value is not None and not _is_partial_day(value):
            raise BadQuery(_BAD_DATE.fill(value=value))
    if query.from_ and query.to and query.to < query.from_[: len(query.to)]:
        raise BadQuery(_BACKWARDS.fill(start=query.from_, to=query.to))


def _is_partial_day(value: str) -> bool:
    parts = value.split("-")
    widths = [len(part) for part in parts]
    digits = all(part.isascii() and part.isdigit() for part in parts)
    return digits and widths in ([4], [4, 2], [4, 2, 2]) and first_day(value) is not None


_BAD_PAGE = Text(ko="쪽 번호는 1 이상의 수입니다.", en="A page is a number from 1 up.")
_BAD_ORDER = Text(
    ko="`{order}` 라는 순서는 없습니다. 쓸 수 있는 값: {orders}.", en="There is no order `{order}`; there are {orders}."
)
_BAD_DATE = Text(
    ko="`{value}` 는 날짜가 아닙니다. 2024, 2024-03, 2024-03-09 처럼 쓰세요.",
    en="`{value}` is not a date; write 2024, 2024-03 or 2024-03-09.",
)
_BACKWARDS = Text(
    ko="기간의 끝({to})이 시작({start})보다 앞섭니다.", en="The period ends ({to}) before it starts ({start})."
)
