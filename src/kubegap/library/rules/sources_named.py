"""`where` points at a source of the record, and beside an earlier edition every passage says where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.documents import Document
from kubegap.library.loading import Library
from kubegap.library.record import Incident
from kubegap.library.walk import passages, wheres
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Numbers that name no source, and passages that could rest on either source."""
    for document in library.incidents.values():
        yield from _no_such_source(document)
        if any(source.kind == "earlier-edition" for source in document.value.sources):
            for path, passage in passages(document.value):
                if passage.where is None and path[0] != "lesson":
                    yield document.problem(path, _UNCLEAR)


def _no_such_source(document: Document[Incident]) -> Iterator[Problem]:
    count = len(document.value.sources)
    for path, where in wheres(document.value):
        if not 1 <= where.source <= count:
            yield document.problem((*path, "source"), _NO_SUCH.fill(number=where.source, count=count))


_NO_SUCH = Text(
    ko="{number}번 출처가 없습니다. 출처는 {count}개입니다.", en="there is no source {number}; the record has {count}"
)
_UNCLEAR = Text(
    ko="이전 판을 출처로 둔 기록에서는 글마다 `where` 를 적습니다.",
    en="beside a source of kind `earlier-edition`, every passage names its `where`",
)
