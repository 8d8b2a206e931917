"""A `stated` tag says where in the source; an `inferred` one says from what we read it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.record import Record, Tag
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Tags without their ground."""
    for document in library.incidents.values():
        for field, place, tag in tags(document.value):
            if tag.certainty == "stated" and tag.where is None:
                yield document.problem((field, place), _NO_WHERE.fill(term=tag.term))
            if tag.certainty == "inferred" and tag.note is None:
                yield document.problem((field, place), _NO_NOTE.fill(term=tag.term))


def tags(record: Record) -> Iterator[tuple[str, int, Tag]]:
    """All tags of a record with their field and place."""
    for field in ("components", "causes", "symptoms", "factors"):
        for place, tag in enumerate(getattr(record, field)):
            yield field, place, tag


_NO_WHERE = Text(
    ko="`{term}` 는 stated 인데 출처의 어디인지(`where`) 없습니다.", en="`{term}` is stated but has no `where`"
)
_NO_NOTE = Text(ko="`{term}` 는 inferred 인데 근거(`note`)가 없습니다.", en="`{term}` is inferred but has no `note`")
