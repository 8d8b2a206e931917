"""The example of docs/checks.md is a whole check: it loads, its cases hold, and its guard is needed."""

import re
from pathlib import Path

import pytest

from kubegap.checks.page import Page
from kubegap.checks.run import run
from kubegap.cluster import files
from kubegap.library import documents

TEXT = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()


def block(language):
    return re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)[1]


@pytest.fixture
def page():
    read = documents.decode(
        "docs/checks.md", block("yaml").encode(), Page, id="nodes-mostly-cordoned", area="scheduling"
    )
    assert not isinstance(read, list), [problem.sentence("en") for problem in read]
    return read.value


@pytest.fixture
def names():
    found = {}
    exec(compile(block("python"), "docs/checks.md", "exec"), found)
    return found


def ends(page, names, case):
    text = case.input if case.bare else f"{page.base}---\n{case.input}"
    result = run(files.decode([("case", text.encode())]), [page], find=lambda _: names["find"]).results[0]
    return result.state, [f"{found.subject.kind}/{found.subject.name}" for found in result.findings]


def test_its_cases_hold(page, names):
    for case in page.cases:
        assert ends(page, names, case) == (case.state, [found.subject for found in case.finds])


def test_its_guard_is_needed(page, names):
    names["guard_few_nodes"] = lambda *_: False

    assert all(ends(page, names, case) != (case.state, []) for case in page.cases if case.guard)


def test_every_field_of_a_page_is_shown():
    shown = set(re.findall(r"^(\w+):", block("yaml"), re.MULTILINE)) | set(
        re.findall(r"^\| `(\w+)`", TEXT, re.MULTILINE)
    )

    assert set(Page.__struct_fields__) - {"id", "area"} <= shown
