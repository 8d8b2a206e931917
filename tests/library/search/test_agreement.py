"""The engine, alone and over few cases, and the plain matcher agree on thousands of random questions over made-up records."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
import tantivy
from bench.incidents import Maker

from kubegap.library import compiling
from kubegap.library.compiling import compile_library
from kubegap.library.generation import Generation, open_library
from kubegap.library.loading import Library
from kubegap.library.search import tantivy_engine
from kubegap.library.search.backend import Hits, SearchBackend
from kubegap.library.search.few import FewCases
from kubegap.library.search.matcher import Matcher
from kubegap.library.search.plan import Plan, plan
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search, embedded_engine
from kubegap.library.search.tantivy_engine import TantivyEngine
from kubegap.library.search.tantivy_index import FOLDER
from kubegap.library.vocabulary import FACETS

RECORDS = 250
QUESTIONS = 2_000


@pytest.fixture(scope="module")
def maker(loaded: Library) -> Maker:
    return Maker(loaded.vocabulary)


@pytest.fixture(scope="module")
def engines(loaded: Library, maker: Maker, tmp_path_factory: pytest.TempPathFactory) -> tuple[Search, Matcher]:
    """A search over few cases and the plain matcher, over the same made-up records."""
    incidents = list(maker.incidents(RECORDS))
    out: Path = tmp_path_factory.mktemp("made-up")
    compile_library(incidents, loaded.vocabulary, out, revision="", extra={})
    searching = Search(open_library(out))
    return searching, Matcher(incidents, loaded.vocabulary, searching.names)


@pytest.fixture(scope="module")
def alone(engines: tuple[Search, Matcher]) -> TantivyEngine:
    """The engine over the same records, which it counts and orders itself."""
    return TantivyEngine(engines[0].generation.folder / FOLDER)


def _question(maker: Maker, rng: random.Random) -> Query:
    return Query(
        q=maker.words(rng.randint(1, 6)) if rng.random() < 0.85 else "",
        filters={facet: maker.terms(facet, rng.randint(1, 2)) for facet in FACETS if rng.random() < 0.2},
        from_=rng.choice([None, None, "2018", "2019-05", "2020-02-03"]),
        to=rng.choice([None, None, "2021", "2021-05", "2022-12-31"]),
        order=rng.choice([None, "newest", "added"]),
        page=rng.choice([1, 1, 2, 3]),
        page_size=rng.choice([5, 20]),
    )


def _comparable(hits: Hits, plan: Plan) -> tuple:
    counts = {facet: dict(values) for facet, values in hits.counts.items()}
    ids = None if plan.order == "relevance" else hits.ids
    found = {facet: dict(values) for facet, values in hits.found.items()}
    return ids, hits.total, counts, hits.dropped, hits.vague, dict(hits.own), found


def _check_agreement(backend: SearchBackend, engines: tuple[Search, Matcher], maker: Maker, rng: random.Random) -> None:
    searching, matcher = engines
    for _ in range(QUESTIONS // 3):
        asked = plan(_question(maker, rng), searching.names)

        meant = matcher.search(asked)

        assert _comparable(backend.search(asked), asked) == _comparable(meant, asked), asked.query
        assert backend.total(asked) == meant.total, asked.query
        assert asked.order == "relevance" or backend.ids(asked) == meant.ids, asked.query


@pytest.mark.parametrize("many", [tantivy_engine.MANY, 0], ids=["in turn", "side by side"])
def test_engine_and_matcher_agree(
    alone: TantivyEngine,
    engines: tuple[Search, Matcher],
    maker: Maker,
    many: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tantivy_engine, "MANY", many)
    _check_agreement(alone, engines, maker, random.Random(7 + many))


def test_few_cases_and_matcher_agree(engines: tuple[Search, Matcher], maker: Maker) -> None:
    assert isinstance(engines[0].backend, FewCases)
    _check_agreement(engines[0].backend, engines, maker, random.Random(9))


def test_few_cases_are_found_in_the_order_of_the_engine_alone(
    alone: TantivyEngine, engines: tuple[Search, Matcher], maker: Maker
) -> None:
    rng = random.Random(10)
    for _ in range(500):
        asked = plan(_question(maker, rng), engines[0].names)

        assert engines[0].backend.search(asked).ids == alone.search(asked).ids, asked.query


def test_engine_and_matcher_find_the_same_set_by_relevance(engines: tuple[Search, Matcher], maker: Maker) -> None:
    searching, matcher = engines
    rng = random.Random(8)
    for _ in range(300):
        asked = plan(Query(q=maker.words(rng.randint(1, 4)), page_size=RECORDS), searching.names)

        assert set(searching.backend.search(asked).ids) == set(matcher.search(asked).ids)


@pytest.mark.parametrize("which", ["few", "tantivy", "matcher"])
class TestContract:
    """What every engine must hold."""

    @pytest.fixture
    def backend(self, engines: tuple[Search, Matcher], alone: TantivyEngine, which: str) -> SearchBackend:
        return {"few": engines[0].backend, "tantivy": alone, "matcher": engines[1]}[which]

    def test_nothing_asked_gives_all_newest_first(
        self, backend: SearchBackend, engines: tuple[Search, Matcher]
    ) -> None:
        hits = backend.search(plan(Query(page_size=RECORDS), engines[0].names))

        assert hits.total == len(hits.ids) == RECORDS

    def test_pages_continue_each_other(self, backend: SearchBackend, engines: tuple[Search, Matcher]) -> None:
        pages = [backend.search(plan(Query(page=page, page_size=40), engines[0].names)).ids for page in range(1, 9)]
        whole = backend.search(plan(Query(page_size=RECORDS), engines[0].names)).ids

        assert sum(pages, ()) == whole
        assert pages[-1] == ()

    def test_excluded_case_is_not_found(self, backend: SearchBackend, engines: tuple[Search, Matcher]) -> None:
        everything = plan(Query(page_size=RECORDS), engines[0].names)
        first = backend.search(everything).ids[0]
        without = Plan(everything.query, (), excluded=first)

        assert first not in backend.search(without).ids
        assert backend.search(without).total == RECORDS - 1

    def test_frequency_counts_cases(self, backend: SearchBackend, engines: tuple[Search, Matcher]) -> None:
        assert backend.frequency("body", "no-such-key") == 0
        assert backend.frequency("body", "node") == engines[1].frequency("body", "node") > 0
        assert backend.pair_frequency("zz~zz") == 0


def test_a_library_of_many_cases_has_the_engine_alone(
    loaded: Library, maker: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "FEW", 10)
    compile_library(list(maker.incidents(11)), loaded.vocabulary, tmp_path, revision="", extra={})

    assert isinstance(Search(open_library(tmp_path)).backend, TantivyEngine)


def test_an_index_in_two_parts_is_never_taken_for_one(engines: tuple[Search, Matcher], tmp_path: Path) -> None:
    """The number of a document is its place only in one segment; with two the engine counts for itself."""
    shutil.copytree(engines[0].generation.folder, tmp_path / "copy")
    generation = Generation(tmp_path / "copy", engines[0].generation.manifest)
    writer = tantivy.Index.open(str(generation.folder / FOLDER)).writer(num_threads=1)
    writer.add_document(tantivy.Document(id="late"))
    writer.commit()
    writer.wait_merging_threads()

    assert not TantivyEngine(generation.folder / FOLDER).numbers_are_places
    assert isinstance(embedded_engine(generation), TantivyEngine)
