"""`search_incidents`: find incidents by words and filters, as `kubegap search` and the pages do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from kubegap.library.search.query import Order, Query
from kubegap.library.search.result import Item, Result
from kubegap.library.vocabulary import Facet
from kubegap.mcp import paging
from kubegap.mcp.arguments import Few, Language
from kubegap.mcp.cases import Cases, case_of, cases_of
from kubegap.mcp.desk import Desk
from kubegap.problems import KubegapError
from kubegap.text import Text

TITLE = "Search incidents"
LONGEST_QUERY = 500
_ORDERS: dict[str, Order] = {"relevance": "relevance", "newest": "newest", "added": "added"}


class LongQuery(KubegapError):
    """More words than anybody searches for."""


def make(desk: Desk) -> Callable[..., Cases]:
    """The function that answers."""

    def search_incidents(  # noqa: PLR0913, PLR0917, one parameter for each filter
        query: str = "",
        component: list[str] = [],  # noqa: B006, the schema's default
        cause: list[str] = [],  # noqa: B006
        symptom: list[str] = [],  # noqa: B006
        factor: list[str] = [],  # noqa: B006
        platform: list[str] = [],  # noqa: B006
        from_date: str = "",
        to_date: str = "",
        order: Literal["", "relevance", "newest", "added"] = "",
        limit: Few = 10,
        cursor: str = "",
        lang: Language = "",
    ) -> Cases:
        """Public incidents on Kubernetes and GPU infrastructure by words (Korean or English find both) and by vocabulary
        ids per facet: OR within a facet, AND across. Needs no cluster. Whole records are in get_incident; for a pasted log
        find_similar_incidents fits better.
        """
        if len(query) > LONGEST_QUERY:
            raise LongQuery(_TOO_LONG.fill(size=f"{len(query):,}", limit=LONGEST_QUERY), _PASTE)
        chosen: dict[Facet, list[str]] = {
            "component": component,
            "cause": cause,
            "symptom": symptom,
            "factor": factor,
            "platform": platform,
        }
        asked = Query(
            q=query,
            filters={facet: tuple(values) for facet, values in chosen.items() if values},
            from_=from_date or None,
            to=to_date or None,
            order=_ORDERS.get(order),
        )
        question = [asked, desk.shelf.generation.manifest.hash]
        start, language = paging.start_of(cursor, question), desk.language(lang)
        result, items = window(desk, asked, start, limit)
        rows = [case_of(desk, item, language) for item in items]
        return paging.page(cases_of(result, language), rows, start, question, total=result.total)

    return search_incidents


def window(desk: Desk, asked: Query, start: int, count: int) -> tuple[Result, list[Item]]:
    """The items from a place on, and the result that they stand in: pages begin where the last one's budget ended."""
    number, inside = divmod(start, count)
    result = desk.shelf.search.run(_paged(asked, number + 1, count))
    items = result.items[inside:]
    if inside:
        items = items + desk.shelf.search.run(_paged(asked, number + 2, count)).items[:inside]
    return result, items


def _paged(asked: Query, page: int, size: int) -> Query:
    return replace(asked, page=page, page_size=size)


_TOO_LONG = Text(
    ko="query 가 {size} 자입니다. {limit} 자까지 됩니다.", en="query has {size} characters; up to {limit} are taken."
)
_PASTE = Text(
    ko="붙여 넣은 로그는 find_similar_incidents 의 text 로 주세요.",
    en="A pasted log goes to find_similar_incidents as text.",
)
