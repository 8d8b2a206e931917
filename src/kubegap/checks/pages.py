"""Finds the pairs by walking the areas: their pages from YAML or compiled JSON, their `find` by import.

For `kubegap library build`: `encode(read_pages())` makes `checks.json`. A cold `kubegap check` uses `decode`
of that and reads no YAML. This is the only module of the checks that opens files, and only the package's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Struct

from kubegap.checks.model import Finder
from kubegap.checks.page import Page
from kubegap.cluster.resources import RESOURCES, paths_of
from kubegap.problems import BadRecords, KubegapError, Problem, UnknownName, did_you_mean, in_order, nearest
from kubegap.text import Text

if TYPE_CHECKING:
    from kubegap.library.documents import Document

# The file of a compiled library that holds them.
CHECKS = "checks.json"
_HERE = Path(__file__).parent
_decode = msgspec.json.Decoder(dict[str, Page]).decode


class Checks(Struct, frozen=True):
    """The pages of all pairs by check id, in the order of ids; `problems` says what could not be read."""

    documents: dict[str, Document[Page]]
    problems: list[Problem]

    @property
    def pages(self) -> dict[str, Page]:
        """The pages alone."""
        return {check: document.value for check, document in self.documents.items()}

    def lint(self, incidents: Collection[str]) -> list[Problem]:
        """Every problem of every page, given the ids of a library's incidents.

        Citations are held against a library that has at least one of the incidents; a team's own has none of them.
        """
        cited = {incident for page in self.pages.values() for incident in page.incidents}
        lost = self._lost(incidents) if cited & set(incidents) else ()
        return in_order([*self.problems, *lost])

    def _lost(self, incidents: Collection[str]) -> Iterator[Problem]:
        for document in self.documents.values():
            for place, incident in enumerate(document.value.incidents):
                if incident not in incidents:
                    hint = did_you_mean(nearest(incident, incidents))
                    yield document.problem(("incidents", place), _NO_INCIDENT.fill(id=incident), hint)


def load() -> Checks:
    """Read the YAML of all pairs; problems are collected, never raised."""
    # Only those who compile read YAML, and it takes its time to import.
    from kubegap.library import documents  # noqa: PLC0415

    found: dict[str, Document[Page]] = {}
    problems: list[Problem] = []
    for file in sorted(_HERE.glob("*/*.yaml"), key=lambda file: file.stem):
        read = documents.read(file, Page, id=id_of(file), area=file.parent.name)
        if isinstance(read, list):
            problems += read
        elif not file.with_suffix(".py").exists():
            problems.append(read.problem((), _NO_CODE.fill(file=file.with_suffix(".py").name)))
        else:
            found[read.value.id] = read
    return Checks(found, problems)


def read_pages() -> dict[str, Page]:
    """The pages of `load`; raises `BadRecords` with every problem of every page."""
    checks = load()
    if checks.problems:
        raise BadRecords(checks.problems)
    return checks.pages


def encode(pages: Mapping[str, Page]) -> bytes:
    """All pages as JSON, the same bytes for the same pages."""
    return msgspec.json.encode(pages, order="sorted")


def decode(data: bytes) -> dict[str, Page]:
    """The pages of `encode`; raises `msgspec.ValidationError` for pages of another shape, `KubegapError` for unknown kinds."""
    found = _decode(data)
    for page in found.values():
        _confirm_kinds(page)
    return found


def _confirm_kinds(page: Page) -> None:
    """A newer kubegap may have compiled pages of the same shape about kinds that this one cannot read."""
    for name in chain((read.resource for read in page.reads), page.subjects):
        if unread := next((path for path in paths_of(name) if path not in RESOURCES), None):
            raise KubegapError(_OTHER_KINDS.fill(check=page.id, kind=unread), _BUILD)


def finder(page: Page) -> Finder:
    """The `find` of a page's pair."""
    return cast(Finder, import_module(f"{__package__}.{page.area}.{page.id.replace('-', '_')}").find)


def page_of(check: str, known: Mapping[str, Page]) -> Page:
    """The page of a check; raises `KubegapError` as `unknown` makes it."""
    if check not in known:
        raise unknown(check, known, _NO_CHECK.fill(id=check))
    return known[check]


def unknown(check: str, known: Iterable[str], message: Text) -> KubegapError:
    """The error for a name that no compiled check has: the nearest ones, or, of a pair that is there, what to run first."""
    if any(id_of(file) == check for file in _HERE.glob("*/*.yaml")):
        return KubegapError(message, _NOT_COMPILED)
    return UnknownName(message, nearest(check, known))


def id_of(file: Path) -> str:
    """The id that a pair's file name gives it."""
    return file.stem.replace("_", "-")


_NO_CHECK = Text(ko="`{id}` 라는 점검 항목이 없습니다.", en="there is no check `{id}`")
_NO_INCIDENT = Text(ko="`{id}` 라는 사례가 없습니다.", en="there is no incident `{id}`")
_NOT_COMPILED = Text(
    ko="짝 파일은 있으니 `kubegap library build` 로 컴파일하세요.",
    en="its pair is there but not compiled; run `kubegap library build`",
)
_NO_CODE = Text(ko="짝이 되는 {file} 파일이 없습니다.", en="the other half of the pair, {file}, is missing")
_OTHER_KINDS = Text(
    ko="다른 버전의 kubegap 이 컴파일한 라이브러리입니다. 이 kubegap 은 `{check}` 가 읽는 `{kind}` 라는 종류를 모릅니다.",
    en="The library was compiled by another version of kubegap: this one does not know `{kind}`, which `{check}` reads.",
)
_BUILD = Text(ko="`kubegap library build` 를 실행하세요.", en="Run `kubegap library build`.")
