"""Sorts the objects of an input by kind, types each on its own, and writes down what could not be read."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from kubegap.cluster.objects import RESOURCES, KubernetesObject, Node
from kubegap.cluster.providers import provider_of
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot, Source, Unread
from kubegap.cluster.stream import Broken, EmptyList, Item
from kubegap.text import Text

T = TypeVar("T")
_Key = tuple[str | None, str]


class _Head(Struct, rename="camel"):
    """What says the type of an object; absent in items of a typed list."""

    api_version: str | None = None
    kind: str | None = None


class Gathering:
    """Collects items; afterwards `snapshot` is what was found."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[_Key, KubernetesObject]] = {}
        self._listed: set[str] = set()
        self._unread: list[Unread] = []
        self._ignored: list[Unread] = []
        self._others = 0
        self._from_cluster = False

    @property
    def is_empty(self) -> bool:
        """Whether not one object could be read, not even of a kind that no check looks at."""
        return not (self._objects or self._listed or self._others)

    @property
    def first_loss(self) -> Unread | None:
        """The first piece of the input that could not be read."""
        return next(iter(self._unread), None)

    @property
    def origin(self) -> Origin:
        """Objects that an API server has stored carry a UID or a version; manifests never do."""
        return Origin.DUMP if self._from_cluster or self._listed else Origin.MANIFESTS

    def add(self, item: Item | Broken | EmptyList) -> None:
        """Take in one piece of the input."""
        if isinstance(item, EmptyList):
            self._add_empty(item)
        elif isinstance(item, Broken):
            self._unread.append(Unread(item.place, item.reason))
        elif item.content is not None:
            self._add_item(item)

    def snapshot(self, source: Source) -> Snapshot:
        """Everything taken in so far."""
        objects = {path: tuple(found.values()) for path, found in self._objects.items()}
        return Snapshot(
            source=source,
            objects=objects,
            coverage={path: self._coverage(path) for path in RESOURCES},
            provider=provider_of(found for found in objects.get(Node.resource.path, ()) if isinstance(found, Node)),
            unread=tuple(self._unread),
            ignored=tuple(self._ignored),
        )

    def _add_empty(self, item: EmptyList) -> None:
        if path := _path(item.version or "", item.kind or ""):
            self._listed.add(path)
        else:
            self._others += 1

    def _add_item(self, item: Item) -> None:
        try:
            head = _convert(item.content, _Head)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self._unread.append(Unread(item.place, _reason(error)))
            return
        version, kind = head.api_version or item.version, head.kind or item.kind
        if not version or not kind:
            self._ignored.append(Unread(item.place, "no apiVersion and kind"))
        elif path := _path(version, kind):
            self._add_object(item, path)
        elif path := _path_of_other_version(version, kind):
            self._unread.append(
                Unread(item.place, f"{kind} {version}: {RESOURCES[path].resource.api_version} is read", path)
            )
        else:
            self._others += 1
            self._from_cluster |= _is_stored(item.content)

    def _add_object(self, item: Item, path: str) -> None:
        try:
            found = _convert(item.content, RESOURCES[path])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self._unread.append(Unread(item.place, f"{_called(item, path)}: {_reason(error)}", path))
            return
        self._from_cluster |= bool(found.metadata.uid or found.metadata.resource_version)
        self._objects.setdefault(path, {})[found.namespace, found.name] = found

    def _coverage(self, path: str) -> Coverage:
        count = len(self._objects.get(path, ()))
        lost = [unread for unread in self._unread if unread.kind in {path, None}]
        resource = RESOURCES[path].resource
        if lost:
            words = _LOST_ONE if len(lost) == 1 else _LOST_SEVERAL
            reason = words.fill(place=lost[0].place, reason=lost[0].reason, more=len(lost) - 1)
            return Coverage(resource, count, ReadState.HALF_READ, reason)
        if count or path in self._listed:
            return Coverage(resource, count, ReadState.READ)
        return Coverage(resource, 0, ReadState.NOT_IN_THIS_INPUT)


_BY_KIND: Mapping[tuple[str, str], str] = {
    (kind.resource.api_version, kind.resource.kind): path for path, kind in RESOURCES.items()
}


def _path(version: str, kind: str) -> str | None:
    return _BY_KIND.get((version, kind))


def _path_of_other_version(version: str, kind: str) -> str | None:
    """The path of the same kind in the version that is read, so that an old `v1beta1` object is not lost silently."""
    group = version.rpartition("/")[0]
    return next(
        (path for path, known in RESOURCES.items() if (known.resource.group, known.resource.kind) == (group, kind)),
        None,
    )


def _convert(content: object, kind: type[T]) -> T:
    if isinstance(content, msgspec.Raw):
        return msgspec.json.decode(content, type=kind)
    return msgspec.convert(content, kind)


class _Named(Struct):
    name: str = ""
    uid: str | None = None


class _WithName(Struct):
    metadata: _Named | None = None


def _called(item: Item, path: str) -> str:
    """The kind and, if it can be read, the name of an object whose rest cannot."""
    kind = RESOURCES[path].resource.kind
    try:
        found = _convert(item.content, _WithName)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return kind
    return f"{kind}/{found.metadata.name}" if found.metadata and found.metadata.name else kind


def _is_stored(content: object) -> bool:
    try:
        found = _convert(content, _WithName)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return bool(found.metadata and found.metadata.uid)


def _reason(error: msgspec.DecodeError | UnicodeDecodeError) -> str:
    """What msgspec says, or where a byte is not UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte 0x{error.object[error.start]:02x} is not UTF-8"
    return str(error)


_LOST_ONE = Text(ko="읽지 못한 곳: {place} ({reason})", en="not read: {place} ({reason})")
_LOST_SEVERAL = Text(
    ko="읽지 못한 곳: {place} ({reason}), 이 밖에 {more}곳", en="not read: {place} ({reason}), and {more} more"
)
