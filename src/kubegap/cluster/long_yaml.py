"""YAML that is too long to be held whole: document by document, and of a long List item by item."""

import re
from collections.abc import Iterator

from msgspec import Struct

from kubegap.cluster import yaml_text
from kubegap.cluster.chunks import Chunks
from kubegap.cluster.lists import Broken, EmptyList, Item, LongList, is_list
from kubegap.cluster.yaml_items import of_document, of_list_item
from kubegap.cluster.yaml_text import Piece, YamlError, is_blank

_MARK = re.compile(rb"---(?=[ \t\r\n]|\Z)")
_OPENING = re.compile(rb"items:[ \t]*\r?\n")
_ITEM = re.compile(rb"( *)- ")


class _Line(Struct, frozen=True):
    text: bytes
    number: int


class _Lines:
    """The lines of a text one by one, with a look at the next."""

    def __init__(self, head: bytes, chunks: Chunks) -> None:
        self._lines = _lines(head, chunks)
        self.next: _Line | None = next(self._lines, None)

    def are_over(self) -> bool:
        """Whether every line was taken."""
        return self.next is None

    def take(self) -> _Line:
        """The next line; there has to be one."""
        line = self.next
        assert line is not None  # noqa: S101, whoever takes has looked
        self.next = next(self._lines, None)
        return line

    def starts_with(self, pattern: re.Pattern[bytes]) -> bool:
        """Whether there is a next line that begins so."""
        return self.next is not None and pattern.match(self.next.text) is not None


def items(head: bytes, chunks: Chunks, name: str) -> Iterator[Item | Broken | EmptyList]:
    """Every object of the text that begins with `head`.

    Unlike in a short text, an alias to an anchor of another item of a List is not followed: that item is broken.
    """
    lines = _Lines(head, chunks)
    while not lines.are_over():
        yield from _document(lines, name)


def _document(lines: _Lines, name: str) -> Iterator[Item | Broken | EmptyList]:
    around, found = [lines.take()], None
    while not lines.are_over() and not lines.starts_with(_MARK):
        around.append(lines.take())
        if found is None and _OPENING.fullmatch(around[-1].text) and lines.starts_with(_ITEM):
            around.pop()
            found = LongList(name)
            for piece in _pieces(lines):
                item = of_list_item(piece, name)
                yield from [item] if isinstance(item, Broken) else found.take(item.content, item.place)
    if found:
        yield from _end(around, found, name)
    elif not is_blank(text := b"".join(line.text for line in around)):
        yield from of_document(Piece(text, around[0].number), name)


def _pieces(lines: _Lines) -> Iterator[Piece]:
    """The items of the list that begins here, each with its dash."""
    indent = _indent(lines.next)
    # A line of what follows the list; blank ones and comments may stand anywhere.
    beyond = re.compile(rb"[^- \t\r\n#]" if indent == 0 else rb"[^ \t\r\n#]")
    own = re.compile(rb" " * (indent or 0) + rb"- ")
    while not lines.are_over() and not lines.starts_with(_MARK) and not lines.starts_with(beyond):
        first = lines.take()
        parts = [first.text]
        while not lines.are_over() and not any(map(lines.starts_with, (own, _MARK, beyond))):
            parts.append(lines.take().text)
        yield Piece(b"".join(parts), first.number)


def _indent(line: _Line | None) -> int | None:
    match = _ITEM.match(line.text) if line is not None else None
    return len(match[1]) if match else None


def _end(around: list[_Line], found: LongList, name: str) -> Iterator[Item | Broken | EmptyList]:
    """What stood around the items says what they are."""
    try:
        content = yaml_text.load(Piece(b"".join(line.text for line in around), 0))
    except YamlError as error:
        yield Broken(f"{name}:{around[min(error.line, len(around) - 1)].number}", str(error))
        return
    if isinstance(content, dict) and is_list(content):
        yield from found.end(content)
    else:
        # A text that was cut off lacks the kind, which kubectl writes last: what waited for it is lost, and that is said.
        yield Item(f"{name}:{around[0].number}", content or {})


def _lines(head: bytes, chunks: Chunks) -> Iterator[_Line]:
    number, rest, chunk = 1, b"", head
    while chunk:
        *whole, rest = (rest + chunk).splitlines(keepends=True) or [b""]
        if rest.endswith(b"\n"):
            whole.append(rest)
            rest = b""
        for line in whole:
            yield _Line(line, number)
            number += 1
        chunk = chunks.read()
    if rest:
        yield _Line(rest, number)
