"""Walks over a record: every text and every `where`, each with its path."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import Struct

from kubegap.library.record import SECTIONS, Passage, Record, Where
from kubegap.library.strict_yaml import Path
from kubegap.text import Text


def texts(value: object, path: Path = ()) -> Iterator[tuple[Path, Text]]:
    """Every pair of sentences in a record or a part of it."""
    yield from ((at, part) for at, part in parts(value, path) if isinstance(part, Text))


def wheres(value: object, path: Path = ()) -> Iterator[tuple[Path, Where]]:
    """Every place in a source that a record names."""
    yield from ((at, part) for at, part in parts(value, path) if isinstance(part, Where))


def passages(record: Record) -> Iterator[tuple[Path, Passage]]:
    """The texts of the sections, which may each carry a `where`."""
    yield from (
        (at, part) for at, part in parts(record, ()) if isinstance(part, Passage) and at[0] in {*SECTIONS, "impact"}
    )


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, str], ...]:
    """The attributes of a struct with their names in a file."""
    return tuple((field.name, field.encode_name) for field in msgspec.structs.fields(kind))


def parts(value: object, path: Path = ()) -> Iterator[tuple[Path, Struct]]:
    """Every struct inside a value, with the path that the file gives it."""
    if isinstance(value, Struct):
        yield path, value
        for attribute, name in _fields(type(value)):
            inner = getattr(value, attribute)
            if inner is not None and not isinstance(inner, str):
                yield from parts(inner, (*path, name))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from parts(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from parts(inner, (*path, place))
