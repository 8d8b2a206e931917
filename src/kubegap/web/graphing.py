"""From a list to its graph: which cases are its newest, and how often its values stand in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from kubegap.library.graph import GRAPH_FACETS, MOST_CASES, Graph, graph
from kubegap.library.search.order import newest_key
from kubegap.library.search.query import Query
from kubegap.library.search.result import Result
from kubegap.web.edition import Edition


def graph_of(query: Query, result: Result, edition: Edition) -> Graph:
    """The graph of the whole list that a page belongs to."""
    chosen = [facet for facet in GRAPH_FACETS if query.selected(facet)]
    ids = _newest(query, result, edition, everything=bool(chosen))
    # A list counts the values of a chosen facet as if nothing were chosen in it; the graph counts the cases of the list.
    counts = {facet: {value.id: value.count for value in result.facets[facet]} for facet in GRAPH_FACETS}
    counts |= {facet: edition.tallies.within(ids, facet, edition.vocabulary) for facet in chosen}
    newest = [edition.incident(incident) for incident in ids[:MOST_CASES]]
    return graph(result, newest, counts, query.filters, edition.vocabulary)


def _newest(query: Query, result: Result, edition: Edition, *, everything: bool) -> Sequence[str]:
    """The newest cases first: as many as are drawn, or every one."""
    if result.total == len(result.items):
        return sorted((item.id for item in result.items), key=lambda found: newest_key(edition.incident(found)))
    if result.page == 1 and result.order == "newest" and not everything:
        return [item.id for item in result.items]
    found = edition.search.ids(replace(query, order="newest"))
    return list(found if everything else islice(found, MOST_CASES))
