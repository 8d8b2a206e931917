"""The embedded engine: a tantivy index of the keys of every case. User text never reaches a query parser, only our keys do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tantivy
from tantivy import Occur, Query

from kubegap.library.search.backend import Hits
from kubegap.library.search.fields import FIELDS, Field
from kubegap.library.search.order import period
from kubegap.library.search.plan import Needed, Plan, Wanted
from kubegap.library.search.prepared import Prepared
from kubegap.library.vocabulary import FACETS, Facet

FOLDER = "tantivy"
# Moved by the judged queries, of the development half only.
WEIGHTS: dict[Field, float] = {"title": 2.0, "signatures": 1.0, "tags": 2.0, "organisation": 2.0, "body": 1.0}
PAIR_WEIGHT = 0.5
OTHER_FIELDS = 0.2
# A case carries every term of the vocabulary at the most.
_MOST_VALUES = 10_000
_WRITER_BYTES = 64_000_000


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("pairs", tokenizer_name="whitespace", index_option="basic")
    for facet in (*FACETS, "own"):
        builder.add_text_field(f"{facet}_term", fast=True, tokenizer_name="raw", index_option="basic")
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
            document.add_text(f"{facet}_term", term)
    for component in entry.own_components:
        document.add_text("own_term", component)
    for number in ("first", "last", "is_exact", "newest_rank", "added_rank"):
        document.add_integer(number, int(getattr(entry, number)))
    return document


class TantivyEngine:
    """Searches an index that `build` wrote."""

    def __init__(self, folder: Path) -> None:
        self._searcher = tantivy.Index.open(str(folder)).searcher()

    def search(self, plan: Plan) -> Hits:
        """Run a plan; the same answer as the plain matcher's, in milliseconds."""
        text, kept = self._text(plan)
        scope = _all([_scored(text, plan.pairs), *_in_period(plan), *_excluded(plan)])
        chosen = _all([scope, *_filters(plan, FACETS)])
        counts, total, own = self._counts(chosen)
        inside = {facet: counts[facet] for facet in FACETS if plan.query.selected(facet)}
        counts.update(self._lifted(plan, scope))
        return Hits(
            ids=self._page(plan, chosen),
            total=total,
            counts=counts,
            dropped=tuple(sorted(set(range(len(plan.wanted))) - set(kept))),
            vague=self._count(_all([chosen, *_vague(plan)])) if plan.query.from_ or plan.query.to else 0,
            own=own,
            inside=inside,
        )

    def total(self, plan: Plan) -> int:
        """Only the number of cases that a plan finds."""
        return self._count(self._chosen(plan))

    def ids(self, plan: Plan) -> tuple[str, ...]:
        """Only the asked page."""
        return self._page(plan, self._chosen(plan))

    def _chosen(self, plan: Plan) -> Query:
        text, _ = self._text(plan)
        return _all([_scored(text, plan.pairs), *_in_period(plan), *_excluded(plan), *_filters(plan, FACETS)])

    def frequency(self, field: Field, key: str) -> int:
        """In how many cases a field has a key."""
        return int(self._searcher.doc_freq(field, key))

    def pair_frequency(self, pair: str) -> int:
        """In how many cases two words are neighbours."""
        return int(self._searcher.doc_freq("pairs", pair))

    def _text(self, plan: Plan) -> tuple[Query, list[int]]:
        """The query for the words, and the places of those that were kept (see `matcher._match_words`)."""
        wanted = plan.wanted
        if not wanted:
            return Query.empty_query() if plan.is_text else Query.all_query(), []
        queries = [_word(word) for word in wanted]
        left = list(range(len(wanted)))
        counts: dict[int, int] = {}
        while left:
            query = Query.boolean_query([(Occur.Should, queries[word]) for word in left], plan.enough(len(left)))
            if self._count(query):
                return query, left
            if plan.is_text:
                return Query.empty_query(), left
            counts = counts or {word: self._count(queries[word]) for word in left}
            left.remove(min(left, key=lambda word: (counts[word], -word)))
        return Query.empty_query(), []

    def _count(self, query: Query) -> int:
        # The package's stub leaves `count` out.
        found: Any = self._searcher.search(query, limit=1)
        return int(found.count or 0)

    def _page(self, plan: Plan, chosen: Query) -> tuple[str, ...]:
        start = (plan.query.page - 1) * plan.query.page_size
        if start >= max(1, self._searcher.num_docs):
            return ()
        field = {"relevance": None, "newest": "newest_rank", "added": "added_rank"}[plan.order]
        found = self._searcher.search(
            chosen,
            limit=plan.query.page_size,
            offset=start,
            order_by_field=field,
            order=tantivy.Order.Asc if field else tantivy.Order.Desc,
        )
        return tuple(str(self._searcher.doc(address).get_first("id")) for _, address in found.hits)

    def _counts(self, chosen: Query) -> tuple[dict[Facet, dict[str, int]], int, dict[str, int]]:
        """In one pass over the chosen cases: the counts of all facets, the number of cases, and their own components."""
        asked = {facet: _terms(facet) for facet in FACETS} | {
            "own": _terms("own"),
            "total": {"value_count": {"field": "is_exact"}},
        }
        answer = self._searcher.aggregate(chosen, asked)
        counts = {facet: _buckets(answer[facet]) for facet in FACETS}
        return counts, int(answer["total"]["value"]), _buckets(answer["own"])

    def _lifted(self, plan: Plan, scope: Query) -> Iterator[tuple[Facet, dict[str, int]]]:
        """The counts of each facet with a choice, as if nothing were chosen in it."""
        for facet in FACETS:
            if plan.query.selected(facet):
                lifted = _all([scope, *_filters(plan, [other for other in FACETS if other != facet])])
                yield facet, _buckets(self._searcher.aggregate(lifted, {facet: _terms(facet)})[facet])


def _terms(facet: str) -> dict[str, Any]:
    return {"terms": {"field": f"{facet}_term", "size": _MOST_VALUES, "segment_size": _MOST_VALUES}}


def _buckets(answer: Mapping[str, Any]) -> dict[str, int]:
    return {str(bucket["key"]): int(bucket["doc_count"]) for bucket in answer["buckets"]}


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
        Query.term_set_query(SCHEMA, f"{facet}_term", list(plan.query.selected(facet)))
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
