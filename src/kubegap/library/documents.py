"""One YAML file as one typed value, with the place of every part, or with all its problems."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from kubegap.library import strict_yaml
from kubegap.library.schema import Mismatch, mismatches
from kubegap.library.strict_yaml import Mark, Node, Parsed
from kubegap.problems import Problem, UnreadableFile, in_order
from kubegap.text import Text, same

T = TypeVar("T")


class Document(Struct, Generic[T], frozen=True):
    """A file that could be read: its value, and where each part of it stands.

    `path` is as shown to people, relative to the working directory where possible.
    """

    path: str
    value: T
    parsed: Parsed

    def problem(self, path: strict_yaml.Path, message: Text, hint: Text | None = None) -> Problem:
        """A problem at the place of one value, such as `("components", 0, "term")`."""
        return _problem(self.path, path, self.parsed.mark(path), message, hint)


def read(path: Path, kind: type[T], **given: str) -> Document[T] | list[Problem]:
    """Read a file as a msgspec type; `given` are fields that come from elsewhere, such as the id from the file name.

    Returns all problems of the file instead when it has any. Raises `UnreadableFile` when it cannot be opened.
    """
    return decode(shown(path), content(path), kind, strict_yaml.MAX_BYTES, **given)


def content(path: Path) -> bytes:
    """The bytes of a file; raises `UnreadableFile` when it cannot be opened."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(_UNREADABLE.fill(path=path, reason=error.strerror)) from error


def decode(
    path: str, data: bytes, kind: type[T], max_bytes: int = strict_yaml.MAX_BYTES, **given: str
) -> Document[T] | list[Problem]:
    """The same for bytes in hand; `path` is only shown."""
    parsed = strict_yaml.parse(data, max_bytes)
    problems = [_problem(path, (), fault.mark, fault.message, None) for fault in parsed.faults]
    if parsed.root is None:
        return problems
    value, found = _convert(parsed.root, kind, given)
    problems += [_located(path, parsed, mismatch) for mismatch in found]
    return in_order(problems) if problems else Document(path, value, parsed)


def shown(path: Path) -> str:
    """The path as people see it: relative to the working directory if it lies there."""
    here = Path.cwd()
    resolved = path.resolve()
    return str(resolved.relative_to(here) if resolved.is_relative_to(here) else path)


def _convert(root: Node, kind: Any, given: dict[str, str]) -> tuple[Any, list[Mismatch]]:
    data = {**root, **given} if isinstance(root, dict) else root
    try:
        # strict=False reads digits as numbers: the file has only text.
        return msgspec.convert(data, kind, strict=False), []
    except msgspec.ValidationError as error:
        # msgspec is fast and stops at the first fault; the schema then names them all.
        return None, list(mismatches(data, kind)) or [_misfit(str(error))]


def _misfit(words: str) -> Mismatch:
    """What only msgspec finds, such as a day that no calendar has, at the place that it names."""
    message, _, place = words.partition(" - at `$")
    steps = _STEP.findall(place.removesuffix("`"))
    path = tuple(int(index) if index else name for name, index in steps)
    return Mismatch(path, _MISFITS.get(message) or same(message))


def _located(path: str, parsed: Parsed, mismatch: Mismatch) -> Problem:
    mark = (
        parsed.keys[mismatch.path] if mismatch.at_key and mismatch.path in parsed.keys else parsed.mark(mismatch.path)
    )
    return _problem(path, mismatch.path, mark, mismatch.message, mismatch.hint)


def _problem(path: str, field: strict_yaml.Path, mark: Mark, message: Text, hint: Text | None) -> Problem:
    return Problem(path, mark.line, mark.column, dotted(field), message, hint)


def dotted(path: strict_yaml.Path) -> str:
    """`("components", 0, "term")` as `components[0].term`."""
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return words.removeprefix(".")


_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_MISFITS = {
    "Invalid RFC3339 encoded date": Text(
        ko="이런 날은 없습니다. 2027-03-01 처럼 쓰세요.", en="no such day; write 2027-03-01"
    ),
    "Invalid RFC3339 encoded datetime": Text(
        ko="시각이 아닙니다. 2026-11-30T08:00:00Z 처럼 쓰세요.", en="no time; write 2026-11-30T08:00:00Z"
    ),
}
_UNREADABLE = Text(ko="{path} 파일을 읽을 수 없습니다: {reason}.", en="cannot read {path}: {reason}.")
