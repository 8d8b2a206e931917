"""JSON that is too long to be held whole: values one after the other, of long lists item by item."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from kubegap.cluster.chunks import SIZE, Chunks
from kubegap.cluster.lists import Broken, EmptyList, Item, LongList, is_list, opened

_BLANK = re.compile(r"[ \t\r\n]*")
# A word or an escape that the end of the text in hand may have cut.
_CUT = 8
# A number at the end of the text in hand, or one that was cut before its fraction or exponent.
_GOES_ON = re.compile(r"[.eE+-]*\Z")
_scan = json.JSONDecoder().raw_decode
_utf8 = codecs.getincrementaldecoder("utf-8")


def items(head: bytes, chunks: Chunks, name: str) -> Iterator[Item | Broken | EmptyList]:
    """Every object of the text that begins with `head`; where it breaks, what stood before it was given out."""
    text = _Text(head, chunks)
    try:
        while text.next_character():
            whole = text.short_value()
            if whole is not None:
                yield from opened(Item(name, _raw(whole)))
            elif text.next_character() == "[":
                yield from _array(text, LongList(name))
            else:
                yield from _object(text, name)
    except _Malformed as error:
        yield Broken(f"{name}:{error.line}", str(error))


def _array(text: "_Text", found: LongList) -> Iterator[Item | EmptyList]:
    for value in text.elements():
        yield from found.take(_raw(value))
    yield from found.end({})


def _object(text: "_Text", name: str) -> Iterator[Item | EmptyList]:
    """A list's items as they come; of any other object all its fields together."""
    found, around, parts = None, dict[str, Any](), list[str]()
    for key in text.fields():
        if key == "items" and found is None and text.next_character() == "[":
            found = LongList(name)
            for value in text.elements():
                yield from found.take(_raw(value))
            continue
        value = text.value()
        parts.append(f"{json.dumps(key)}:{value}")
        if key in {"apiVersion", "kind"}:
            around[key] = json.loads(value)
    if found and is_list(around):
        yield from found.end(around)
    else:
        yield from opened(Item(name, _raw(f"{{{','.join(parts)}}}")))


def _raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode(errors="surrogateescape"))


class _Malformed(ValueError):
    """Text that is no JSON; `line` counts from 1 in the whole text."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class _Text:
    """The part of a long text in hand: it grows at its end and is forgotten up to the place of reading."""

    def __init__(self, head: bytes, chunks: Chunks) -> None:
        self._chunks = chunks
        self._decoder = _utf8("surrogateescape")
        self._text = self._decoder.decode(head)
        self._at = 0
        self._lines = 1
        self._is_whole = False

    def next_character(self) -> str:
        """The next one that is not blank, or none at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow():
                return ""

    def value(self) -> str:
        """The next value, however long."""
        value = self._value(None)
        assert value is not None  # noqa: S101, only a limit leaves one out
        return value

    def short_value(self) -> str | None:
        """The next value, unless it is so long that it should be read in parts."""
        return self._value(SIZE)

    def fields(self) -> Iterator[str]:
        """The keys of the object that begins here; each value must be read before the next key."""
        self._take("{")
        if self.next_character() == "}":
            return self._take("}")
        while True:
            if self.next_character() != '"':
                raise self._malformed("expected a key")
            key = json.loads(self.value())
            self._take(":")
            yield key
            if self.next_character() == "}":
                return self._take("}")
            self._take(",")

    def elements(self) -> Iterator[str]:
        """The values of the array that begins here."""
        self._take("[")
        if self.next_character() == "]":
            return self._take("]")
        while True:
            yield self.value()
            if self.next_character() == "]":
                return self._take("]")
            self._take(",")

    def _value(self, limit: int | None) -> str | None:
        while True:
            self.next_character()
            try:
                end = _scan(self._text, self._at)[1]
            except json.JSONDecodeError as error:
                if not self._may_be_cut(error) or self._is_whole:
                    raise self._malformed(error.msg, error.pos) from None
            except RecursionError:
                raise self._malformed("nested too deep") from None
            else:
                if self._is_whole or not _GOES_ON.match(self._text, end):
                    value, self._at = self._text[self._at : end], end
                    return value
            if limit is not None and len(self._text) - self._at >= limit:
                return None
            self._grow()

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _CUT

    def _take(self, character: str) -> None:
        if self.next_character() != character:
            raise self._malformed(f"expected `{character}`")
        self._at += 1

    def _grow(self) -> bool:
        """Read at least as much again as is in hand, so that a long value is not scanned too often."""
        wanted, parts = max(SIZE, len(self._text) - self._at), [self._text[self._at :]]
        self._lines += self._text.count("\n", 0, self._at)
        self._at = 0
        while wanted > 0 and not self._is_whole:
            chunk = self._chunks.read()
            self._is_whole = not chunk
            parts.append(self._decoder.decode(chunk, self._is_whole))
            wanted -= len(chunk)
        self._text = "".join(parts)
        return len(self._text) > len(parts[0])

    def _malformed(self, reason: str, at: int | None = None) -> _Malformed:
        return _Malformed(reason, self._lines + self._text.count("\n", 0, self._at if at is None else at))
