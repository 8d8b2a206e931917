"""Within a facet a label or synonym stands for one term only, however it is spaced or hyphenated."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.documents import Document
from kubegap.library.loading import Library
from kubegap.library.normal import folded
from kubegap.library.strict_yaml import Path
from kubegap.library.vocabulary import Term, Terms
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Names given twice, at the second place."""
    for document in library.terms.values():
        yield from _given_twice(document)


def _given_twice(document: Document[Terms]) -> Iterator[Problem]:
    first: dict[str, tuple[str, Path]] = {}
    for term, entry in document.value.items():
        for path, name in _names(term, entry):
            owner, owner_path = first.setdefault(folded(name), (term, path))
            # A label may read alike in both languages of one term; any other repetition is one too many.
            if (owner, owner_path) != (term, path) and not (owner == term and owner_path[1] == path[1] == "label"):
                yield document.problem(path, _TWICE.fill(name=name, term=owner))


def _names(term: str, entry: Term) -> Iterator[tuple[Path, str]]:
    yield (term, "label", "ko"), entry.label.ko
    yield (term, "label", "en"), entry.label.en
    for place, name in enumerate(entry.synonyms.ko):
        yield (term, "synonyms", "ko", place), name
    for place, name in enumerate(entry.synonyms.en):
        yield (term, "synonyms", "en", place), name


_TWICE = Text(ko="`{name}` 는 이미 `{term}` 의 이름입니다.", en="`{name}` is a name of `{term}` already")
