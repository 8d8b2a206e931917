"""Addresses of a list with one value more or less, quickly: a page has some two hundred of them."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlencode

from kubegap.library.search.query import Query
from kubegap.library.vocabulary import FACETS, Facet
from kubegap.web.addresses import Addresses


class FacetLinks:
    """Addresses that differ from a question's only in the values of one facet, from the first page on."""

    def __init__(self, query: Query, facet: Facet, addresses: Addresses) -> None:
        self._path = addresses.incidents()
        self._chosen = query.selected(facet)
        self._facet = facet
        pairs = [pair for pair in query.parameters() if pair[0] not in {"page", facet}]
        before = {"q", *FACETS[: FACETS.index(facet)]}
        self._before = [_encoded(pair) for pair in pairs if pair[0] in before]
        self._after = [_encoded(pair) for pair in pairs if pair[0] not in before]

    def toggled(self, value: str) -> str:
        """With a value chosen, or no longer chosen if it was."""
        chosen = [old for old in self._chosen if old != value]
        return self._address(chosen if value in self._chosen else [*chosen, value])

    def _address(self, values: list[str]) -> str:
        # Term ids are plain ASCII and need no escaping.
        pairs = [*self._before, *[f"{self._facet}={value}" for value in values], *self._after]
        return f"{self._path}?{'&'.join(pairs)}" if pairs else self._path


# The lists of values and the groups of the graph all repeat the same question.
@lru_cache(maxsize=64)
def _encoded(pair: tuple[str, str]) -> str:
    return urlencode([pair], errors="replace")
