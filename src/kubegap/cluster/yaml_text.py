"""YAML as kubectl reads it: its booleans, octals and merge keys, without PyYAML's dates, sexagesimals and crashes.

Held against kubectl 1.37.1: `yes`, `on`, `y` are true, `0644` and `0o644` are 420, `1e3` is 1000, `=` and `<<` as
values are text, times are text, the last of two equal keys wins, keys become text.
"""

import itertools
import math
import re
from collections.abc import Iterator
from typing import TypeAlias

import yaml
from msgspec import Struct

Data: TypeAlias = "dict[str, Data] | list[Data] | str | int | float | bool | None"

# A file may unfold to this many values, or to three times the values written in it, whichever is more.
MAX_UNFOLDED = 1_000_000
# Objects nest some dozens of levels deep; where Python itself gives up differs between its versions.
MAX_DEPTH = 200
_TAG = "tag:yaml.org,2002:"
_DOCUMENT = re.compile(rb"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_ITEMS = re.compile(rb"^items:[ \t]*\r?\n(?=- )", re.MULTILINE)
_ITEM = re.compile(rb"^- ", re.MULTILINE)
_AFTER_ITEMS = re.compile(rb"^(?![- \t\r\n#])", re.MULTILINE)
_BOOLEANS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
}
_NULLS = {"", "~", "null", "Null", "NULL"}
_INTEGER = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[1-9][0-9_]*|0)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


class Piece(Struct, frozen=True):
    """One document or list item of a file: its bytes, and the line on which it begins."""

    text: bytes
    line: int


class CutList(Struct, frozen=True):
    """A List taken apart: what stands around its items, and the items."""

    around: Piece
    items: list[Piece]


class YamlError(ValueError):
    """A piece that is no YAML, or YAML that unfolds without end; `line` counts from 1 in the whole file."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


# Any plain scalar gets this tag; quoted ones stay `str`, and explicit tags stay themselves.
_PLAIN = f"{_TAG}plain"


class _Loader(yaml.CSafeLoader):
    """Tells plain scalars from quoted ones and leaves every guess to this module.

    PyYAML's own resolving, which these methods are called in place of, takes most of the time of a long dump.
    """

    def resolve(self, kind: type[yaml.Node], _value: object, implicit: object) -> str:
        if kind is yaml.ScalarNode:
            is_plain = isinstance(implicit, tuple) and implicit[0]
            return _PLAIN if is_plain else f"{_TAG}str"
        return f"{_TAG}seq" if kind is yaml.SequenceNode else f"{_TAG}map"

    def descend_resolver(self, _node: object, _index: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def documents(data: bytes) -> Iterator[Piece]:
    """The documents of a stream, cut at `---` lines, so that one broken document leaves the others readable."""
    cuts = [0, *(match.start() for match in _DOCUMENT.finditer(data) if match.start()), len(data)]
    return (piece for piece in _pieces(data, cuts, 1) if not is_blank(piece.text))


def cut_list(piece: Piece) -> CutList | None:
    """A List as kubectl prints one, cut into its items, because one tree of it all is slow and large.

    None for any other layout.
    """
    opening = _ITEMS.search(piece.text)
    if not opening:
        return None
    end = _AFTER_ITEMS.search(piece.text, opening.end())
    body = piece.text[opening.end() : end.start() if end else len(piece.text)]
    cuts = [*(match.start() for match in _ITEM.finditer(body)), len(body)]
    first = piece.line + piece.text.count(b"\n", 0, opening.end())
    around = piece.text[: opening.start()] + (piece.text[end.start() :] if end else b"")
    return CutList(Piece(around, piece.line), list(_pieces(body, cuts, first)))


def load(piece: Piece) -> Data:
    """The value of one piece; raises `YamlError`."""
    node = _compose(piece)
    if node is None:
        return None
    try:
        # Without an anchor there is no alias, and looking takes a fifth of the time.
        if b"&" in piece.text and _unfolds_without_end(node):
            raise YamlError("its aliases unfold without end", piece.line)
        return _value(node, 0)
    except RecursionError as error:
        raise YamlError("nested too deep", piece.line) from error


def _compose(piece: Piece) -> yaml.Node | None:
    try:
        return yaml.compose(piece.text.decode(), Loader=_Loader)
    except UnicodeDecodeError as error:
        line = piece.line + piece.text.count(b"\n", 0, error.start)
        raise YamlError(f"byte 0x{piece.text[error.start]:02x} is not UTF-8", line) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(error.problem or error.context or "", piece.line + (mark.line if mark else 0)) from error
    except yaml.YAMLError as error:
        raise YamlError(str(error).splitlines()[0], piece.line) from error


def _pieces(data: bytes, cuts: list[int], line: int) -> Iterator[Piece]:
    for start, end in itertools.pairwise(cuts):
        yield Piece(data[start:end], line)
        line += data.count(b"\n", start, end)


def is_blank(text: bytes) -> bool:
    """Nothing but comments, directives and document marks."""
    lines = (line.strip() for line in text.splitlines())
    return all(not line or line in {b"---", b"..."} or line.startswith((b"#", b"%")) for line in lines)


def _unfolds_without_end(node: yaml.Node) -> bool:
    known: dict[int, float] = {}
    return _size(node, known) > max(MAX_UNFOLDED, 3 * len(known))


def _size(node: yaml.Node, known: dict[int, float]) -> float:
    """How many values a node unfolds to; endless for one that holds itself."""
    if id(node) not in known:
        known[id(node)] = math.inf
        known[id(node)] = 1 + sum(_size(child, known) for child in _children(node))
    return known[id(node)]


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _value(node: yaml.Node, depth: int) -> Data:
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, depth)
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, depth + 1) for child in node.value]
    return _scalar(node.tag.removeprefix(_TAG), node.value)


def _mapping(node: yaml.MappingNode, depth: int) -> dict[str, Data]:
    merged: dict[str, Data] = {}
    own: dict[str, Data] = {}
    for key, value in node.value:
        if key.tag == _PLAIN and key.value == "<<":
            merged = {**_merged(value, depth), **merged}
        else:
            own[_key(key, depth)] = _value(value, depth + 1)
    return {**merged, **own}


def _merged(node: yaml.Node, depth: int) -> dict[str, Data]:
    """What `<<` brings in: a mapping, or several of which the first wins."""
    parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
    found: dict[str, Data] = {}
    for part in parts:
        if isinstance(part, yaml.MappingNode):
            found = {**_mapping(part, depth + 1), **found}
    return found


def _key(node: yaml.Node, depth: int) -> str:
    value = _value(node, depth + 1)
    if isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)


def _scalar(kind: str, text: str) -> Data:
    if kind not in {"plain", "bool", "int", "float", "null"}:
        return text
    if text in _NULLS:
        return None
    return _BOOLEANS[text] if text in _BOOLEANS else _number(text)


def _number(text: str) -> Data:
    if _INTEGER.fullmatch(text):
        return _integer(text.replace("_", ""))
    if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return text


def _integer(text: str) -> Data:
    """`0644` and `0o644` are octal; a number too long to be meant as one stays text."""
    if len(text) > 40:
        return text
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    octal = re.fullmatch(r"0o?([0-7]+)", digits)
    return int(sign + (octal[1] if octal else digits), 8 if octal else 0)
