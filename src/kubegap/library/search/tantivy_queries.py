"""Plans as queries of the engine. User text never reaches a query parser, only our keys do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import tantivy
from tantivy import Occur, Query

from kubegap.library.search.fields import FIELDS, Field
from kubegap.library.search.order import period
from kubegap.library.search.plan import Needed, Plan, Wanted
from kubegap.library.search.tantivy_index import SCHEMA, TERMS, term_key
from kubegap.library.vocabulary import FACETS, Facet

# Moved by the judged queries, of the development half only.
WEIGHTS: dict[Field, float] = {"title": 2.0, "signatures": 1.0, "tags": 2.0, "organisation": 2.0, "body": 1.0}
PAIR_WEIGHT = 0.5
OTHER_FIELDS = 0.2


def scope_of(plan: Plan, kept: Collection[int]) -> Query:
    """Cases that match the words, whatever was chosen."""
    return all_of([scored(matching_text(plan, kept), plan.pairs), *_in_period(plan), *_excluded(plan)])


def chosen_by(plan: Plan, kept: Collection[int]) -> Query:
    """Cases that match the words and what was chosen."""
    return all_of([scope_of(plan, kept), *filters(plan, FACETS)])


def matching_text(plan: Plan, kept: Collection[int]) -> Query:
    """Cases that match enough of the kept words; all cases where nothing was asked."""
    if not plan.wanted:
        return Query.empty_query() if plan.is_text else Query.all_query()
    words = [(Occur.Should, standing_anywhere(plan.wanted[place])) for place in kept]
    return Query.boolean_query(words, plan.enough(len(words))) if words else Query.empty_query()


def all_of(queries: Sequence[Query]) -> Query:
    """Cases in all of the sets; the first one alone gives the score."""
    first, *rest = queries
    if not rest:
        return first
    return Query.boolean_query(
        [(Occur.Must, first), *((Occur.Must, Query.const_score_query(query, 0.0)) for query in rest)]
    )


def scored(text: Query, pairs: Sequence[str]) -> Query:
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


def filters(plan: Plan, facets: Iterable[Facet]) -> list[Query]:
    """One set of cases for each of the facets in which something was chosen."""
    return [
        Query.term_set_query(SCHEMA, TERMS, [term_key(facet, term) for term in plan.query.selected(facet)])
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


def vague_in(plan: Plan) -> list[Query]:
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


def standing_anywhere(word: Wanted) -> Query:
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
