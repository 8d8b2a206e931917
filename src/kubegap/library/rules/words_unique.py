"""A word of the field stands in one group only, and is no name of a term."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.normal import folded
from kubegap.problems import Problem
from kubegap.text import LANGS, Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Words given twice, at the second place, and words that the terms have already."""
    if library.words is None:
        return
    names = _names(library)
    first: dict[str, str] = {}
    for group, words in library.words.value.items():
        for lang in LANGS:
            for place, word in enumerate(words.of(lang)):
                owner = names.get(folded(word)) or first.setdefault(folded(word), f"{group} {lang} {place}")
                if owner != f"{group} {lang} {place}":
                    yield library.words.problem((group, lang, place), _TWICE.fill(word=word, owner=owner.split()[0]))


def _names(library: Library) -> dict[str, str]:
    terms = (pair for document in library.terms.values() for pair in document.value.items())
    return {folded(name): term for term, entry in terms for name in entry.names()}


_TWICE = Text(ko="`{word}` 는 이미 `{owner}` 에 있습니다.", en="`{word}` stands in `{owner}` already")
