"""One question to one page of results: plan it, let an engine find, and put the answer into words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import cast

import msgspec

from kubegap.library.generation import Generation
from kubegap.library.record import Incident
from kubegap.library.search.backend import Counts, Hits, SearchBackend
from kubegap.library.search.corrections import LEXICON, Spellings, corrections, decode_lexicon
from kubegap.library.search.few import CASES, FewCases, decode_cases
from kubegap.library.search.names import NAMES, Found, decode_names
from kubegap.library.search.plan import Plan, plan
from kubegap.library.search.prepared import LABELS, TEXTS, Texts, decode_labels, decode_texts
from kubegap.library.search.query import Query, check
from kubegap.library.search.result import Correction, FacetValue, Item, Recognised, Result, TopComponent, Why
from kubegap.library.search.sentence import sentence
from kubegap.library.search.similar import plan_text, text_of
from kubegap.library.search.sounds import SOUNDS, decode_sounds, with_sounds
from kubegap.library.search.tantivy_engine import TantivyEngine
from kubegap.library.search.tantivy_index import FOLDER
from kubegap.library.search.why import Explainer
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary, tagged

TOP_COMPONENTS = 3
CARRIED_BY = 2
MOST_RECOGNISED = 10
CASES_KEPT = 256
_PAGE_OF_IDS = 1000
_CLOSEST = Query(page_size=10)


class Search:
    """Search over one open generation, by the embedded engine unless another is given."""

    def __init__(self, generation: Generation, backend: SearchBackend | None = None) -> None:
        self.generation = generation
        self.vocabulary: Vocabulary = generation.vocabulary
        self.names = generation.decoded(NAMES, decode_names)
        self.backend = backend or embedded_engine(generation)
        self._labels = generation.decoded(LABELS, decode_labels)
        # Decoding a case takes longer than finding it, and the same ones are found again and again.
        self.incident = lru_cache(maxsize=CASES_KEPT)(generation.incident)
        self._case = lru_cache(maxsize=CASES_KEPT)(self._decoded)

    def run(self, query: Query) -> Result:
        """Answer a question; raises `UnknownName` or `BadQuery` when it cannot be asked so."""
        return self.run_counted(query)[0]

    def run_counted(self, query: Query) -> tuple[Result, Counts]:
        """The same, with the counts of all values over the found cases alone: a result lifts the choice of each facet."""
        planned = self._plan(check(query, self.vocabulary))
        hits = self.backend.search(planned)
        return self._answer(planned, hits), hits.found

    def similar(self, text: str, query: Query = _CLOSEST) -> Result:
        """The cases closest to a pasted text of at most `similar.MAX_BYTES`; filters and page size of `query` apply."""
        checked = msgspec.structs.replace(check(query, self.vocabulary), q="", order=None)
        planned = plan_text(text, checked, self.names, self.backend, self.generation.manifest.incidents)
        return self._answer(planned, self.backend.search(planned))

    def similar_to(self, incident: str, query: Query = _CLOSEST) -> Result:
        """The cases closest to a case; raises `UnknownName`."""
        text = text_of(self.generation.incident(incident))
        planned = plan_text(
            text, check(query, self.vocabulary), self.names, self.backend, self.generation.manifest.incidents
        )
        planned = msgspec.structs.replace(planned, excluded=incident)
        return self._answer(planned, self.backend.search(planned))

    def _plan(self, query: Query) -> Plan:
        return with_sounds(plan(query, self.names), self._lexicon, self._sounds)

    @cached_property
    def _sounds(self) -> dict[str, list[str]]:
        return self.generation.decoded(SOUNDS, decode_sounds)

    def _decoded(self, incident: str) -> tuple[Incident, Texts]:
        return self.incident(incident), self.generation.decoded_line(TEXTS, incident, decode_texts)

    def ids(self, query: Query) -> Iterator[str]:
        """The ids of all cases that a question finds, in order and without reasons; pages of the question do not count."""
        planned = self._plan(check(msgspec.structs.replace(query, page=1, page_size=_PAGE_OF_IDS), self.vocabulary))
        while found := self.backend.ids(planned):
            yield from found
            planned = msgspec.structs.replace(
                planned, query=msgspec.structs.replace(planned.query, page=planned.query.page + 1)
            )

    def newest(self, query: Query, count: int) -> tuple[str, ...]:
        """The ids of the newest cases that a question finds, at most so many."""
        asked = msgspec.structs.replace(query, order="newest", page=1, page_size=count)
        return self.backend.ids(self._plan(check(asked, self.vocabulary)))

    def _answer(self, planned: Plan, hits: Hits) -> Result:
        wanted = [word for place, word in enumerate(planned.wanted) if place not in hits.dropped]
        explainer = Explainer(wanted, self.vocabulary, self._labels)
        cases = [self._case(incident) for incident in hits.ids]
        return Result(
            total=hits.total,
            page=planned.query.page,
            page_size=planned.query.page_size,
            order=planned.order,
            sentence=sentence(planned, hits, self.vocabulary),
            dropped=[planned.wanted[place].text for place in hits.dropped],
            corrections=self._corrections(planned),
            recognised=[self._recognised(planned, found) for found in _once(planned)],
            facets={facet: _facet_values(planned, hits, facet, self.vocabulary) for facet in FACETS},
            top_components=_top_components(hits, self.vocabulary),
            items=[_item(incident, explainer.explain(incident, texts)) for incident, texts in cases],
            next=None if planned.is_text else _next(planned.query, hits.total),
        )

    def total(self, query: Query) -> int:
        """Only the number of cases that a question finds."""
        return self.backend.total(self._plan(check(query, self.vocabulary)))

    def _corrections(self, planned: Plan) -> list[Correction]:
        if planned.is_text:
            return []
        return list(corrections(planned, self.backend, self._spellings))

    @cached_property
    def _spellings(self) -> Spellings:
        return Spellings(self._lexicon)

    @cached_property
    def _lexicon(self) -> dict[str, int]:
        return self.generation.decoded(LEXICON, decode_lexicon)

    def _recognised(self, planned: Plan, found: Found) -> Recognised:
        # A plan has only terms among what it found, no groups of words.
        facet = cast("Facet", found.facet)
        label = self.vocabulary.term(facet, found.term).label
        span = (found.start, found.end)
        asked = planned.query.with_values(facet, [found.term]) if planned.is_text else None
        count = self.total(asked or with_recognised(planned.query, facet, found.term, span))
        return Recognised(facet, found.term, label, (found.start, found.end), count)


def embedded_engine(generation: Generation) -> SearchBackend:
    """The engine that the library was compiled for: few cases have a table beside the index."""
    engine = TantivyEngine(generation.folder / FOLDER)
    is_few = CASES in generation.manifest.files and engine.numbers_are_places
    return FewCases(generation.decoded(CASES, decode_cases), engine) if is_few else engine


def _once(planned: Plan) -> list[Found]:
    """The terms to offer; a long text names many, and often more than once."""
    if not planned.is_text:
        return list(planned.found)
    return list({(found.facet, found.term): found for found in reversed(planned.found)}.values())[::-1][
        :MOST_RECOGNISED
    ]


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
