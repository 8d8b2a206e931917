"""Sorts the objects of an input by kind, types each on its own, and writes down what could not be read."""

import re
from collections.abc import Mapping

from msgspec import Struct

from kubegap.cluster import typed
from kubegap.cluster.evidence import Subject
from kubegap.cluster.lifecycle import lifecycle_of
from kubegap.cluster.lists import Broken, EmptyList, Item
from kubegap.cluster.objects import KubernetesObject, Node
from kubegap.cluster.providers import provider_of
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.sharing import Sharing
from kubegap.cluster.snapshot import Coverage, Origin, Place, ReadState, Snapshot, Source, Unread

# How places call standard input.
STDIN = "stdin"
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
        self._sharing = Sharing()
        self._from_cluster = False
        self._places: dict[str, Place] = {}
        self._outdated: list[Subject] = []

    @property
    def is_empty(self) -> bool:
        """Whether not one object could be read, not even of a kind that no check looks at."""
        return not (self._objects or self._listed or self._others or self._outdated)

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
        is_manifests = self.origin is Origin.MANIFESTS
        return Snapshot(
            source=source,
            objects=objects,
            coverage={path: self._coverage(path) for path in RESOURCES},
            provider=provider_of(found for found in objects.get(Node.resource.path, ()) if isinstance(found, Node)),
            unread=tuple(self._unread),
            ignored=tuple(self._ignored),
            places=self._places if is_manifests else {},
            # A dump is in the version that somebody asked for, and says nothing of who writes in which.
            outdated=tuple(self._outdated) if is_manifests else (),
        )

    def _add_empty(self, item: EmptyList) -> None:
        if path := _path(item.version or "", item.kind or ""):
            self._listed.add(path)
        else:
            self._others += 1

    def _add_item(self, item: Item) -> None:
        try:
            head = typed.convert(item.content, _Head)
        except typed.MISFITS as error:
            self._unread.append(Unread(item.place, typed.misfit(error)))
            return
        version, kind = head.api_version or item.version, head.kind or item.kind
        if lifecycle_of(version or "", kind or ""):
            self._note_outdated(item, version or "", kind or "")
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
            self._from_cluster |= typed.is_stored(item.content)

    def _note_outdated(self, item: Item, version: str, kind: str) -> None:
        name, namespace = typed.named(item.content)
        subject = Subject(version, kind, namespace, name)
        self._outdated.append(subject)
        if place := _place(item.place):
            self._places[subject.path] = place

    def _add_object(self, item: Item, path: str) -> None:
        try:
            found = self._sharing.shared(typed.trimmed(typed.convert(item.content, RESOURCES[path])))
        except typed.MISFITS as error:
            self._unread.append(
                Unread(item.place, f"{typed.called(item.content, RESOURCES[path])}: {typed.misfit(error)}", path)
            )
            return
        self._from_cluster |= bool(found.metadata.uid or found.metadata.resource_version)
        self._objects.setdefault(path, {})[found.namespace, found.name] = found
        # Of a dump, which may be long, nobody will want to change the lines.
        if not self._from_cluster and (place := _place(item.place)):
            self._places[Subject.of(found).path] = place

    def _coverage(self, path: str) -> Coverage:
        count = len(self._objects.get(path, ()))
        lost = [unread for unread in self._unread if unread.kind in {path, None}]
        resource = RESOURCES[path].resource
        if lost:
            return Coverage(resource, count, ReadState.HALF_READ, typed.lost(lost))
        if count or path in self._listed:
            return Coverage(resource, count, ReadState.READ)
        return Coverage(resource, 0, ReadState.NOT_IN_THIS_INPUT)


_BY_KIND: Mapping[tuple[str, str], str] = {
    (resource.api_version, resource.kind): path
    for path, kind in RESOURCES.items()
    for resource in kind.resource.versions
}


def _place(words: str) -> Place | None:
    """`shop/cart.yaml:12 items[3]` as file and line; None for standard input."""
    match = _PLACE.fullmatch(words)
    if not match or match["path"] == STDIN:
        return None
    return Place(match["path"], int(match["line"] or 1))


_PLACE = re.compile(r"(?P<path>.+?)(?::(?P<line>[1-9][0-9]*))?(?: items\[[0-9]+\])*", re.DOTALL)


def _path(version: str, kind: str) -> str | None:
    return _BY_KIND.get((version, kind))


def _path_of_other_version(version: str, kind: str) -> str | None:
    """The path of the same kind in the version that is read, so that an old `v1beta1` object is not lost silently."""
    group = version.rpartition("/")[0]
    return next(
        (path for path, known in RESOURCES.items() if (known.resource.group, known.resource.kind) == (group, kind)),
        None,
    )
