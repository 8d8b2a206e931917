"""The plain matcher: searches by reading everything. It is the meaning of search that every engine must agree with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.search.backend import Hits
from kubegap.library.search.fields import FIELDS, Field, units
from kubegap.library.search.names import Names
from kubegap.library.search.order import added_key, is_vague_in, newest_key, overlaps
from kubegap.library.search.plan import Plan, Wanted
from kubegap.library.search.prepared import Analyst
from kubegap.library.search.query import Query
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary, carried, tagged

WEIGHTS: dict[Field, float] = {"title": 4, "signatures": 4, "tags": 3, "organisation": 2, "body": 1}


class Case(Struct, frozen=True):
    """An incident as the matcher reads it: the keys of each field, and its terms with their broader ones."""

    incident: Incident
    keys: dict[Field, frozenset[str]]
    terms: dict[Facet, frozenset[str]]
    pairs: frozenset[str]


class Matcher:
    """Searches a list of cases from first to last."""

    def __init__(self, incidents: Iterable[Incident], vocabulary: Vocabulary, names: Names) -> None:
        analyst = Analyst(vocabulary, names)
        self.cases = [_case(incident, analyst) for incident in incidents if incident.withdrawn is None]

    def search(self, plan: Plan) -> Hits:
        """Run a plan by the rules of search, one after the other."""
        matched, dropped = _match_words(self.cases, plan)
        matched = [case for case in matched if case.incident.id != plan.excluded]
        in_period = [case for case in matched if overlaps(case.incident.happened, plan.query.from_, plan.query.to)]
        chosen = [case for case in in_period if _passes(case, plan.query.filters)]
        wanted = [word for place, word in enumerate(plan.wanted) if place not in dropped]
        ordered = _ordered(chosen, plan, wanted, self.cases)
        start = (plan.query.page - 1) * plan.query.page_size
        return Hits(
            ids=tuple(case.incident.id for case in ordered[start : start + plan.query.page_size]),
            total=len(chosen),
            counts={facet: _counts(in_period, plan.query, facet) for facet in FACETS},
            found={facet: Counter(term for case in chosen for term in case.terms[facet]) for facet in FACETS},
            dropped=tuple(sorted(dropped)),
            vague=sum(is_vague_in(case.incident.happened, plan.query.from_, plan.query.to) for case in chosen),
            own=Counter(term for case in chosen for term in dict.fromkeys(tagged(case.incident)["component"])),
        )

    def total(self, plan: Plan) -> int:
        """Only the number of cases that a plan finds."""
        return self.search(plan).total

    def ids(self, plan: Plan) -> tuple[str, ...]:
        """Only the asked page."""
        return self.search(plan).ids

    def frequency(self, field: Field, key: str) -> int:
        """In how many cases a field has a key."""
        return sum(key in case.keys[field] for case in self.cases)

    def pair_frequency(self, pair: str) -> int:
        """In how many cases two words are neighbours."""
        return sum(pair in case.pairs for case in self.cases)


def _case(incident: Incident, analyst: Analyst) -> Case:
    found: dict[Field, set[str]] = {field: set() for field in FIELDS}
    neighbours: set[str] = set()
    for unit in units(incident, analyst.vocabulary):
        analysed = analyst.analyse(unit)
        found[unit.field].update(analysed.keys)
        neighbours.update(analysed.pairs)
    return Case(
        incident,
        {field: frozenset(stand) for field, stand in found.items()},
        {facet: frozenset(carried(incident, facet, analyst.vocabulary)) for facet in FACETS},
        frozenset(neighbours),
    )


def _match_words(cases: list[Case], plan: Plan) -> tuple[list[Case], set[int]]:
    """The cases that match enough words, and the places of words dropped because otherwise none would.

    The rarest word goes first (of equally rare ones the last in the question). No word is left: no case.
    """
    wanted = plan.wanted
    matching = [{place for place, case in enumerate(cases) if _has(case, word)} for word in wanted]
    left = list(range(len(wanted)))
    while left:
        tally = Counter(place for word in left for place in matching[word])
        if found := {place for place, count in tally.items() if count >= plan.enough(len(left))}:
            return [case for place, case in enumerate(cases) if place in found], set(range(len(wanted))) - set(left)
        if plan.is_text:
            return [], set()
        left.remove(min(left, key=lambda word: (len(matching[word]), -word)))
    return ([] if wanted or plan.is_text else cases), set(range(len(wanted)))


def _has(case: Case, word: Wanted) -> bool:
    return any(word.stands_in(stand) for stand in case.keys.values())


def _passes(case: Case, filters: Mapping[Facet, tuple[str, ...]]) -> bool:
    """OR inside a facet, AND across facets."""
    return all(case.terms[facet] & set(values) for facet, values in filters.items())


def _counts(cases: Iterable[Case], query: Query, facet: Facet) -> Counter[str]:
    """What each value of a facet would give if it were the facet's only choice."""
    others = {name: values for name, values in query.filters.items() if name != facet}
    return Counter(term for case in cases if _passes(case, others) for term in case.terms[facet])


def _ordered(chosen: list[Case], plan: Plan, wanted: Sequence[Wanted], cases: list[Case]) -> list[Case]:
    if plan.order == "added":
        return sorted(chosen, key=lambda case: added_key(case.incident))
    if plan.order == "newest":
        return sorted(chosen, key=lambda case: newest_key(case.incident))
    rarity = [log(1 + len(cases) / (1 + sum(_has(case, word) for case in cases))) for word in wanted]
    return sorted(chosen, key=lambda case: (-_score(case, wanted, rarity), newest_key(case.incident)))


def _score(case: Case, wanted: Sequence[Wanted], rarity: Sequence[float]) -> float:
    """Rare words in telling fields weigh most."""
    return sum(
        rare * sum(WEIGHTS[field] for field, stand in case.keys.items() if word.stands_in(stand))
        for word, rare in zip(wanted, rarity, strict=True)
    )
