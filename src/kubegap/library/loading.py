"""The library as its files tell it: every record and term of one or more roots, or every problem of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from kubegap.library import documents
from kubegap.library.documents import Document
from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, Facet, Terms, Vocabulary, Words
from kubegap.problems import Problem, UnreadableFile, in_order
from kubegap.text import Text

T = TypeVar("T")


class Library(Struct, frozen=True):
    """All documents of the roots, in the order of their ids; `problems` says what could not be read.

    A document with problems is not among the incidents or terms, so that rules see only whole ones.
    """

    incidents: dict[str, Document[Incident]]
    terms: dict[Facet, Document[Terms]]
    words: Document[Words] | None
    problems: list[Problem]

    def documents(self) -> Iterator[Document[Incident] | Document[Terms]]:
        """All records and all files of terms, for rules that hold for both."""
        yield from self.incidents.values()
        yield from self.terms.values()

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms alone; a facet whose file could not be read is empty."""
        facets = {facet: self.terms[facet].value if facet in self.terms else {} for facet in FACETS}
        return Vocabulary(facets, self.words.value if self.words else {})


def load(roots: Sequence[Path]) -> Library:
    """Read all roots; a root has `incidents/<year>/<id>.yaml` and may have a vocabulary.

    Raises `UnreadableFile` when a root does not exist. Problems inside files are collected, never raised.
    """
    for root in roots:
        if not (root / "incidents").is_dir():
            raise UnreadableFile(_NO_ROOT.fill(path=root))
    problems: list[Problem] = []
    terms = _load_terms(roots, problems)
    words = _load_first([root / "vocabulary" / "words.yaml" for root in roots], Words, problems)
    incidents: dict[str, Document[Incident]] = {}
    for path in _record_files(roots, problems):
        _load_incident(path, incidents, problems)
    return Library(dict(sorted(incidents.items())), terms, words, in_order(problems))


def term_file(root: Path, facet: Facet) -> Path:
    """Where a root keeps the terms of a facet."""
    return root / "platforms.yaml" if facet == "platform" else root / "vocabulary" / f"{facet}.yaml"


def _load_terms(roots: Sequence[Path], problems: list[Problem]) -> dict[Facet, Document[Terms]]:
    """One root carries the vocabulary: the first that has it."""
    found = {facet: _load_first([term_file(root, facet) for root in roots], Terms, problems) for facet in FACETS}
    return {facet: document for facet, document in found.items() if document}


def _load_first(files: Sequence[Path], kind: type[T], problems: list[Problem]) -> Document[T] | None:
    """The first of some files that exists; None when it has problems, which are noted, as is that none exists."""
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        problems.append(Problem(documents.shown(files[0]), 0, 0, "", _NO_TERMS))
        return None
    read = documents.read(file, kind)
    if isinstance(read, list):
        problems += read
        return None
    return read


def _record_files(roots: Iterable[Path], problems: list[Problem]) -> Iterable[Path]:
    for root in roots:
        for path in sorted((root / "incidents").rglob("*")):
            if path.is_dir():
                continue
            if path.suffix == ".yaml" and path.parent.name == path.stem[:4]:
                yield path
            else:
                problems.append(Problem(documents.shown(path), 0, 0, "", _WRONG_PLACE))


def _load_incident(path: Path, incidents: dict[str, Document[Incident]], problems: list[Problem]) -> None:
    if path.stem in incidents:
        problems.append(Problem(documents.shown(path), 0, 0, "", _SAME_ID.fill(path=incidents[path.stem].path)))
        return
    read = documents.read(path, Incident, id=path.stem)
    if isinstance(read, list):
        problems += read
    else:
        incidents[path.stem] = read


_NO_ROOT = Text(
    ko="{path} 는 라이브러리가 아닙니다. `incidents` 폴더가 있는 폴더를 주세요.",
    en="{path} is not a library: it has no `incidents` folder. Give a folder that has one.",
)
_NO_TERMS = Text(ko="용어 파일이 없습니다.", en="the vocabulary file is missing")
_WRONG_PLACE = Text(
    ko="기록은 `incidents/<연도>/<id>.yaml` 에 둡니다. 연도는 id 의 첫 네 글자입니다.",
    en="a record stands at `incidents/<year>/<id>.yaml`, the year being the first four characters of the id",
)
_SAME_ID = Text(ko="같은 id 의 기록이 {path} 에 이미 있습니다.", en="a record with this id stands in {path} already")
