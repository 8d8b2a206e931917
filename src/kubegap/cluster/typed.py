"""From one object as the API or a file writes it to its typed record, and the words for one that does not fit.

Of annotations only those stay that a check reads: the others may hold anything, such as the whole applied configuration.
Of those who wrote an object only they stay who did so in a version of the API that goes away.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from kubegap.cluster.cordons import MARKS
from kubegap.cluster.lifecycle import removals
from kubegap.cluster.objects import KubernetesObject, Metadata
from kubegap.cluster.providers import OWNER_MARKS
from kubegap.cluster.snapshot import Unread
from kubegap.text import Text

T = TypeVar("T")
K = TypeVar("K", bound=KubernetesObject)

MISFITS = (msgspec.DecodeError, UnicodeDecodeError)
# By its owner: `accept.kubegap.io/<check id>: "<reason>; until 2027-03-01"`.
ACCEPT = "accept.kubegap.io/"
KEPT_ANNOTATIONS = frozenset({*OWNER_MARKS, *MARKS})


def convert(content: object, kind: type[T]) -> T:
    """JSON bytes or YAML data as a type; raises one of `MISFITS`."""
    if isinstance(content, msgspec.Raw):
        return msgspec.json.decode(content, type=kind)
    return msgspec.convert(content, kind)


def trimmed(thing: K) -> K:
    """The object without what no check reads and nobody should carry about."""
    metadata = _trimmed(thing.metadata)
    return thing if metadata is thing.metadata else structs.replace(thing, metadata=metadata)


def _trimmed(metadata: Metadata) -> Metadata:
    annotations, written = metadata.annotations, metadata.managed_fields
    if not annotations and not written:
        return metadata
    kept = {
        key: value for key, value in (annotations or {}).items() if key in KEPT_ANNOTATIONS or key.startswith(ACCEPT)
    }
    old = [one for one in written or () if one.api_version in removals()]
    return structs.replace(metadata, annotations=kept or None, managed_fields=old or None)


class _Named(Struct):
    name: str = ""
    namespace: str | None = None
    uid: str | None = None


class _WithName(Struct):
    metadata: _Named | None = None


def called(content: object, kind: type[KubernetesObject]) -> str:
    """The kind and, if it can be read, the name of an object whose rest cannot."""
    try:
        found = convert(content, _WithName)
    except MISFITS:
        return kind.resource.kind
    name = found.metadata.name if found.metadata else ""
    return f"{kind.resource.kind}/{name}" if name else kind.resource.kind


def named(content: object) -> tuple[str, str | None]:
    """The name and namespace of an object of any kind, as far as they stand there."""
    try:
        found = convert(content, _WithName).metadata or _Named()
    except MISFITS:
        found = _Named()
    return found.name, found.namespace


def is_stored(content: object) -> bool:
    """Whether an API server has stored the object, which gives it a UID."""
    try:
        found = convert(content, _WithName)
    except MISFITS:
        return False
    return bool(found.metadata and found.metadata.uid)


def misfit(error: msgspec.DecodeError | UnicodeDecodeError) -> str:
    """What msgspec says, or where a byte is not UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte 0x{error.object[error.start]:02x} is not UTF-8"
    return str(error)


def lost(pieces: list[Unread]) -> Text:
    """Why a list is not whole: the first piece that could not be read, and how many more."""
    words = _LOST_ONE if len(pieces) == 1 else _LOST_SEVERAL
    return words.fill(place=pieces[0].place, reason=pieces[0].reason, more=len(pieces) - 1)


_LOST_ONE = Text(ko="읽지 못한 곳: {place} ({reason})", en="not read: {place} ({reason})")
_LOST_SEVERAL = Text(
    ko="읽지 못한 곳: {place} ({reason}), 이 밖에 {more}곳", en="not read: {place} ({reason}), and {more} more"
)
