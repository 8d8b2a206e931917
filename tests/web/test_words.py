from __future__ import annotations

import re
from pathlib import Path

import pytest

import kubegap.web
from kubegap.text import Text
from kubegap.web.words import ROOMS, texts

WEB = Path(kubegap.web.__file__).parent


def all_texts() -> dict[str, Text]:
    return {f"{room.__name__}.{name}": text for room in ROOMS for name, text in texts(room).items()}


@pytest.mark.parametrize("name", all_texts())
def test_twins_are_both_there_and_differ(name: str):
    text = all_texts()[name]

    assert text.ko.strip() and text.en.strip()
    assert text.ko != text.en
    assert set(re.findall(r"\{(\w+)\}", text.ko)) == set(re.findall(r"\{(\w+)\}", text.en))


@pytest.mark.parametrize("name", all_texts())
def test_sides_are_in_their_language(name: str):
    text = all_texts()[name]
    is_switch = name.endswith(".SWITCH")

    assert bool(re.search("[가-힣]", text.en)) == is_switch
    if not is_switch:
        assert re.search("[가-힣]", text.ko)


def test_names_are_unique_across_rooms():
    names = [name for room in ROOMS for name in texts(room)]

    assert len(names) == len(set(names))


def test_every_word_is_used():
    sources = [
        path.read_text(encoding="utf-8")
        for path in WEB.rglob("*")
        if path.suffix in {".py", ".html"} and path.parent.name != "words"
    ]
    unused = [
        name
        for room in ROOMS
        for name in texts(room)
        if not any(re.search(rf"\b{name}\b", source) for source in sources)
    ]

    assert not unused


def test_templates_hold_no_words_of_their_own():
    for path in (WEB / "templates").glob("*.html"):
        source = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        source = re.sub(r'"[^"]*"|<[^>]*>', " ", source.replace("Incident Library", ""))
        words = re.findall(r"[A-Za-z가-힣]{2,}", source)
        assert set(words) <= {"git", "lang"}, path.name
