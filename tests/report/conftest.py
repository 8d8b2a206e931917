from pathlib import Path

import pytest
from msgspec import structs

from kubegap.checks.model import Confidence, Evidence, Finding, Message, Severity, State, Subject
from kubegap.checks.pages import read_pages
from kubegap.checks.run import Report, Result, run
from kubegap.cluster import files
from kubegap.cluster.snapshot import Origin, Snapshot, Source
from kubegap.text import Text

DUMP = Path(__file__).parents[1] / "cluster" / "data" / "eks-policy-engines.json"


@pytest.fixture(scope="session")
def page():
    return read_pages()["webhook-fail-closed-wide"]


@pytest.fixture(scope="session")
def report(page):
    """The sample dump, checked."""
    return run(files.decode([(DUMP.name, DUMP.read_bytes())]), [page])


@pytest.fixture(scope="session")
def titles(page):
    return {incident: Text(ko=f"제목 {incident}", en=f"title {incident}") for incident in page.incidents}


@pytest.fixture
def finding_of():
    def make(severity=Severity.HIGH, name="x", **changes):
        message = Message("down", {"backend": "shop/cart"})
        evidence = (Evidence("Namespace/x", "metadata.name", name),)
        finding = Finding(Subject("v1", "Namespace", None, name), severity, Confidence.CONFIG, (message,), evidence)
        return structs.replace(finding, **changes)

    return make


@pytest.fixture(scope="session")
def many_gaps():
    """Reports with any number of gaps, with findings that the checks' own cases have."""
    cases = [(page, case) for page in read_pages().values() for case in page.cases if case.finds]
    known = {}

    def result_of(page, case):
        key = page.id, case.input
        if key not in known:
            known[key] = run(_cluster(page, case), [page]).results[0]
        return known[key]

    def make(count, states=()):
        picked = [cases[number * 7 % len(cases)] for number in range(count)]
        results = [result_of(page, case) for page, case in picked]
        named = [
            structs.replace(result, page=structs.replace(result.page, id=f"{result.page.id}-{number}"))
            for number, result in enumerate(results)
        ]
        return Report(Snapshot(Source(Origin.LIVE, name="staging"), {}, {}), (*named, *states))

    return make


def _cluster(page, case):
    text = case.input if case.bare else f"{page.base}---\n{case.input}"
    return files.decode([("case", text.encode())])


@pytest.fixture
def report_of(page):
    """A report of one result per argument: (state, findings, cause)."""

    def make(*results):
        made = [
            Result(
                structs.replace(page, id=f"check-{number}"),
                state,
                tuple(findings),
                cause,
                reason=None if state is State.CLEAR else Text(ko="까닭", en="why"),
            )
            for number, (state, findings, cause) in enumerate(results)
        ]
        return Report(Snapshot(Source(Origin.DUMP), {}, {}), tuple(made))

    return make
