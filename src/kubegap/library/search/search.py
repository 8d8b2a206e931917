"""One question to one page of results: plan it, let an engine find, and put the answer into words."""

from __future__ import annotations

import msgspec

from kubegap.library.generation import Generation
from kubegap.library.record import Incident
from kubegap.library.search.backend import Hits, SearchBackend
from kubegap.library.search.matcher import Matcher
from kubegap.library.search.names import Found, Names
from kubegap.library.search.plan import Plan, plan
from kubegap.library.search.query import Query, check
from kubegap.library.search.result import FacetValue, Item, Recognised, Result, TopComponent, Why
from kubegap.library.search.sentence import sentence
from kubegap.library.search.why import explain
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary, tagged

TOP_COMPONENTS = 3
CARRIED_BY = 2


class Search:
    """Search over one open generation."""

    def __init__(self, generation: Generation, backend: SearchBackend | None = None) -> None:
        self.generation = generation
        self.vocabulary: Vocabulary = generation.vocabulary
        self.names = Names(self.vocabulary)
        self.backend = backend or Matcher(generation.incidents(), self.vocabulary, self.names)

    def run(self, query: Query) -> Result:
        """Answer a question; raises `UnknownName` or `BadQuery` when it cannot be asked so."""
        planned = plan(check(query, self.vocabulary), self.names)
        hits = self.backend.search(planned)
        wanted = [word for place, word in enumerate(planned.wanted) if place not in hits.dropped]
        incidents = [self.generation.incident(incident) for incident in hits.ids]
        return Result(
            total=hits.total,
            page=planned.query.page,
            page_size=planned.query.page_size,
            order=planned.query.effective_order,
            sentence=sentence(planned, hits, self.vocabulary),
            dropped=[planned.wanted[place].text for place in hits.dropped],
            corrections=[],
            recognised=[self._recognised(planned, found) for found in planned.found],
            facets={facet: _facet_values(planned, hits, facet, self.vocabulary) for facet in FACETS},
            top_components=_top_components(hits, self.vocabulary),
            items=[_item(incident, explain(incident, wanted, self.vocabulary, self.names)) for incident in incidents],
            next=_next(planned.query, hits.total),
        )

    def total(self, query: Query) -> int:
        """Only the number of cases that a question finds."""
        asked = msgspec.structs.replace(query, page=1, page_size=1)
        return self.backend.search(plan(check(asked, self.vocabulary), self.names)).total

    def _recognised(self, planned: Plan, found: Found) -> Recognised:
        label = self.vocabulary.term(found.facet, found.term).label
        count = self.total(with_recognised(planned.query, found.facet, found.term, (found.start, found.end)))
        return Recognised(found.facet, found.term, label, (found.start, found.end), count)


def with_recognised(query: Query, facet: Facet, term: str, span: tuple[int, int]) -> Query:
    """The question after a recognised value was applied: its words move from the text to the filter."""
    words = f"{query.q[: span[0]]} {query.q[span[1] :]}"
    values = dict.fromkeys([*query.selected(facet), term])
    return msgspec.structs.replace(query.with_values(facet, list(values)), q=" ".join(words.split()))


def _facet_values(planned: Plan, hits: Hits, facet: Facet, vocabulary: Vocabulary) -> list[FacetValue]:
    """All values with cases, and the chosen ones even without; most cases first, then by id."""
    selected = planned.query.selected(facet)
    counts = {**dict.fromkeys(selected, 0), **hits.counts[facet]}
    ordered = sorted(counts, key=lambda term: (-counts[term], term))
    return [FacetValue(term, vocabulary.term(facet, term).label, counts[term], term in selected) for term in ordered]


def _top_components(hits: Hits, vocabulary: Vocabulary) -> list[TopComponent]:
    ordered = sorted(hits.own, key=lambda term: (-hits.own[term], term))
    shared = [term for term in ordered if hits.own[term] >= CARRIED_BY][:TOP_COMPONENTS]
    return [TopComponent(term, vocabulary.term("component", term).label, hits.own[term]) for term in shared]


def _item(incident: Incident, why: list[Why]) -> Item:
    terms = tagged(incident)
    return Item(
        id=incident.id,
        title=incident.title,
        organisation=incident.organisation,
        happened=incident.happened,
        components=terms["component"],
        causes=terms["cause"],
        symptoms=terms["symptom"],
        factors=terms["factor"],
        why=why,
    )


def _next(query: Query, total: int) -> str | None:
    if query.page * query.page_size >= total:
        return None
    return msgspec.structs.replace(query, page=query.page + 1).address()
