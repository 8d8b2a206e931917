"""Made-up reports in which every check has found something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import structs

from kubegap.checks.model import Finding, State, Subject
from kubegap.checks.page import Page
from kubegap.checks.pages import read_pages
from kubegap.checks.run import Report, Result, run
from kubegap.cluster import files
from kubegap.cluster.objects import Metadata, Namespace
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Coverage, Origin, ReadAtFrom, ReadState, Snapshot, Source

SERVER = "https://user:hunter2@api.staging.example:6443"
SOURCE = Source(
    Origin.LIVE,
    datetime(2026, 11, 30, 9, tzinfo=UTC),
    ReadAtFrom.SERVER,
    name="staging",
    context="staging",
    server=SERVER,
    version="v1.37.2",
    requests=40,
    bytes=1000,
    seconds=1.5,
)
FINDINGS = 5000


def everything(server: str = SERVER) -> Report:
    """Of each check its own first case that finds one thing."""
    return _report([_first_found(page) for page in read_pages().values()], structs.replace(SOURCE, server=server))


def crowded(report: Report) -> Report:
    """The same with 5,000 findings, in many namespaces with long names."""
    each = 1 + FINDINGS // len(report.results)
    results = [structs.replace(result, findings=tuple(_multiplied(result, each))) for result in report.results]
    return _report(results, report.snapshot.source)


def _report(results: Sequence[Result], source: Source) -> Report:
    return Report(_snapshot(results, source), tuple(results))


def _first_found(page: Page) -> Result:
    case = next(case for case in page.cases if case.finds and len(case.finds) == 1)
    inputs = [(name, text.encode()) for name, text in (("base.yaml", page.base), ("case.yaml", case.input)) if text]
    (result,) = run(files.decode(inputs), [page]).results
    return structs.replace(result, state=State.FOUND, cause=None, reason=None, missing=())


def _snapshot(results: Sequence[Result], source: Source) -> Snapshot:
    paths = sorted({path for result in results for path in result.page.paths})
    coverage = {path: Coverage(RESOURCES[path].resource, 1, ReadState.READ) for path in paths}
    system = Namespace(metadata=Metadata(name="kube-system", uid="11111111-2222-3333-4444-555555555555"))
    return Snapshot(source, {"v1/namespaces": (system,)}, coverage, "eks")


def _multiplied(result: Result, count: int) -> Iterator[Finding]:
    first = result.findings[0]
    for number in range(count):
        name = f"{'very-long-name-' * 4}{number:05}"
        subject = Subject(first.subject.api_version, first.subject.kind, f"team-{number % 97:02}-{'x' * 40}", name)
        yield structs.replace(first, subject=subject)
