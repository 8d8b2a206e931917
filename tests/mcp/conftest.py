"""A desk with the packaged library, a made-up cluster, and clients that talk to the server as agents' clients do."""

from datetime import UTC, datetime

import pytest
from msgspec import structs

from kubegap.checks.model import Confidence, Evidence, Finding, Severity, State, Subject
from kubegap.checks.pages import read_pages
from kubegap.checks.run import Report, Result, run
from kubegap.cluster import files
from kubegap.cluster.objects import Metadata, Namespace
from kubegap.cluster.snapshot import Coverage, Origin, ReadAtFrom, ReadState, Snapshot, Source
from kubegap.library.generation import PACKAGED, open_library
from kubegap.mcp.desk import Desk
from kubegap.mcp.scanning import Scanner
from kubegap.mcp.scans import Scans
from kubegap.mcp.server import make_server
from kubegap.mcp.shelf import Shelf
from kubegap.mcp.target import Target
from mcp import Client

SOURCE = Source(
    Origin.LIVE,
    datetime(2026, 11, 30, 9, tzinfo=UTC),
    ReadAtFrom.SERVER,
    name="staging",
    context="staging",
    server="https://user:hunter2@api.staging.example:6443",
    version="v1.37.2",
    requests=40,
    bytes=1000,
    seconds=1.5,
)


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def shelf():
    return Shelf(open_library(PACKAGED))


@pytest.fixture(scope="session")
def everything():
    """A report in which every check has found something: its own first case that finds."""
    results = [_first_found(page) for page in read_pages().values()]
    return Report(_snapshot(results), tuple(results))


@pytest.fixture(scope="session")
def crowded(everything):
    """The same with 5,000 findings, in many namespaces with long names."""
    results = [
        structs.replace(result, findings=tuple(_multiplied(result, 1 + 5000 // len(everything.results))))
        for result in everything.results
    ]
    return Report(_snapshot(results), tuple(results))


@pytest.fixture
def make_desk(shelf, tmp_path):
    def make(read=None, lang="en", environment=None, **options):
        target = Target(environment if environment is not None else {"HOME": str(tmp_path)}, **options)
        scans = Scans(tmp_path / "scans", shelf)
        return Desk(shelf, target, scans, Scanner(read or target.read, shelf, scans), lang)

    return make


@pytest.fixture
def desk(make_desk):
    return make_desk()


@pytest.fixture
def connected(make_desk):
    """A client of a server on a desk, in one of the two eras of the protocol."""

    def connect(desk=None, mode="auto"):
        return Client(make_server(desk or make_desk()), mode=mode)

    return connect


def _first_found(page):
    case = next(case for case in page.cases if case.finds and len(case.finds) == 1)
    inputs = [(name, text.encode()) for name, text in (("base.yaml", page.base), ("case.yaml", case.input)) if text]
    (result,) = run(files.decode(inputs), [page]).results
    return structs.replace(result, state=State.FOUND, cause=None, reason=None, missing=())


def _snapshot(results):
    paths = sorted({path for result in results for path in result.page.paths})
    from kubegap.cluster.resources import RESOURCES

    coverage = {path: Coverage(RESOURCES[path].resource, 1, ReadState.READ) for path in paths}
    system = Namespace(metadata=Metadata(name="kube-system", uid="11111111-2222-3333-4444-555555555555"))
    return Snapshot(SOURCE, {"v1/namespaces": (system,)}, coverage, "eks")


def _multiplied(result, count):
    first = result.findings[0]
    for number in range(count):
        name = f"{'very-long-name-' * 4}{number:05}"
        subject = Subject(first.subject.api_version, first.subject.kind, f"team-{number % 97:02}-{'x' * 40}", name)
        yield structs.replace(first, subject=subject)


@pytest.fixture
def hostile_finding():
    def make(words):
        evidence = (Evidence(f"Pod/{words}", words, words, words),)
        return Finding(
            Subject("v1", "Service", words, words), Severity.HIGH, Confidence.OBSERVED, (), evidence, members=(words,)
        )

    return make


def result_with(page, findings, **changes):
    return Result(page, changes.pop("state", State.FOUND), tuple(findings), **changes)
