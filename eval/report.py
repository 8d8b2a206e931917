"""The quality report: each target of the design on each half, and every query that falls short."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from eval.judged import HALVES, Judged, read
from eval.measures import mean, ndcg, reciprocal_rank
from kubegap.library import loading
from kubegap.library.compiling import compile_library
from kubegap.library.generation import open_library
from kubegap.library.record import Incident
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.library.vocabulary import Vocabulary
from kubegap.text import LANGS, Lang

ROOT = Path(__file__).parent.parent
SHORT = 0.6
BLANK = "·"


class Target(Struct, frozen=True):
    """A measure with the least that it must reach."""

    name: str
    value: float
    least: float

    @property
    def is_met(self) -> bool:
        """Whether the measure reaches its target."""
        return self.value >= self.least


class Half(Struct, frozen=True):
    """The measures of one half of the judged queries, and its queries that fall short with what was found."""

    name: str
    queries: int
    targets: list[Target]
    short: list[tuple[Judged, float, list[str]]]


class Ask:
    """Asks a search as each class of query is asked."""

    def __init__(self, search: Search) -> None:
        self.search = search

    def ids(self, judged: Judged) -> list[str]:
        """The first ten records found."""
        query = Query(q="" if judged.kind == "log" else judged.q, page_size=10)
        result = self.search.similar(judged.q, query) if judged.kind == "log" else self.search.run(query)
        return [item.id for item in result.items]

    def recognised(self, judged: Judged) -> set[str]:
        """The values recognised in the query, as `facet:id`."""
        return {f"{found.facet}:{found.id}" for found in self.search.run(Query(q=judged.q)).recognised}


def halves(names: Sequence[str] = HALVES) -> list[Half]:
    """Measure halves over the records in the repository."""
    library = loading.load([ROOT / "library"])
    incidents = [document.value for document in library.incidents.values()]
    with tempfile.TemporaryDirectory() as folder:
        whole = Ask(_search(incidents, library.vocabulary, Path(folder) / "whole"))
        blanked = {
            lang: Ask(
                _search([_without(lang, incident) for incident in incidents], library.vocabulary, Path(folder) / lang)
            )
            for lang in LANGS
        }
        return [_half(name, read(name), whole, blanked) for name in names]


def _search(incidents: Iterable[Incident], vocabulary: Vocabulary, out: Path) -> Search:
    compile_library(incidents, vocabulary, out, revision="", extra={})
    return Search(open_library(out))


def _without(lang: Lang, incident: Incident) -> Incident:
    """The incident with all its texts of one language blanked; its terms keep their names."""
    plain = msgspec.to_builtins(incident)
    return msgspec.convert(_blanked(plain, lang), Incident)


def _blanked(value: object, lang: Lang) -> object:
    if isinstance(value, dict):
        return {
            key: BLANK if key == lang and isinstance(inner, str) else _blanked(inner, lang)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_blanked(inner, lang) for inner in value]
    return value


def _half(name: str, judged: Sequence[Judged], whole: Ask, blanked: dict[Lang, Ask]) -> Half:
    everything, judged = judged, [query for query in judged if query.grades]
    found = {query.id: whole.ids(query) for query in everything}
    scores = {query.id: ndcg(found[query.id], query.grades) for query in judged}
    same = mean(scores[query.id] for query in judged if query.kind == "same")
    words = [query for query in judged if query.kind != "log"]
    across = mean(ndcg(blanked[query.lang].ids(query), query.grades) for query in words)
    within = mean(scores[query.id] for query in words)
    logs = [query for query in judged if query.kind == "log"]
    precision, recall = _recognition([query for query in everything if query.kind != "log"], whole)
    targets = [
        Target("nDCG@10, all", mean(scores.values()), 0.80),
        Target(
            "cross-language over same-language",
            mean(scores[query.id] for query in judged if query.kind == "cross") / same,
            0.90,
        ),
        Target("texts of the query's language blanked, over not blanked", across / within, 0.60),
        Target("log lines, MRR@10", mean(reciprocal_rank(found[query.id], query.grades) for query in logs), 0.70),
        Target("recognised filters, precision", precision, 0.95),
        Target("recognised filters, recall", recall, 0.90),
    ]
    classes = {(query.kind, query.lang) for query in judged}
    targets += [
        Target(
            f"nDCG@10, {kind}, {lang}",
            mean(scores[query.id] for query in judged if (query.kind, query.lang) == (kind, lang)),
            0.0,
        )
        for kind, lang in sorted(classes)
    ]
    empty = [len(found[query.id]) for query in everything if not query.grades]
    targets.append(Target(f"cases found for {len(empty)} queries that no record answers, mean", mean(empty), 0.0))
    short = [(query, scores[query.id], found[query.id]) for query in judged if scores[query.id] < SHORT]
    return Half(name, len(everything), targets, short)


def _recognition(judged: Iterable[Judged], whole: Ask) -> tuple[float, float]:
    right = offered = expected = 0
    for query in judged:
        found, wanted = whole.recognised(query), set(query.recognised or [])
        right += len(found & wanted)
        offered += len(found)
        expected += len(wanted)
    return right / max(1, offered), right / max(1, expected)


def lines(half: Half) -> Iterator[str]:
    """The report of one half as Markdown."""
    yield f"\n## {half.name.replace('_', ' ')} ({half.queries} queries)\n"
    yield "| measure | value | target | |\n|---|---|---|---|"
    for target in half.targets:
        least = f"≥ {target.least:.2f}" if target.least else ""
        yield f"| {target.name} | {target.value:.4f} | {least} | {('met' if target.is_met else 'missed') if target.least else ''} |"
    if half.short:
        yield f"\nQueries below {SHORT}:\n"
    for query, score, found in half.short:
        wanted = ", ".join(
            f"{incident} ({grade})" for incident, grade in sorted(query.grades.items(), key=lambda pair: -pair[1])[:4]
        )
        words, seen = " ".join(query.q.split())[:80], ", ".join(found[:3]) or "nothing"
        yield f"- {query.id} {score:.2f} `{words}`: wanted {wanted}; found {seen}"
