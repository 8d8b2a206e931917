"""From the bytes of a dump or manifest to single objects, so that one odd object does not lose the rest."""

import codecs
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from kubegap.cluster import yaml_text
from kubegap.cluster.yaml_text import Piece, YamlError

MAX_DEPTH = 5
# Beyond this size, text that is no JSON is not tried as YAML too: that would take minutes to say the same.
MAX_SECOND_LOOK = 1 << 20
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_TIME = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?=(?:\.\d+)?Z)")
# The times that the API server and controllers write; not those that lie ahead, such as the end of a certificate.
_PAST = re.compile(
    rb"""\b(?:creationTimestamp|time|startTime|startedAt|finishedAt|renewTime|lastTransitionTime|lastHeartbeatTime"""
    rb"""|lastProbeTime|lastUpdateTime|lastTimestamp|eventTime)"?:\s*["']?\Z"""
)
_KEY_LENGTH = 40


class Item(Struct, frozen=True):
    """One object before its type is known: JSON bytes or YAML data, and where it stands in the input.

    `version` and `kind` are given where the list around it says them, as `PodList` does.
    """

    place: str
    content: object
    version: str | None = None
    kind: str | None = None


class Broken(Struct, frozen=True):
    """A piece of the input that is neither JSON nor YAML, and so might have held anything."""

    place: str
    reason: str


class EmptyList(Struct, frozen=True):
    """A list that holds nothing; one that says its kind, as `PodList` does, is proof that there is none of it."""

    version: str | None
    kind: str | None


class _List(Struct, rename="camel"):
    api_version: str | None = None
    kind: str | None = None
    items: list[msgspec.Raw] | None = None


_BRACKET = re.compile(rb"\s*[\[{]")
_decode_list = msgspec.json.Decoder(_List).decode


def items(data: bytes, name: str) -> Iterator[Item | Broken | EmptyList]:
    """Every object in the bytes of one file; lists are opened. `name` is how places call the file."""
    text = without_bom(data)
    broken = None
    if _BRACKET.match(text):
        parts = _json_values(text)
        if not isinstance(parts, str):
            for part in parts:
                yield from _open(Item(name, msgspec.Raw(part.strip())), 0)
            return
        broken = Broken(name, parts)
    # Flow-style YAML begins like JSON too.
    if broken and len(text) > MAX_SECOND_LOOK:
        yield broken
        return
    for piece in yaml_text.documents(text):
        yield from _yaml(piece, name)


def newest_time(data: bytes) -> datetime | None:
    """The newest time at which something happened to any object: the nearest that a dump has to a clock."""
    newest = b""
    for match in _TIME.finditer(data):
        # Few are newer than all before them, so few have their key looked at.
        if match[0] > newest and _PAST.search(data, max(0, match.start() - _KEY_LENGTH), match.start()):
            newest = match[0]
    try:
        return datetime.fromisoformat(newest.decode()).replace(tzinfo=UTC) if newest else None
    except ValueError:
        return None


def without_bom(data: bytes) -> bytes:
    """UTF-8 without its mark; PowerShell's `>` writes UTF-16, which is turned into UTF-8."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="surrogateescape").encode(errors="surrogateescape")
    return data


def _json_values(text: bytes) -> list[bytes] | str:
    """The JSON values of a text one by one, or why it is not JSON."""
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        return _concatenated(text) or _reason(error)
    return [text]


def _concatenated(text: bytes) -> list[bytes]:
    """JSON values one after the other, as two `kubectl get` into one file leave them."""
    decoder, whole, at, parts = json.JSONDecoder(), text.decode(errors="replace"), 0, []
    while at < len(whole):
        try:
            _, end = decoder.raw_decode(whole, at)
        except (ValueError, RecursionError):
            return []
        parts.append(whole[at:end].encode())
        at = end + len(whole[end:]) - len(whole[end:].lstrip())
    return parts


def _yaml(piece: Piece, name: str) -> Iterator[Item | Broken | EmptyList]:
    listed = yaml_text.cut_list(piece)
    if listed and (kind := _kind_of_list(listed.around)):
        found = [_yaml_item(part, name) for part in listed.items]
        # An alias to an anchor of another item is the one reason to need the whole tree.
        if not any(isinstance(item, Broken) for item in found) or isinstance(_yaml_whole(piece, name), Broken):
            for item in found:
                yield from [item] if isinstance(item, Broken) else _open(Item(item.place, item.content, *kind), 1)
            return
    whole = _yaml_whole(piece, name)
    yield from [whole] if isinstance(whole, Broken) else _open(whole, 0)


def _kind_of_list(around: Piece) -> tuple[str | None, str | None] | None:
    """What the items are, from the List without them; None if it is none or cannot be read."""
    try:
        content = yaml_text.load(around)
    except YamlError:
        return None
    return _inner_kind(content) if isinstance(content, dict) and str(content.get("kind")).endswith("List") else None


def _yaml_item(piece: Piece, name: str) -> Item | Broken:
    whole = _yaml_whole(piece, name)
    if isinstance(whole, Broken):
        return whole
    content = whole.content
    return Item(whole.place, content[0] if isinstance(content, list) and len(content) == 1 else content)


def _yaml_whole(piece: Piece, name: str) -> Item | Broken:
    try:
        return Item(f"{name}:{piece.line}", yaml_text.load(piece))
    except YamlError as error:
        return Broken(f"{name}:{error.line}", str(error))


def _open(item: Item, depth: int) -> Iterator[Item | EmptyList]:
    """The objects of a list, and of lists in it; anything else as it is."""
    opened = _as_list(item) if depth < MAX_DEPTH else None
    if opened is None:
        yield item
        return
    version, kind, inner = opened
    if not inner:
        yield EmptyList(version, kind)
    for index, content in enumerate(inner):
        yield from _open(Item(f"{item.place} items[{index}]", content, version, kind), depth + 1)


def _as_list(item: Item) -> tuple[str | None, str | None, list[Any]] | None:
    """The kind of its items and the items, if the item is a list."""
    content = item.content
    if isinstance(content, msgspec.Raw):
        return _json_list(content)
    if isinstance(content, dict) and str(content.get("kind")).endswith("List") and "items" in content:
        inner = content["items"]
        return (*_inner_kind(content), inner if isinstance(inner, list) else [])
    # A JSON array at the top, or a YAML one, holds objects side by side.
    return (None, None, content) if isinstance(content, list) else None


def _json_list(content: msgspec.Raw) -> tuple[str | None, str | None, list[Any]] | None:
    if bytes(memoryview(content)[:1]) == b"[":
        return None, None, msgspec.json.decode(content, type=list[msgspec.Raw])
    try:
        found = _decode_list(content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if not (found.kind or "").endswith("List") or (found.items is None and b'"items"' not in bytes(content)):
        return None
    return (*_inner_kind({"apiVersion": found.api_version, "kind": found.kind}), list(found.items or []))


def _inner_kind(around: dict[str, Any]) -> tuple[str | None, str | None]:
    """`PodList` of `v1` holds Pods of `v1`; a plain `List` does not say what it holds."""
    kind, version = around.get("kind"), around.get("apiVersion")
    if not isinstance(kind, str) or not isinstance(version, str) or kind == "List":
        return None, None
    return version, kind.removesuffix("List")


def _reason(error: BaseException) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)
