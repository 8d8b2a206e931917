"""From the bytes of a dump or manifest to single objects, so that one odd object does not lose the rest.

What is short is held whole, which allows a second look. What is long is read in parts: then memory holds an item and what
was made of those before it, never the text.
"""

import json
import re
from collections.abc import Iterator

import msgspec

from kubegap.cluster import long_json, long_yaml, yaml_items, yaml_text
from kubegap.cluster.chunks import SIZE, Chunks
from kubegap.cluster.lists import Broken, EmptyList, Item, opened

_BRACKET = re.compile(rb"\s*[\[{]")


def items(chunks: Chunks, name: str) -> Iterator[Item | Broken | EmptyList]:
    """Every object in one file; lists are opened. `name` is how places call the file."""
    head, is_whole = _head(chunks)
    if is_whole:
        yield from _short(head, name)
    elif _BRACKET.match(head):
        yield from long_json.items(head, chunks, name)
    else:
        yield from long_yaml.items(head, chunks, name)


def _head(chunks: Chunks) -> tuple[bytes, bool]:
    """The beginning of a file, and whether that is all of it."""
    parts: list[bytes] = []
    while sum(map(len, parts)) <= SIZE:
        parts.append(chunks.read())
        if not parts[-1]:
            return b"".join(parts), True
    return b"".join(parts), False


def _short(text: bytes, name: str) -> Iterator[Item | Broken | EmptyList]:
    if _BRACKET.match(text):
        parts = _json_values(text)
        if not isinstance(parts, str):
            for part in parts:
                yield from opened(Item(name, msgspec.Raw(part.strip())))
            return
    # Flow-style YAML begins like JSON too.
    for piece in yaml_text.documents(text):
        yield from yaml_items.of_document(piece, name)


def _json_values(text: bytes) -> list[bytes] | str:
    """The JSON values of a text one by one, or why it is not JSON."""
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        return _concatenated(text) or _reason(error)
    return [text]


def _concatenated(text: bytes) -> list[bytes]:
    """JSON values one after the other, as two `kubectl get` into one file leave them."""
    decoder, whole, at, parts = json.JSONDecoder(), text.decode(errors="surrogateescape"), 0, []
    while at < len(whole):
        try:
            _, end = decoder.raw_decode(whole, at)
        except (ValueError, RecursionError):
            return []
        parts.append(whole[at:end].encode(errors="surrogateescape"))
        at = end + len(whole[end:]) - len(whole[end:].lstrip())
    return parts


def _reason(error: BaseException) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)
