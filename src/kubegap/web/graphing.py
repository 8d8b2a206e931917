"""From a list to its graph: which cases are its newest, and how often its values stand in all of them."""

from __future__ import annotations

from collections.abc import Sequence

from kubegap.library.graph import MOST_CASES, Graph, graph
from kubegap.library.search.backend import Counts
from kubegap.library.search.order import newest_key
from kubegap.library.search.query import Query
from kubegap.library.search.result import Result
from kubegap.web.edition import Edition


def graph_of(query: Query, result: Result, counts: Counts, edition: Edition) -> Graph:
    """The graph of the whole list that a page belongs to; `counts` are those of its values over all of its cases."""
    newest = [edition.incident(incident) for incident in _newest(query, result, edition)]
    return graph(result, newest, counts, query.filters, edition.vocabulary)


def _newest(query: Query, result: Result, edition: Edition) -> Sequence[str]:
    """The newest cases first, as many as are drawn."""
    if result.total == len(result.items):
        found = (item.id for item in result.items)
        return sorted(found, key=lambda incident: newest_key(edition.incident(incident)))[:MOST_CASES]
    if result.page == 1 and result.order == "newest":
        return [item.id for item in result.items[:MOST_CASES]]
    return edition.search.newest(query, MOST_CASES)
