"""The embedded engine: a tantivy index of the keys of every case."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

import tantivy
from tantivy import Query

from kubegap.library.search.backend import Hits
from kubegap.library.search.fields import Field
from kubegap.library.search.plan import Plan
from kubegap.library.search.tantivy_index import OWN, TERMS, open_index, term_key
from kubegap.library.search.tantivy_queries import (
    all_of,
    chosen_by,
    filters,
    matching_text,
    scope_of,
    scored,
    standing_anywhere,
    vague_in,
)
from kubegap.library.vocabulary import FACETS

# From so many cases on, threads are quicker than turns.
MANY = 50_000


class TantivyEngine:
    """Searches an index that `tantivy_index.build` wrote."""

    def __init__(self, folder: Path) -> None:
        self._searcher = open_index(folder)

    @property
    def numbers_are_places(self) -> bool:
        """Whether the number of a document is its place among the entries: so it is in one segment that one thread wrote."""
        return bool(self._searcher.num_segments <= 1)

    def search(self, plan: Plan) -> Hits:
        """Run a plan; the same answer as the plain matcher's, in milliseconds."""
        kept = tuple(range(len(plan.wanted)))
        hits = self._hits(plan, kept)
        # Cases that match the filters too prove that no word has to go; only without any are the words asked alone.
        if not hits.total and (left := self.kept(plan)) != kept:
            hits = self._hits(plan, left)
        return hits

    def total(self, plan: Plan) -> int:
        """Only the number of cases that a plan finds."""
        return self._count(chosen_by(plan, self._enough(plan)))

    def ids(self, plan: Plan) -> tuple[str, ...]:
        """Only the asked page."""
        return self._page(plan, chosen_by(plan, self._enough(plan)))[1]

    def matching(self, plan: Plan, kept: Collection[int]) -> list[int]:
        """The places of the cases that match the kept words, closest first, as far as `numbers_are_places`."""
        text = scored(matching_text(plan, kept), plan.pairs)
        found: Any = self._searcher.search(text, limit=max(1, self._searcher.num_docs))
        return [address.doc for _, address in found.hits]

    def kept(self, plan: Plan) -> tuple[int, ...]:
        """The places of the words that some case matches together (see `matcher._match_words`)."""
        left = list(range(len(plan.wanted)))
        counts: dict[int, int] = {}
        while left and not self._count(matching_text(plan, left)):
            if plan.is_text:
                break
            counts = counts or {place: self._count(standing_anywhere(plan.wanted[place])) for place in left}
            left.remove(min(left, key=lambda place: (counts[place], -place)))
        return tuple(left)

    def frequency(self, field: Field, key: str) -> int:
        """In how many cases a field has a key."""
        return int(self._searcher.doc_freq(field, key))

    def pair_frequency(self, pair: str) -> int:
        """In how many cases two words are neighbours."""
        return int(self._searcher.doc_freq("pairs", pair))

    def _hits(self, plan: Plan, kept: tuple[int, ...]) -> Hits:
        """The answer for some of the words."""
        scope, chosen = scope_of(plan, kept), chosen_by(plan, kept)
        # A facet with a choice is counted with that choice lifted.
        lifted = {
            facet: all_of([scope, *filters(plan, [other for other in FACETS if other != facet])])
            for facet in FACETS
            if plan.query.selected(facet)
        }
        (total, ids), found, *others = self._together(
            lambda: self._page(plan, chosen),
            lambda: self._by_facet(chosen),
            *(partial(self._by_facet, query, facet) for facet, query in lifted.items()),
        )
        counts = {**found, **{facet: other[facet] for facet, other in zip(lifted, others, strict=True)}}
        return Hits(
            ids=ids,
            total=total,
            counts={facet: counts[facet] for facet in FACETS},
            found={facet: found[facet] for facet in FACETS},
            dropped=tuple(sorted(set(range(len(plan.wanted))) - set(kept))),
            vague=self._count(all_of([chosen, *vague_in(plan)])) if plan.query.from_ or plan.query.to else 0,
            own=found[OWN],
        )

    def _together(self, *tasks: Callable[[], Any]) -> list[Any]:
        """The results of all; over many cases side by side, since the engine works while Python does not."""
        if self._searcher.num_docs < MANY:
            return [task() for task in tasks]
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415, a cold search of few cases needs none

        with ThreadPoolExecutor(len(tasks)) as pool:
            return list(pool.map(lambda task: task(), tasks))

    def _enough(self, plan: Plan) -> tuple[int, ...]:
        """The places of the words to look for: all, unless no case matches them."""
        every = tuple(range(len(plan.wanted)))
        return every if self._count(chosen_by(plan, every)) else self.kept(plan)

    def _count(self, query: Query) -> int:
        # The package's stub leaves `count` out.
        found: Any = self._searcher.search(query, limit=1)
        return int(found.count or 0)

    def _page(self, plan: Plan, chosen: Query) -> tuple[int, tuple[str, ...]]:
        """How many cases there are on all pages, and the ids of the asked page."""
        start = (plan.query.page - 1) * plan.query.page_size
        if start >= max(1, self._searcher.num_docs):
            return self._count(chosen), ()
        field = {"relevance": None, "newest": "newest_rank", "added": "added_rank"}[plan.order]
        found: Any = self._searcher.search(
            chosen,
            limit=plan.query.page_size,
            offset=start,
            order_by_field=field,
            order=tantivy.Order.Asc if field else tantivy.Order.Desc,
        )
        ids = (str(self._searcher.doc(address).get_first("id")) for _, address in found.hits)
        return int(found.count or 0), tuple(ids)

    def _by_facet(self, query: Query, only: str = "") -> dict[str, dict[str, int]]:
        """How many of the cases carry each term: each term's cases are held against the set of those that match.

        Far cheaper over many cases than collecting the terms of every case that matches.
        """
        found: dict[str, dict[str, int]] = {facet: {} for facet in (*FACETS, OWN)}
        for key, count in self._searcher.terms_with_prefix(TERMS, only and term_key(only, ""), query):
            facet, _, term = key.partition(":")
            found[facet][term] = count
        return found
