"""YAML without surprises: plain text scalars, known positions, and every trap of the language refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import yaml
from msgspec import Struct

from kubegap.text import Text

MAX_BYTES = 256 * 1024
MAX_DEPTH = 12
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})

Path = tuple[str | int, ...]
Node = dict[str, "Node"] | list["Node"] | str


class Mark(Struct, frozen=True, order=True):
    """A place in a file; both count from 1."""

    line: int
    column: int


class Fault(Struct, frozen=True):
    """Something in the YAML itself that is refused."""

    mark: Mark
    message: Text


class Parsed(Struct, frozen=True):
    """The content of one file: nested dicts, lists and strings, where each value stands, and what was refused.

    `marks` has the place of each value by path; `keys` the place of each mapping key by the path of its value.
    `root` is None when the text could not be read at all.
    """

    root: Node | None
    marks: dict[Path, Mark]
    keys: dict[Path, Mark]
    faults: list[Fault]

    def mark(self, path: Path) -> Mark:
        """The place of a value, or of the nearest thing around it."""
        while path and path not in self.marks:
            path = path[:-1]
        return self.marks.get(path, Mark(1, 1))


def parse(data: bytes, max_bytes: int = MAX_BYTES) -> Parsed:
    """Read one YAML file; never raises for bad content: `faults` says what is wrong, all of it where possible."""
    text, faults = _decode(data, max_bytes)
    if text is None:
        return Parsed(None, {}, {}, faults)
    reader = _Reader(faults)
    try:
        root = reader.document(text)
    except yaml.MarkedYAMLError as error:
        faults.append(_syntax_fault(error))
        root = None
    except _TooDeep as error:
        faults.append(Fault(error.mark, _TOO_DEEP))
        root = None
    return Parsed(root, reader.marks, reader.keys, sorted(faults, key=lambda fault: fault.mark))


def _decode(data: bytes, max_bytes: int) -> tuple[str | None, list[Fault]]:
    start = Mark(1, 1)
    if len(data) > max_bytes:
        return None, [Fault(start, _TOO_LARGE.fill(size=f"{len(data):,}", limit=f"{max_bytes:,}"))]
    if data.startswith(b"\xef\xbb\xbf"):
        return None, [Fault(start, _BYTE_ORDER_MARK)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return None, [Fault(Mark(line, 1), _NOT_UTF8.fill(byte=f"0x{data[error.start]:02x}"))]
    faults = list(_forbidden_characters(text))
    return (None if faults else text), faults


def _forbidden_characters(text: str) -> Iterator[Fault]:
    for character in sorted(filter(_is_forbidden, set(text))):
        message = _TAB if character == "\t" else _CONTROL.fill(code=f"U+{ord(character):04X}")
        for match in re.finditer(re.escape(character), text):
            line = text.count("\n", 0, match.start()) + 1
            yield Fault(Mark(line, match.start() - text.rfind("\n", 0, match.start())), message)


def _is_forbidden(character: str) -> bool:
    """Control, format (bidirectional overrides, zero-width) and odd line-break characters."""
    return character not in "\n\r" and unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}


def _syntax_fault(error: yaml.MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    place = Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)
    return Fault(place, _SYNTAX.fill(problem=error.problem or error.context or ""))


class _TooDeep(Exception):
    def __init__(self, mark: Mark) -> None:
        super().__init__(_TOO_DEEP.en)
        self.mark = mark


class _Reader:
    """Builds plain data from parser events and keeps the place of everything."""

    def __init__(self, faults: list[Fault]) -> None:
        self.marks: dict[Path, Mark] = {}
        self.keys: dict[Path, Mark] = {}
        self.faults = faults
        self.events: Iterator[yaml.Event] = iter(())

    def document(self, text: str) -> Node | None:
        # CBaseLoader is libyaml's parser without any resolver, so that no scalar is guessed at.
        self.events = yaml.parse(text, Loader=yaml.CBaseLoader)
        root: Node | None = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(event, _SEVERAL_DOCUMENTS)
                    return root
            elif isinstance(event, yaml.NodeEvent):
                root = self._node(event, ())
        if root is None:
            self.faults.append(Fault(Mark(1, 1), _EMPTY))
        return root

    def _node(self, event: yaml.Event, path: Path) -> Node:
        self.marks[path] = _mark(event)
        self._refuse_traps(event, path)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        return event.value if isinstance(event, yaml.ScalarEvent) else ""

    def _mapping(self, path: Path) -> Node:
        result: dict[str, Node] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            self._refuse_traps(event, path)
            key = self._key(event, path)
            child = (*path, key)
            if key in result:
                first = self.keys[child].line
                self._refuse(event, _DUPLICATE_KEY.fill(key=key, line=first))
            else:
                self.keys[child] = _mark(event)
            result[key] = self._node(next(self.events), child)
        return result

    def _key(self, event: yaml.Event, path: Path) -> str:
        if isinstance(event, yaml.ScalarEvent):
            if event.value == "<<":
                self._refuse(event, _MERGE_KEY)
            return event.value
        self._refuse(event, _KEY_NOT_TEXT)
        self._node(event, (*path, "?"))
        return "?"

    def _sequence(self, path: Path) -> Node:
        result: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            result.append(self._node(event, (*path, len(result))))
        return result

    def _refuse_traps(self, event: yaml.Event, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            self._refuse(event, _ANCHOR)
        if tag := getattr(event, "tag", None):
            self._refuse(event, _TAG.fill(tag=tag))
        if isinstance(event, yaml.ScalarEvent) and not event.style and event.value in _NULLS:
            self._refuse(event, _NULL.fill(value=event.value) if event.value else _NO_VALUE)
        if len(path) > MAX_DEPTH:
            # libyaml itself stops only at its stack, so a deep file ends here.
            raise _TooDeep(_mark(event))

    def _refuse(self, event: yaml.Event, message: Text) -> None:
        self.faults.append(Fault(_mark(event), message))


def _mark(event: yaml.Event) -> Mark:
    mark = event.start_mark
    return Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)


_TOO_LARGE = Text(
    ko="파일이 {size} 바이트입니다. {limit} 바이트까지만 읽습니다.",
    en="the file has {size} bytes; at most {limit} are read",
)
_BYTE_ORDER_MARK = Text(
    ko="파일이 바이트 순서 표시(BOM)로 시작합니다. 지우세요.", en="the file starts with a byte-order mark; remove it"
)
_NOT_UTF8 = Text(ko="UTF-8 이 아닌 바이트 {byte} 가 있습니다.", en="byte {byte} is not UTF-8")
_TAB = Text(ko="탭 문자가 있습니다. 공백을 쓰세요.", en="a tab character; use spaces")
_CONTROL = Text(
    ko="보이지 않는 제어 문자 {code} 가 있습니다. 지우세요.", en="the invisible control character {code}; remove it"
)
_SYNTAX = Text(ko="YAML 문법 오류: {problem}", en="YAML syntax: {problem}")
_SEVERAL_DOCUMENTS = Text(
    ko="문서가 둘 이상입니다. 파일 하나에 문서 하나만 둡니다.", en="more than one document; a file holds one"
)
_EMPTY = Text(ko="내용이 없습니다.", en="the file is empty")
_DUPLICATE_KEY = Text(
    ko="`{key}` 키가 두 번 나옵니다. 처음 나온 곳은 {line}행입니다.",
    en="`{key}` stands twice; it was first given on line {line}",
)
_MERGE_KEY = Text(ko="병합 키 `<<` 는 쓰지 않습니다.", en="merge keys (`<<`) are not used here")
_KEY_NOT_TEXT = Text(ko="키는 글자여야 합니다.", en="a key must be plain text")
_ANCHOR = Text(
    ko="앵커(&)와 별칭(*)은 쓰지 않습니다. 값을 그대로 적으세요.",
    en="anchors (&) and aliases (*) are not used here; write the value out",
)
_TAG = Text(ko="태그 `{tag}` 는 쓰지 않습니다.", en="the tag `{tag}` is not used here")
_NULL = Text(
    ko="`{value}` 은 값이 아닙니다. 필드를 빼거나 값을 따옴표로 감싸세요.",
    en="`{value}` is no value; leave the field out or quote it",
)
_NO_VALUE = Text(ko="값이 비어 있습니다. 값을 적거나 필드를 빼세요.", en="no value; write one or leave the field out")
_TOO_DEEP = Text(ko=f"{MAX_DEPTH}단계보다 깊이 들어갑니다.", en=f"nested more than {MAX_DEPTH} levels deep")
