"""Few cases, as a library has that people write by hand: the engine finds and scores words, all else is sets of bits.

A set of cases is a whole number with the bit of each case's place set. Over some thousand cases, holding one such number
against that of each term takes less time than asking the engine to count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_

import msgspec
from msgspec import Struct

from kubegap.library.search.backend import Hits
from kubegap.library.search.fields import Field
from kubegap.library.search.order import period
from kubegap.library.search.plan import Plan
from kubegap.library.search.prepared import Prepared
from kubegap.library.search.tantivy_engine import TantivyEngine
from kubegap.library.vocabulary import FACETS, Facet

CASES = "cases.json"
FEW = 2_000


class Case(Struct, frozen=True, array_like=True):
    """What is known of a case beside its words (see `Prepared`)."""

    id: str
    terms: dict[Facet, list[str]]
    own_components: list[str]
    first: int
    last: int
    is_exact: bool
    newest_rank: int
    added_rank: int


def encode_cases(prepared: Iterable[Prepared]) -> bytes:
    """The cases in the order in which the engine was given them, as a file of the generation."""
    return msgspec.json.encode(
        [Case(*(getattr(entry, field) for field in Case.__struct_fields__)) for entry in prepared]
    )


decode_cases = msgspec.json.Decoder(list[Case]).decode


class FewCases:
    """Searches cases with an engine that was built from them in the same order."""

    def __init__(self, cases: Sequence[Case], engine: TantivyEngine) -> None:
        self._cases = cases
        self._engine = engine
        self._places = {case.id: place for place, case in enumerate(cases)}
        self._carriers = {facet: _bits_by(case.terms[facet] for case in cases) for facet in FACETS}
        self._own = _bits_by(case.own_components for case in cases)
        self._vague = _bits(place for place, case in enumerate(cases) if not case.is_exact)

    def search(self, plan: Plan) -> Hits:
        """Run a plan; the same answer as the engine's alone."""
        kept, matched = self._matched(plan)
        scope = self._scope(plan, matched)
        by_facet = self._by_facet(plan)
        chosen = reduce(and_, by_facet.values(), scope)
        found = {facet: _counts(self._carriers[facet], chosen) for facet in FACETS}
        lifted = {facet: _counts(self._carriers[facet], _without(by_facet, facet, scope)) for facet in by_facet}
        return Hits(
            ids=self._page(plan, matched, chosen),
            total=chosen.bit_count(),
            counts={**found, **lifted},
            found=found,
            dropped=tuple(place for place in range(len(plan.wanted)) if place not in kept),
            vague=(chosen & self._vague & ~self._inside(plan)).bit_count(),
            own=_counts(self._own, chosen),
        )

    def total(self, plan: Plan) -> int:
        """Only the number of cases that a plan finds."""
        return self._chosen(plan, self._matched(plan)[1]).bit_count()

    def ids(self, plan: Plan) -> tuple[str, ...]:
        """Only the asked page."""
        matched = self._matched(plan)[1]
        return self._page(plan, matched, self._chosen(plan, matched))

    def frequency(self, field: Field, key: str) -> int:
        """In how many cases a field has a key."""
        return self._engine.frequency(field, key)

    def pair_frequency(self, pair: str) -> int:
        """In how many cases two words are neighbours."""
        return self._engine.pair_frequency(pair)

    def _matched(self, plan: Plan) -> tuple[Collection[int], Sequence[int]]:
        """The places of the words that were looked for, and those of the cases that match them, closest first."""
        if not plan.wanted:
            return (), () if plan.is_text else range(len(self._cases))
        every = range(len(plan.wanted))
        if matched := self._engine.matching(plan, every):
            return every, matched
        kept = self._engine.kept(plan)
        return kept, self._engine.matching(plan, kept)

    def _chosen(self, plan: Plan, matched: Iterable[int]) -> int:
        return reduce(and_, self._by_facet(plan).values(), self._scope(plan, matched))

    def _by_facet(self, plan: Plan) -> dict[Facet, int]:
        """Cases that carry what was chosen of a facet, for each facet with a choice."""
        return {facet: self._carrying_any(facet, values) for facet, values in plan.query.filters.items() if values}

    def _scope(self, plan: Plan, matched: Iterable[int]) -> int:
        """Cases that match the words, whatever was chosen."""
        scope = _bits(matched)
        if plan.query.from_ or plan.query.to:
            scope &= self._touching(plan)
        return scope & ~(1 << self._places[plan.excluded]) if plan.excluded in self._places else scope

    def _touching(self, plan: Plan) -> int:
        """Cases that may have happened in the asked period."""
        first, last = period(plan.query.from_, plan.query.to)
        return _bits(place for place, case in enumerate(self._cases) if case.last >= first and case.first <= last)

    def _inside(self, plan: Plan) -> int:
        """Cases that cannot have happened outside the asked period."""
        first, last = period(plan.query.from_, plan.query.to)
        return _bits(place for place, case in enumerate(self._cases) if case.first >= first and case.last <= last)

    def _carrying_any(self, facet: Facet, terms: Iterable[str]) -> int:
        return reduce(or_, (self._carriers[facet].get(term, 0) for term in terms), 0)

    def _page(self, plan: Plan, matched: Iterable[int], chosen: int) -> tuple[str, ...]:
        places: Iterable[int] = (place for place in matched if chosen >> place & 1)
        if plan.order == "newest":
            places = sorted(places, key=lambda place: self._cases[place].newest_rank)
        elif plan.order == "added":
            places = sorted(places, key=lambda place: self._cases[place].added_rank)
        start = (plan.query.page - 1) * plan.query.page_size
        return tuple(self._cases[place].id for place in list(places)[start : start + plan.query.page_size])


def _bits(places: Iterable[int]) -> int:
    found = 0
    for place in places:
        found |= 1 << place
    return found


def _bits_by(names: Iterator[list[str]]) -> dict[str, int]:
    """The set of cases that have each name."""
    found: dict[str, int] = {}
    for place, case_names in enumerate(names):
        for name in case_names:
            found[name] = found.get(name, 0) | 1 << place
    return found


def _without(by_facet: Mapping[Facet, int], facet: Facet, scope: int) -> int:
    """What is left of a set with the choice of one facet lifted."""
    return reduce(and_, (bits for other, bits in by_facet.items() if other != facet), scope)


def _counts(carriers: Mapping[str, int], cases: int) -> dict[str, int]:
    """How many of some cases are in each set, of those with any."""
    return {name: count for name, bits in carriers.items() if (count := (bits & cases).bit_count())}
