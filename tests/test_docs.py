"""The docs tell what is: the JSON of search is described field by field, in the order in which it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from scripts import pairs, questions

from kubegap.checks.page import Page
from kubegap.checks.pages import read_pages
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template
from kubegap.library.search.result import Item, Result, Why

ROOT = Path(__file__).parent.parent


def tables(name: str) -> list[list[str]]:
    """The first column of each table of a page, without its backquotes."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    found = re.findall(r"\|---\|---\|\n((?:\|.*\n)+)", text)
    return [re.findall(r"^\| `(\w+)`", table, re.MULTILINE) for table in found]


def test_search_json_is_described_field_by_field() -> None:
    assert tables("search.md") == [list(shape.__struct_fields__) for shape in (Result, Item, Why)]


def test_glossary_has_both_languages_of_every_word() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$",
        (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )

    for term, korean, _ in rows[2:]:
        assert re.search("[가-힣]", korean), term


def test_the_questions_that_checks_can_ask_are_those_that_there_are() -> None:
    assert questions.PAGE.read_text(encoding="utf-8") == questions.page(), "run python -m scripts.questions"


def test_what_reads_clusters_is_no_question_and_what_a_pair_asks_is_one() -> None:
    headings = set(re.findall(r"^## (\w+)$", questions.page(), re.MULTILINE))

    assert {"budgets", "lifelines", "reach", "templates"} <= headings
    assert headings.isdisjoint({"connections", "lists", "long_json", "long_yaml", "proxies", "yaml_items", "snapshot"})


@pytest.fixture(scope="module")
def checks() -> dict[str, Page]:
    return read_pages()


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return pairs.pages()


def test_every_check_has_a_page_in_each_language_and_stands_in_the_lists(
    checks: dict[str, Page], files: dict[str, str]
) -> None:
    names = {"README", *checks}

    assert set(files) == {f"{name}{ending}" for name in names for ending in (".md", ".ko.md")}
    for ending in (".md", ".ko.md"):
        assert sorted(re.findall(r"^- \[(\S+)\]\(", files[f"README{ending}"], re.MULTILINE)) == sorted(checks)


@pytest.mark.parametrize(("lang", "ending"), [("en", ".md"), ("ko", ".ko.md")])
def test_the_page_of_a_check_says_all_that_the_pair_says(
    checks: dict[str, Page], files: dict[str, str], lang: str, ending: str
) -> None:
    for name, check in checks.items():
        texts = [check.title, check.looks_for, check.why, *check.limits, *check.severities.values()]
        texts += [read.why for read in check.reads]
        lines = [line for text in (check.remediation, check.verify) for line in text.of(lang).splitlines()]
        page = files[f"{name}{ending}"].replace("&lt;", "<")

        assert [said for said in (*(text.of(lang) for text in texts), *lines) if said not in page] == []


def test_commands_that_stand_alone_are_blocks_of_code(files: dict[str, str]) -> None:
    for name, text in files.items():
        assert re.search(r"^kubectl |[^\n]\n    kubectl ", text, re.MULTILINE) is None, name
    assert "\n\n    kubectl cordon NODE\n\n" in files["stuck-terminating.ko.md"]


def test_the_links_of_the_pages_lead_to_files(files: dict[str, str]) -> None:
    for name, text in files.items():
        for link in re.findall(r"\]\(([^)#]+\.(?:md|yaml))\)", text):
            assert link in files or (ROOT / "docs" / "checks" / link).resolve().exists(), (name, link)


def test_the_role_is_that_of_what_the_checks_read(checks: dict[str, Page]) -> None:
    assert pairs.ROLE.read_text(encoding="utf-8") == pairs.role(), "run python -m scripts.pairs"

    role, account, binding = yaml.safe_load_all(pairs.role())
    rules = [rule for rule in role["rules"] if "apiGroups" in rule]
    granted = {(group, name) for rule in rules for group in rule["apiGroups"] for name in rule["resources"]}
    read = {RESOURCES[path].resource for check in checks.values() for path in check.paths}

    assert granted == {(resource.group, resource.plural) for resource in read if not resource.is_metric}
    assert all(rule["verbs"] == ["get", "list"] for rule in rules)
    assert [rule for rule in role["rules"] if rule not in rules] == [
        {"nonResourceURLs": ["/metrics"], "verbs": ["get"]}
    ]
    assert not any("secrets" in name or "*" in group + name for group, name in granted)
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    assert binding["subjects"] == [{"kind": account["kind"], **account["metadata"]}]


def test_the_guards_that_most_checks_need_exist() -> None:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    table = text.partition("| what spares an object |")[2].partition("\n\n")[0]
    named = re.findall(r"`(?:(template|cluster)\.)?(\w+)`", table)
    asked = set(re.findall(r"^\| `(\w+)\(", questions.PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    known = {"": asked, "template": set(dir(Template)), "cluster": set(dir(Snapshot))}

    assert len(named) > 10
    assert [name for place, name in named if name not in known[place]] == []
