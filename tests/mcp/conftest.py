"""A desk with the packaged library, a made-up cluster, and clients that talk to the server as agents' clients do."""

import pytest

from kubegap.checks.model import Confidence, Evidence, Finding, Severity, State, Subject
from kubegap.checks.run import Result
from kubegap.library.generation import PACKAGED, open_library
from kubegap.mcp.desk import Desk
from kubegap.mcp.scanning import Scanner
from kubegap.mcp.scans import Scans
from kubegap.mcp.server import make_server
from kubegap.mcp.shelf import Shelf
from kubegap.mcp.target import Target
from mcp import Client
from tests.mcp import reports


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="session")
def shelf():
    return Shelf(open_library(PACKAGED))


@pytest.fixture(scope="session")
def everything():
    """A report in which every check has found something: its own first case that finds."""
    return reports.everything()


@pytest.fixture(scope="session")
def crowded(everything):
    """The same with 5,000 findings, in many namespaces with long names."""
    return reports.crowded(everything)


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
