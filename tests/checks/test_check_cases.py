"""Every case of every pair, and that each guard of each pair is held by one."""

import ast
import difflib
import inspect
import json
import shlex
import string
import sys
from pathlib import Path

import pytest
from msgspec import structs

import kubegap.checks
from kubegap.checks.pages import finder, id_of, read_pages
from kubegap.checks.run import run
from kubegap.cluster import files
from kubegap.cluster.resources import RESOURCES, paths_of
from kubegap.cluster.snapshot import Coverage, ReadState, Snapshot

PAGES = read_pages()
CASES = [(page, case) for page in PAGES.values() for case in page.cases]
FOLDER = Path(kubegap.checks.__file__).parent
INCIDENTS = {file.stem for file in (Path(__file__).parents[2] / "library" / "incidents").glob("*/*.yaml")}


def named(cases):
    """Test ids, so that `pytest -k <check>` finds all of a check."""
    return [f"{page.id}: {case.tells.en}" for page, case in cases]


def cluster_of(page, case):
    text = case.input if case.bare else f"{page.base}---\n{case.input}"
    read = files.decode([("case", text.encode())])
    unserved = {path: Coverage(RESOURCES[path].resource, 0, ReadState.NOT_SERVED) for path in case.unserved}
    return structs.replace(read, coverage={**read.coverage, **unserved})


def result_of(page, case):
    return run(cluster_of(page, case), [page]).results[0]


def said_by(page, result):
    """The message of an answer in place of findings, by its key."""
    return next((key for key, text in page.messages.items() if text == result.reason), None)


def told_by(result):
    return [
        (
            f"{finding.subject.kind}/{finding.subject.name}",
            finding.severity,
            finding.confidence,
            [message.key for message in finding.messages],
        )
        for finding in result.findings
    ]


def wanted_by(case):
    return [(found.subject, found.severity, found.confidence, found.messages) for found in case.finds]


def lines(told):
    """One line for each finding, so that a case that fails shows what differs and nothing else."""
    return [
        f"{subject} {severity} {confidence} {' '.join(messages)}" for subject, severity, confidence, messages in told
    ]


def compared(page, case, result):
    """What was told and what the case wants, both as lines."""
    told = [f"{result.state}: {said_by(page, result) or '-'}", *lines(told_by(result))]
    return told, [f"{case.state}: {case.says or '-'}", *lines(wanted_by(case))]


def ends_as_told(page, case):
    result = result_of(page, case)
    return (result.state, told_by(result), said_by(page, result)) == (case.state, wanted_by(case), case.says)


def module_of(page):
    return sys.modules[finder(page).__module__]


def guards_of(page):
    return sorted(name for name in vars(module_of(page)) if name.startswith("guard_"))


GUARDS = [(page, guard) for page in PAGES.values() for guard in guards_of(page)]


@pytest.mark.parametrize(("page", "case"), CASES, ids=named(CASES))
def test_case(page, case):
    result = result_of(page, case)
    told, wanted = compared(page, case, result)

    if told != wanted:
        pytest.fail("\n".join(difflib.ndiff(wanted, told)), pytrace=False)
    assert all(page.sentence(finding).ko for finding in result.findings)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_object_of_every_case_can_be_read(page):
    assert [unread for case in page.cases for unread in cluster_of(page, case).unread] == []


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_pair_asks_only_for_kinds_that_its_page_reads(page, monkeypatch):
    asked, of = set(), Snapshot.of
    monkeypatch.setattr(Snapshot, "of", lambda self, kind: asked.add(kind.resource.path) or of(self, kind))

    for case in page.cases:
        result_of(page, case)

    assert asked <= page.paths


@pytest.mark.parametrize(("page", "guard"), GUARDS, ids=[f"{page.id}: {guard}" for page, guard in GUARDS])
def test_without_the_guard_its_cases_end_otherwise(page, guard, monkeypatch):
    monkeypatch.setattr(module_of(page), guard, lambda *_: False)
    held = [case for case in page.cases if case.guard == guard]

    assert held
    assert not any(ends_as_told(page, case) for case in held)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_cases_name_only_guards_and_incidents_that_exist(page):
    assert {case.guard for case in page.cases} - {None} <= set(guards_of(page))
    assert {case.incident for case in page.cases} - {None} <= set(page.incidents)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_cited_incident_is_in_the_library(page):
    assert set(page.incidents) - INCIDENTS == set()


WITHOUT_OPTIONAL = [(page, case) for page, case in CASES if any(read.optional for read in page.reads)]


@pytest.mark.parametrize(("page", "case"), WITHOUT_OPTIONAL, ids=named(WITHOUT_OPTIONAL))
def test_a_dump_without_optional_kinds_shows_no_subject_less(page, case):
    whole = cluster_of(page, case)
    optional = {path for read in page.reads if read.optional for path in read.paths}
    kept = {path: things for path, things in whole.objects.items() if path not in optional}
    less = structs.replace(whole, objects=kept, coverage={path: whole.coverage_of(path) for path in kept})

    told = {finding.subject for finding in run(less, [page]).results[0].findings}

    assert told >= {finding.subject for finding in run(whole, [page]).results[0].findings}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_incident_is_replayed_before_and_after(page):
    for incident in page.incidents:
        replays = [bool(case.finds) for case in page.cases if case.incident == incident]

        assert set(replays) == {True, False}, incident


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_message_and_severity_is_shown_by_a_case(page):
    expected = [found for case in page.cases for found in case.finds]
    answers = {case.says for case in page.cases} - {None}

    assert {key for found in expected for key in found.messages} | answers == set(page.messages)
    assert {found.severity for found in expected} == set(page.severities)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_both_languages_have_the_same_places(page):
    for key, text in page.messages.items():
        places = [{name for _, name, _, _ in string.Formatter().parse(side) if name} for side in (text.ko, text.en)]

        assert places[0] == places[1], key


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_reads_and_subjects_are_kinds_that_the_cluster_knows(page):
    assert page.paths <= set(RESOURCES)
    assert {path for name in page.subjects for path in paths_of(name)} <= page.paths


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_find_takes_the_cluster_and_the_waits_of_its_page(page):
    assert list(inspect.signature(finder(page)).parameters)[1:] == list(page.waits)


def test_every_pair_is_whole():
    code = {id_of(file) for file in FOLDER.glob("*/*.py") if file.stem != "__init__"}

    assert code == set(PAGES)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_pair_reads_nothing_but_its_snapshot(page):
    tree = ast.parse(Path(module_of(page).__file__).read_text())
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    allowed = (
        "collections",
        "dataclasses",
        "datetime",
        "itertools",
        "msgspec",
        "statistics",
        "kubegap.cluster",
        "kubegap.checks.model",
    )
    forbidden = ("kubegap.cluster.files", "kubegap.cluster.stream", "kubegap.cluster.collect")

    assert [name for name in imported if not name.startswith(allowed) or name.startswith(forbidden)] == []


COMMANDS = [
    (page.id, line)
    for page in PAGES.values()
    for line in page.remediation.en.splitlines()
    if line.startswith("kubectl ")
]


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_commands_of_a_remediation_can_be_pasted(page, command):
    words = shlex.split(command)
    patches = [words[at + 1] for at, word in enumerate(words) if word == "-p"]

    assert all(json.loads(patch) for patch in patches)
    assert command in PAGES[page].remediation.ko.splitlines()
