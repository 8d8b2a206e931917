"""Lists of objects opened: whole ones, and long ones of which an item is given out as soon as it was read."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

MAX_DEPTH = 5


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


class _Typed(Struct, rename="camel"):
    api_version: str
    kind: str


_decode_list = msgspec.json.Decoder(_List).decode


class LongList:
    """A list whose items come one by one, and whose own kind may come after them.

    An item that says its type is given out at once. One that does not waits for the list to say it.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._count = 0
        self._waiting: list[Item] = []

    def take(self, content: object, place: str | None = None) -> Iterator[Item | EmptyList]:
        """The objects of the next item, or none of them yet."""
        item = Item(place or f"{self._place} items[{self._count}]", content)
        self._count += 1
        if _says_its_type(content):
            yield from opened(item, 1)
        else:
            self._waiting.append(item)

    def end(self, around: Mapping[str, Any]) -> Iterator[Item | EmptyList]:
        """What waited, now that all around the items is known."""
        version, kind = kind_of_items(around)
        if not self._count:
            yield EmptyList(version, kind)
        for item in self._waiting:
            yield from opened(Item(item.place, item.content, version, kind), 1)


def opened(item: Item, depth: int = 0) -> Iterator[Item | EmptyList]:
    """The objects of a list, and of lists in it; anything else as it is."""
    found = _as_list(item) if depth < MAX_DEPTH else None
    if found is None:
        yield item
        return
    version, kind, inner = found
    if not inner:
        yield EmptyList(version, kind)
    for index, content in enumerate(inner):
        yield from opened(Item(f"{item.place} items[{index}]", content, version, kind), depth + 1)


def is_list(around: object) -> bool:
    """Whether what stands around items is a list of the API."""
    return isinstance(around, dict) and str(around.get("kind")).endswith("List")


def kind_of_items(around: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """`PodList` of `v1` holds Pods of `v1`; a plain `List` does not say what it holds."""
    kind, version = around.get("kind"), around.get("apiVersion")
    if not isinstance(kind, str) or not isinstance(version, str) or kind == "List":
        return None, None
    return version, kind.removesuffix("List")


def _says_its_type(content: object) -> bool:
    try:
        if isinstance(content, msgspec.Raw):
            msgspec.json.decode(content, type=_Typed)
        else:
            msgspec.convert(content, _Typed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _as_list(item: Item) -> tuple[str | None, str | None, list[Any]] | None:
    """The kind of its items and the items, if the item is a list."""
    content = item.content
    if isinstance(content, msgspec.Raw):
        return _json_list(content)
    if isinstance(content, dict) and is_list(content) and "items" in content:
        inner = content["items"]
        return (*kind_of_items(content), inner if isinstance(inner, list) else [])
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
    return (*kind_of_items({"apiVersion": found.api_version, "kind": found.kind}), list(found.items or []))
