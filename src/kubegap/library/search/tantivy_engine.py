"""The embedded engine: a tantivy index of the keys of every case. User text never reaches a query parser, only our keys do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import tantivy
from tantivy import Occur, Query

from kubegap.library.search.backend import Hits
from kubegap.library.search.fields import FIELDS, Field
from kubegap.library.search.opening import open_index
from kubegap.library.search.order import period
from kubegap.library.search.plan import Needed, Plan, Wanted
from kubegap.library.search.prepared import Prepared
from kubegap.library.vocabulary import FACETS, Facet

FOLDER = "tantivy"
# Moved by the judged queries, of the development half only.
WEIGHTS: dict[Field, float] = {"title": 2.0, "signatures": 1.0, "tags": 2.0, "organisation": 2.0, "body": 1.0}
PAIR_WEIGHT = 0.5
OTHER_FIELDS = 0.2
# All facets share one field, so that one walk over its terms counts them all: `component:nccl`.
TERMS = "terms"
# The components that a case names itself, without broader ones.
OWN = "own"
_WRITER_BYTES = 64_000_000
# From so many cases on, threads are quicker than turns.
MANY = 50_000


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("pairs", tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field(TERMS, tokenizer_name="raw", index_option="basic")
    for number in ("first", "last", "is_exact", "newest_rank", "added_rank"):
        builder.add_integer_field(number, indexed=True, fast=True)
    return builder.build()


SCHEMA = _schema()


def build(folder: Path, entries: Iterable[Prepared]) -> None:
    """Write an index of all entries into an empty folder; raises `OSError` when the disk does not take it."""
    folder.mkdir(parents=True)
    with _refusals():
        # One thread, one segment: the same input gives the same answers, and a search has one place to look.
        writer = tantivy.Index(SCHEMA, path=str(folder)).writer(heap_size=_WRITER_BYTES, num_threads=1)
    for entry in entries:
        with _refusals():
            writer.add_document(_document(entry))
    with _refusals():
        writer.commit()
        writer.wait_merging_threads()


@contextmanager
def _refusals() -> Iterator[None]:
    """The engine tells a full disk as it tells everything else: by a `ValueError`."""
    try:
        yield
    except ValueError as error:
        raise OSError(str(error)) from error


def _document(entry: Prepared) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("id", entry.id)
    for field, keys in entry.keys.items():
        document.add_text(field, " ".join(keys))
    document.add_text("pairs", " ".join(entry.pairs))
    for facet, terms in entry.terms.items():
        for term in terms:
            document.add_text(TERMS, _term(facet, term))
    for component in entry.own_components:
        document.add_text(TERMS, _term(OWN, component))
    for number in ("first", "last", "is_exact", "newest_rank", "added_rank"):
        document.add_integer(number, int(getattr(entry, number)))
    return document


class TantivyEngine:
    """Searches an index that `build` wrote."""

    def __init__(self, folder: Path) -> None:
        self._searcher = open_index(folder).searcher()

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
        return self._count(_chosen(plan, self._enough(plan)))

    def ids(self, plan: Plan) -> tuple[str, ...]:
        """Only the asked page."""
        return self._page(plan, _chosen(plan, self._enough(plan)))[1]

    def matching(self, plan: Plan, kept: Collection[int]) -> list[int]:
        """The places, among the entries it was built from, of the cases that match the kept words, closest first."""
        text = _scored(_text(plan, kept), plan.pairs)
        found: Any = self._searcher.search(text, limit=max(1, self._searcher.num_docs))
        # One segment, written by one thread: the number of a document is its place.
        return [address.doc for _, address in found.hits]

    def kept(self, plan: Plan) -> tuple[int, ...]:
        """The places of the words that some case matches together (see `matcher._match_words`)."""
        left = list(range(len(plan.wanted)))
        counts: dict[int, int] = {}
        while left and not self._count(_text(plan, left)):
            if plan.is_text:
                break
            counts = counts or {place: self._count(_word(plan.wanted[place])) for place in left}
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
        scope, chosen = _scope(plan, kept), _chosen(plan, kept)
        # A facet with a choice is counted with that choice lifted.
        lifted = {
            facet: _all([scope, *_filters(plan, [other for other in FACETS if other != facet])])
            for facet in FACETS
            if plan.query.selected(facet)
        }
        (total, ids), counts, *others = self._together(
            lambda: self._page(plan, chosen),
            lambda: self._by_facet(chosen),
            *(partial(self._by_facet, query, facet) for facet, query in lifted.items()),
        )
        inside = {facet: counts[facet] for facet in lifted}
        for facet, other in zip(lifted, others, strict=True):
            counts[facet] = other[facet]
        return Hits(
            ids=ids,
            total=total,
            counts={facet: counts[facet] for facet in FACETS},
            dropped=tuple(sorted(set(range(len(plan.wanted))) - set(kept))),
            vague=self._count(_all([chosen, *_vague(plan)])) if plan.query.from_ or plan.query.to else 0,
            own=counts[OWN],
            inside=inside,
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
        return every if self._count(_chosen(plan, every)) else self.kept(plan)

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
        for key, count in self._searcher.terms_with_prefix(TERMS, only and _term(only, ""), query):
            facet, _, term = key.partition(":")
            found[facet][term] = count
        return found


def _term(facet: str, term: str) -> str:
    return f"{facet}:{term}"


def _scope(plan: Plan, kept: Collection[int]) -> Query:
    """Cases that match the words, whatever was chosen."""
    return _all([_scored(_text(plan, kept), plan.pairs), *_in_period(plan), *_excluded(plan)])


def _chosen(plan: Plan, kept: Collection[int]) -> Query:
    """Cases that match the words and what was chosen."""
    return _all([_scope(plan, kept), *_filters(plan, FACETS)])


def _text(plan: Plan, kept: Collection[int]) -> Query:
    """Cases that match enough of the kept words; all cases where nothing was asked."""
    if not plan.wanted:
        return Query.empty_query() if plan.is_text else Query.all_query()
    words = [(Occur.Should, _word(plan.wanted[place])) for place in kept]
    return Query.boolean_query(words, plan.enough(len(words))) if words else Query.empty_query()


def _all(queries: Sequence[Query]) -> Query:
    """Cases in all of the sets; the first one alone gives the score."""
    first, *rest = queries
    if not rest:
        return first
    return Query.boolean_query(
        [(Occur.Must, first), *((Occur.Must, Query.const_score_query(query, 0.0)) for query in rest)]
    )


def _scored(text: Query, pairs: Sequence[str]) -> Query:
    """The text query, with more score where words of the question are neighbours."""
    if not pairs:
        return text
    near = [Query.boost_query(Query.term_query(SCHEMA, "pairs", pair, "basic"), PAIR_WEIGHT) for pair in pairs]
    return Query.boolean_query([(Occur.Must, text), *((Occur.Should, query) for query in near)])


def _excluded(plan: Plan) -> list[Query]:
    if plan.excluded is None:
        return []
    this = Query.term_query(SCHEMA, "id", plan.excluded, "basic")
    return [Query.boolean_query([(Occur.Must, Query.all_query()), (Occur.MustNot, this)])]


def _filters(plan: Plan, facets: Iterable[Facet]) -> list[Query]:
    return [
        Query.term_set_query(SCHEMA, TERMS, [_term(facet, term) for term in plan.query.selected(facet)])
        for facet in facets
        if plan.query.selected(facet)
    ]


def _in_period(plan: Plan) -> list[Query]:
    first, last = period(plan.query.from_, plan.query.to)
    queries = []
    if plan.query.from_:
        queries.append(Query.range_query(SCHEMA, "last", tantivy.FieldType.Integer, lower_bound=first))
    if plan.query.to:
        queries.append(Query.range_query(SCHEMA, "first", tantivy.FieldType.Integer, upper_bound=last))
    return queries


def _vague(plan: Plan) -> list[Query]:
    """Cases not dated to the day whose possible days reach out of the period."""
    first, last = period(plan.query.from_, plan.query.to)
    outside = Query.boolean_query(
        [
            (
                Occur.Should,
                Query.range_query(SCHEMA, "first", tantivy.FieldType.Integer, upper_bound=first, include_upper=False),
            ),
            (
                Occur.Should,
                Query.range_query(SCHEMA, "last", tantivy.FieldType.Integer, lower_bound=last, include_lower=False),
            ),
        ]
    )
    return [Query.term_query(SCHEMA, "is_exact", 0), outside]


def _word(word: Wanted) -> Query:
    """Cases in which a word stands in any field, by itself or by a name of its terms; the best field gives most of the score."""
    fields = [Query.boost_query(_in_field(word, field), WEIGHTS[field]) for field in FIELDS]
    return Query.disjunction_max_query(fields, OTHER_FIELDS)


def _in_field(word: Wanted, field: Field) -> Query:
    ways = [_standing(word.itself, field), *(_key(field, key) for key in word.concepts)]
    return ways[0] if len(ways) == 1 else Query.disjunction_max_query(ways)


def _standing(needed: Needed, field: Field) -> Query:
    """The whole word, or enough of its pieces; of Hangul the first pair must be there."""
    whole = _key(field, needed.whole)
    if not needed.pieces or needed.pieces == (needed.whole,):
        return whole
    pieces = [_key(field, piece) for piece in needed.pieces]
    enough_pieces = Query.boolean_query([(Occur.Should, piece) for piece in pieces], needed.at_least)
    if not needed.first:
        return Query.disjunction_max_query([whole, enough_pieces])
    both = Query.boolean_query([(Occur.Must, Query.const_score_query(pieces[0], 0.0)), (Occur.Must, enough_pieces)])
    # A word of many syllables must not outweigh its neighbours only by having more pairs of them.
    return Query.boost_query(both, len(pieces) ** -0.7)


def _key(field: Field, key: str) -> Query:
    return Query.term_query(SCHEMA, field, key, "freq")
