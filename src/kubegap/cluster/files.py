"""Reads dumps of `kubectl get -o json|yaml` and manifests into a snapshot.

For the command line: `read(paths, stdin, read_at)`. A path is a file, a folder (its `.yaml`, `.yml` and `.json` files,
all levels, hidden ones left out) or `-` for standard input. `decode` does the same for bytes in hand. Long files are read in
parts, so that memory grows with what the checks read of a dump and not with its length.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from kubegap.cluster import gathering, stream
from kubegap.cluster.chunks import Chunks
from kubegap.cluster.gathering import Gathering
from kubegap.cluster.progress import Progress
from kubegap.cluster.snapshot import ReadAtFrom, Snapshot, Source
from kubegap.garbage import without_collector
from kubegap.problems import UnreadableFile
from kubegap.text import Text

STDIN = "-"
_SUFFIXES = {".yaml", ".yml", ".json"}


def read(
    paths: Sequence[str],
    stdin: BinaryIO,
    read_at: datetime | None = None,
    on_progress: Callable[[Progress], None] = lambda _progress: None,
) -> Snapshot:
    """One snapshot of all paths together; an object that stands twice counts once, as read last.

    `read_at` overrules the newest time in the objects. Raises `UnreadableFile` for a path that cannot be opened and
    for input that holds no object at all; whatever else cannot be read is named in the snapshot.
    """
    return _gathered((chunks for path in paths for chunks in _contents(path, stdin)), read_at, on_progress)


def decode(contents: Iterable[tuple[str, bytes]], read_at: datetime | None = None) -> Snapshot:
    """One snapshot of files in hand, each with the name that places use."""
    return _gathered(((name, Chunks(BytesIO(data))) for name, data in contents), read_at, lambda _: None)


def _gathered(
    contents: Iterable[tuple[str, Chunks]], read_at: datetime | None, on_progress: Callable[[Progress], None]
) -> Snapshot:
    gathered, start, total = Gathering(), time.monotonic(), 0
    newest: datetime | None = None
    with without_collector():
        for name, chunks in contents:
            for count, item in enumerate(stream.items(chunks, name), 1):
                gathered.add(item)
                total += 1
                on_progress(Progress(name, count, total, time.monotonic() - start))
            newest = max(filter(None, (newest, chunks.newest)), default=None)
    if gathered.is_empty:
        raise _nothing(gathered)
    return gathered.snapshot(_source(gathered, read_at, newest))


def _nothing(gathered: Gathering) -> UnreadableFile:
    lost = gathered.first_loss
    if lost is None:
        return UnreadableFile(_NOTHING, _ASK_KUBECTL)
    return UnreadableFile(_ALL_LOST.fill(place=lost.place, reason=lost.reason))


def _source(gathered: Gathering, read_at: datetime | None, newest: datetime | None) -> Source:
    if read_at:
        return Source(gathered.origin, read_at, ReadAtFrom.OPTION)
    return Source(gathered.origin, newest, ReadAtFrom.NEWEST_OBJECT if newest else ReadAtFrom.UNKNOWN)


def _contents(path: str, stdin: BinaryIO) -> Iterator[tuple[str, Chunks]]:
    """Each file open while it is read."""
    if path == STDIN:
        yield gathering.STDIN, Chunks(stdin)
        return
    for file in _files(Path(path)):
        try:
            with file.open("rb") as opened:
                yield str(file), Chunks(opened)
        except OSError as error:
            raise UnreadableFile(_CANNOT_OPEN.fill(path=file, reason=error.strerror)) from error


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
    seen = [file for file in found if not any(part.startswith(".") for part in file.relative_to(path).parts)]
    if not seen:
        raise UnreadableFile(_EMPTY_FOLDER.fill(path=path))
    return seen


_CANNOT_OPEN = Text(ko="{path} 파일을 읽을 수 없습니다: {reason}.", en="Cannot read {path}: {reason}.")
_EMPTY_FOLDER = Text(
    ko="{path} 폴더에 .yaml, .yml, .json 파일이 없습니다.", en="The folder {path} holds no .yaml, .yml or .json file."
)
_NOTHING = Text(
    ko="입력에 쿠버네티스 오브젝트가 하나도 없습니다.",
    en="The input holds no Kubernetes object.",
)
_ALL_LOST = Text(
    ko="입력에서 읽을 수 있는 오브젝트가 없습니다. {place}: {reason}.",
    en="No object of the input can be read. {place}: {reason}.",
)
_ASK_KUBECTL = Text(
    ko="`kubectl get … -A -o json` 이 오류 없이 끝났는지 확인하세요.",
    en="Check that `kubectl get … -A -o json` ended without an error.",
)
