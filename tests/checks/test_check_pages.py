"""Pages: found by walking, compiled to JSON and back, and refused with all their problems at once."""

import re

import pytest

from kubegap.checks import pages as loader
from kubegap.checks.model import Finding, Message
from kubegap.checks.page import WORDS_SHOWN, Page
from kubegap.checks.run import choose
from kubegap.cluster.resources import RESOURCES
from kubegap.library import documents
from kubegap.problems import BadRecords, KubegapError, UnknownName


def test_ids_and_areas_come_from_files(pages):
    page = pages["webhook-fail-closed-wide"]

    assert (page.id, page.area) == ("webhook-fail-closed-wide", "control_plane")


def test_compiled_pages_are_the_same_pages(pages):
    assert loader.decode(loader.encode(pages)) == pages


def test_compiling_twice_gives_the_same_bytes(pages):
    assert loader.encode(loader.read_pages()) == loader.encode(pages)


def test_all_problems_of_a_page_are_told_at_once(tmp_path, monkeypatch):
    area = tmp_path / "control_plane"
    area.mkdir()
    whole = (loader._HERE / "control_plane" / "webhook_fail_closed_wide.yaml").read_text()
    broken = whole.replace("  en: A fail-closed", "  eng: A fail-closed", 1).replace(
        "severity: high", "severity: hi", 1
    )
    (area / "some_check.yaml").write_text(broken)
    monkeypatch.setattr(loader, "_HERE", tmp_path)

    with pytest.raises(BadRecords) as caught:
        loader.read_pages()
    problems = [problem.sentence("en") for problem in caught.value.problems]

    assert any("title" in problem and "eng" in problem for problem in problems)
    assert any("severity" in problem and "hi" in problem for problem in problems)
    assert all(problem in str(caught.value) for problem in problems)


@pytest.mark.parametrize(("optional", "is_wrong"), [("true", False), ("False", False), ("sometimes", True)])
def test_what_is_right_is_no_problem_beside_what_is_wrong(optional, is_wrong):
    whole = (loader._HERE / "control_plane" / "webhook_fail_closed_wide.yaml").read_text()
    broken = whole.replace("looks_for:", "look_for_:", 1).replace(
        "reads:\n", f"reads:\n  - {{resource: v1/x, optional: {optional}, why: {{ko: x, en: x}}}}\n", 1
    )

    found = documents.decode("page", broken.encode(), Page, id="a", area="b")

    fields = {problem.field for problem in found}
    assert fields >= {"look_for_"}
    assert ("reads[0].optional" in fields) == is_wrong


def test_a_page_without_code_is_a_problem(tmp_path, monkeypatch):
    area = tmp_path / "control_plane"
    area.mkdir()
    whole = loader._HERE / "control_plane" / "webhook_fail_closed_wide.yaml"
    (area / "lonely_page.yaml").write_text(whole.read_text())
    monkeypatch.setattr(loader, "_HERE", tmp_path)

    with pytest.raises(BadRecords) as caught:
        loader.read_pages()

    assert "lonely_page.py" in caught.value.problems[0].message.en


@pytest.fixture
def one_pair(tmp_path, monkeypatch):
    """A tree of checks with one pair in it; its page as written can be changed."""
    area = tmp_path / "control_plane"
    area.mkdir()
    whole = loader._HERE / "control_plane" / "webhook_fail_closed_wide.yaml"
    page = area / whole.name
    page.write_text(whole.read_text())
    page.with_suffix(".py").touch()
    monkeypatch.setattr(loader, "_HERE", tmp_path)
    return page


def test_a_cited_incident_that_the_library_lacks_is_a_problem_at_its_line(one_pair):
    cited = loader.load().documents["webhook-fail-closed-wide"].value.incidents
    one_pair.write_text(one_pair.read_text().replace(f"- {cited[1]}\n", f"- {cited[1]}s\n", 1))

    (problem,) = loader.load().lint(cited)

    assert problem.line == one_pair.read_text().splitlines().index(f"  - {cited[1]}s") + 1
    assert problem.field == "incidents[1]"
    assert cited[1] in problem.hint.en


def test_a_pair_that_was_not_compiled_yet_is_told_from_a_misspelt_name(pages):
    compiled = {check: page for check, page in pages.items() if check != "pdb-missing"}

    with pytest.raises(KubegapError) as new:
        choose(compiled, ["pdb-missing"])
    with pytest.raises(UnknownName) as misspelt:
        choose(compiled, ["pdb-block-drain"])

    assert "`kubegap library build`" in new.value.sentence("en")
    assert "`kubegap library build`" in new.value.sentence("ko")
    assert "pdb-blocks-drain" in misspelt.value.nearest


def test_a_library_of_its_own_owes_the_checks_nothing():
    assert loader.load().lint(["2026-01-acme-lost-a-node"]) == []


def test_long_lists_of_words_are_counted(pages):
    page = pages["webhook-fail-closed-wide"]
    message = Message("leases", {"webhook": "w", "writes": (*list(page.words)[:WORDS_SHOWN], "x", "y")})

    text = page.sentence(Finding(None, None, None, (message,), ()))

    assert "and 2 more" in text.en
    assert "그 밖에 2가지" in text.ko


def test_braces_in_names_are_taken_as_they_are(pages):
    message = Message("down", {"backend": "{webhook}/{0}"})

    text = pages["webhook-fail-closed-wide"].sentence(Finding(None, None, None, (message,), ()))

    assert "{webhook}/{0}" in text.en


# What the house writes otherwise: PDB, 제공자, 안티어피니티, straight quotes.
UNUSUAL = re.compile("예산|업체|안티 어피니티|condition 으로|한 사람이 쓰는|[‘’“”]")


def test_pages_use_the_words_of_the_house():
    found = [
        f"{file.stem}: {word}" for file in loader._HERE.glob("*/*.yaml") for word in UNUSUAL.findall(file.read_text())
    ]

    assert found == []


def test_every_kind_is_read_by_some_check(pages):
    read = {path for page in pages.values() for path in page.paths}

    assert read == set(RESOURCES)
