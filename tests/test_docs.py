"""The docs tell what is: the JSON of search is described field by field, in the order in which it is printed."""

from __future__ import annotations

import re
from pathlib import Path

from scripts import questions

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


def test_the_guards_that_most_checks_need_exist() -> None:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    table = text.partition("| what spares an object |")[2].partition("\n\n")[0]
    named = re.findall(r"`(?:(template|cluster)\.)?(\w+)`", table)
    asked = set(re.findall(r"^\| `(\w+)\(", questions.PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    known = {"": asked, "template": set(dir(Template)), "cluster": set(dir(Snapshot))}

    assert len(named) > 10
    assert [name for place, name in named if name not in known[place]] == []
