"""A snapshot as one compressed file, to look at later or elsewhere; `docs/snapshot.md` describes the format.

Only typed fields are in it, so what kubegap does not read is not carried about either. A snapshot of an older kubegap may lack
fields that today's checks read; its kinds then count as half read.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, get_args

import msgspec
from msgspec import Struct, structs

from kubegap.cluster.objects import KubernetesObject
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.sharing import Sharing
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot, Source, Unread
from kubegap.problems import UnreadableFile, writing
from kubegap.text import Text

FORMAT = "kubegap-snapshot"
VERSION = 1
_BATCH = 500
_LONGEST_LINE = 1 << 28


class _Kind(Struct, omit_defaults=True):
    objects: int
    state: ReadState
    fields: list[str]
    reason: Text | None = None


class _Head(Struct):
    format: str
    version: int
    source: Source
    provider: str | None = None
    kinds: dict[str, _Kind] = {}
    unread: list[Unread] = []
    ignored: list[Unread] = []


class _Mark(Struct):
    """What says whether the rest of the head can be read."""

    format: str = ""
    version: int = 0


class _Objects(Struct):
    path: str
    objects: msgspec.Raw


def save(snapshot: Snapshot, path: Path) -> None:
    """Write the snapshot; the file is only its owner's to read, and is whole or not there. Raises `UnwritableFile`."""
    with writing(path):
        _write(snapshot, path)


def _write(snapshot: Snapshot, path: Path) -> None:
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:  # noqa: PTH123
            packed.writelines(line + b"\n" for line in _lines(snapshot))
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


def load(path: str) -> Snapshot:
    """The snapshot of a file that `save` wrote; raises `UnreadableFile` for any other."""
    try:
        with Path(path).open("rb") as file:
            return _load(file)
    except gzip.BadGzipFile as error:
        raise UnreadableFile(_NO_SNAPSHOT.fill(path=path), _OTHER_FILES) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableFile(_CANNOT_READ.fill(path=path, reason=reason)) from error
    except (EOFError, zlib.error):
        raise UnreadableFile(_CUT_OFF.fill(path=path)) from None
    except msgspec.ValidationError as error:
        # The head said that it is a snapshot, so what does not fit was written by a kubegap with other records.
        raise UnreadableFile(_OTHER.fill(path=path, reason=error), _SAVE_ANEW) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableFile(_DAMAGED.fill(path=path, reason=" ".join(str(error).split()))) from None


def fields_of(kind: type[Struct]) -> list[str]:
    """The fields of a record and of the records in it, as paths: `metadata.name`, `spec.nodeName`."""
    return sorted(set(_fields(kind, "")))


def _fields(kind: type[Struct], before: str) -> Iterator[str]:
    for field in structs.fields(kind):
        inner = list(_records(field.type))
        if not inner:
            yield before + field.encode_name
        for record in inner:
            yield from _fields(record, f"{before}{field.encode_name}.")


def _records(annotation: object) -> Iterator[type[Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        yield annotation
    for part in get_args(annotation):
        yield from _records(part)


def _lines(snapshot: Snapshot) -> Iterator[bytes]:
    kinds = {
        path: _Kind(coverage.objects, coverage.state, fields_of(RESOURCES[path]), coverage.reason)
        for path, coverage in sorted(snapshot.coverage.items())
    }
    head = _Head(FORMAT, VERSION, snapshot.source, snapshot.provider, kinds, [*snapshot.unread], [*snapshot.ignored])
    yield msgspec.json.encode(head)
    for path, objects in sorted(snapshot.objects.items()):
        for start in range(0, max(1, len(objects)), _BATCH):
            part = _stated(msgspec.to_builtins(objects[start : start + _BATCH]))
            yield msgspec.json.encode({"path": path, "objects": part})


def _stated(part: object) -> object:
    """What is said, without fields that are not set: a later kubegap may have a record where this one has none."""
    if isinstance(part, dict):
        return {key: _stated(value) for key, value in part.items() if value is not None}
    return [_stated(value) for value in part] if isinstance(part, list | tuple) else part


def _load(file: BinaryIO) -> Snapshot:
    with gzip.GzipFile(fileobj=file) as packed:
        head = _head(packed.readline(_LONGEST_LINE))
        objects: dict[str, list[KubernetesObject]] = {}
        sharing = Sharing()
        while line := packed.readline(_LONGEST_LINE):
            batch = msgspec.json.decode(line, type=_Objects)
            # A kind that only a newer kubegap knows is nothing that this one's checks ask for.
            if kind := RESOURCES.get(batch.path):
                found = msgspec.json.decode(batch.objects, type=list[kind])  # type: ignore[valid-type]
                objects.setdefault(batch.path, []).extend(map(sharing.shared, found))
    return Snapshot(
        source=structs.replace(head.source, origin=Origin.SAVED),
        objects={path: tuple(found) for path, found in objects.items()},
        coverage=_coverage(head.kinds, objects),
        provider=head.provider,
        unread=tuple(head.unread),
        ignored=tuple(head.ignored),
    )


def _head(line: bytes) -> _Head:
    mark = _mark(line)
    if mark.format != FORMAT:
        raise msgspec.DecodeError(f'no "format": "{FORMAT}"')
    if mark.version != VERSION:
        raise msgspec.DecodeError(f"format version {mark.version}; this kubegap reads version {VERSION}")
    return msgspec.json.decode(line, type=_Head)


def _mark(line: bytes) -> _Mark:
    try:
        return msgspec.json.decode(line, type=_Mark)
    except msgspec.ValidationError as error:
        raise msgspec.DecodeError(str(error)) from None


def _coverage(kinds: Mapping[str, _Kind], objects: Mapping[str, Sequence[KubernetesObject]]) -> dict[str, Coverage]:
    return {path: _covered(path, kind, len(objects.get(path, ()))) for path, kind in kinds.items() if path in RESOURCES}


def _covered(path: str, kind: _Kind, count: int) -> Coverage:
    """How far a kind was read and saved; objects that were taken out of the file are not taken for none."""
    resource, missing = RESOURCES[path].resource, sorted(set(fields_of(RESOURCES[path])) - set(kind.fields))
    if kind.state is ReadState.READ and count != kind.objects:
        return Coverage(
            resource, count, ReadState.HALF_READ, _CHANGED.fill(saved=f"{kind.objects:,}", count=f"{count:,}")
        )
    if kind.state is ReadState.READ and missing:
        return Coverage(resource, kind.objects, ReadState.HALF_READ, _OLDER.fill(field=missing[0]))
    return Coverage(resource, kind.objects, kind.state, kind.reason)


_CANNOT_READ = Text(ko="{path} 을 읽을 수 없습니다: {reason}.", en="Cannot read {path}: {reason}.")
_NO_SNAPSHOT = Text(
    ko="{path} 은 `kubegap snapshot save` 로 저장한 파일이 아닙니다.",
    en="{path} is no file of `kubegap snapshot save`.",
)
_OTHER_FILES = Text(
    ko="덤프나 매니페스트는 `kubegap check -f` 로 읽습니다.", en="Dumps and manifests are read by `kubegap check -f`."
)
_CUT_OFF = Text(
    ko="{path} 은 온전한 스냅샷 파일이 아닙니다. 잘렸거나 손상됐습니다.",
    en="{path} is no whole snapshot: it was cut off or damaged.",
)
_DAMAGED = Text(
    ko="{path} 은 `kubegap snapshot save` 로 저장한 파일이 아닙니다: {reason}.",
    en="{path} is no file of `kubegap snapshot save`: {reason}.",
)
_OTHER = Text(
    ko="{path} 은 다른 버전의 kubegap 이 저장했거나 손상된 스냅샷이라 읽을 수 없습니다: {reason}.",
    en="{path} was saved by another version of kubegap, or is damaged, and cannot be read: {reason}.",
)
_SAVE_ANEW = Text(
    ko="이 kubegap 의 `kubegap snapshot save` 로 다시 저장하세요.",
    en="Save it anew with this version's `kubegap snapshot save`.",
)
_OLDER = Text(
    ko="옛 kubegap 이 저장한 스냅샷이라 `{field}` 같은 필드가 없다",
    en="saved by an older kubegap, without fields such as `{field}`",
)
_CHANGED = Text(
    ko="오브젝트를 {saved}개 저장했다는데 파일에는 {count}개가 있다",
    en="the file says that {saved} objects were saved, and holds {count}",
)
