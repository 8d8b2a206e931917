from __future__ import annotations

import re
from pathlib import Path

import kubegap.web
from kubegap.text import Text
from kubegap.web.words import ROOMS, texts

WEB = Path(kubegap.web.__file__).parent


def all_texts() -> dict[str, Text]:
    return {f"{room.__name__}.{name}": text for room in ROOMS for name, text in texts(room).items()}


def test_twins_are_both_there_and_differ():
    wrong = [
        name for name, text in all_texts().items() if not text.ko.strip() or not text.en.strip() or text.ko == text.en
    ]

    assert not wrong


def test_twins_are_filled_with_the_same_values():
    values = re.compile(r"\{(\w+)\}")
    wrong = [name for name, text in all_texts().items() if set(values.findall(text.ko)) != set(values.findall(text.en))]

    assert not wrong


def test_sides_are_in_their_language():
    hangul = re.compile("[가-힣]")
    wrong = [name for name, text in all_texts().items() if hangul.search(text.en) or not hangul.search(text.ko)]

    # The switch names each language in that language.
    assert wrong == ["kubegap.web.words.frame.SWITCH"]


def test_names_are_unique_across_rooms():
    names = [name for room in ROOMS for name in texts(room)]

    assert len(names) == len(set(names))


def test_every_word_is_used():
    rooms = {Path(room.__file__) for room in ROOMS}
    sources = [path for path in WEB.rglob("*") if path.suffix in {".py", ".html"} and path not in rooms]
    used = {name for path in sources for name in re.findall(r"\w+", path.read_text(encoding="utf-8"))}

    assert not [name for room in ROOMS for name in texts(room) if name not in used]


def test_templates_hold_no_words_of_their_own():
    for path in (WEB / "templates").glob("*.html"):
        source = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        source = re.sub(r'"[^"]*"|<[^>]*>', " ", source.replace("Incident Library", ""))
        words = re.findall(r"[A-Za-z가-힣]{2,}", source)
        assert set(words) <= {"git", "lang"}, path.name
