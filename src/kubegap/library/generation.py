"""One immutable, compiled state of the library, opened and read.

A library directory holds `<content hash>/` folders and a file `CURRENT` that names one of them; `storing` writes them.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.vocabulary import Facet, Terms, Vocabulary
from kubegap.library.words import NO_TITLE
from kubegap.problems import KubegapError, UnknownName, nearest
from kubegap.text import Text

PACKAGED = Path(__file__).parent.parent / "_library"
FORMAT = 4
CURRENT = "CURRENT"
MANIFEST = "manifest.json"
INCIDENTS = "incidents.jsonl"
IDS = "ids.json"
VOCABULARY = "vocabulary.json"

T = TypeVar("T")

decode_ids = msgspec.json.Decoder(dict[str, int]).decode
_decode_starts = msgspec.json.Decoder(list[int]).decode
_decode_incident = msgspec.json.Decoder(Incident).decode
decode_vocabulary = msgspec.json.Decoder(dict[Facet, Terms]).decode


class File(Struct, frozen=True):
    """A content file: its size in bytes and its SHA-256."""

    bytes: int
    sha256: str


class Manifest(Struct, frozen=True):
    """What a generation holds. `hash` is that of the content files; an engine's own files stay outside it."""

    format: int
    hash: str
    revision: str
    incidents: int
    terms: dict[str, int]
    files: dict[str, File]


class NoLibrary(KubegapError):
    """No compiled library where one was looked for."""


class OtherFormat(KubegapError):
    """A library compiled by another version of kubegap."""


class DamagedLibrary(KubegapError):
    """A compiled library whose files are missing or changed."""


class Generation:
    """An open generation: records stay in mapped files and are decoded when asked for.

    It stays whole when another generation is swapped in or the directory goes away.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._files = {name: _mapped(folder / name) for name in manifest.files}
        self._lines = decode_ids(self._files[IDS])

    @property
    def ids(self) -> list[str]:
        """Ids of all incidents, sorted, withdrawn ones too."""
        return list(self._lines)

    def incident(self, incident: str) -> Incident:
        """One record; raises `UnknownName` with the nearest ids."""
        return self.decoded_line(INCIDENTS, incident, _decode_incident)

    def incidents(self) -> Iterator[Incident]:
        """All records in the order of their ids."""
        return map(self.incident, self._lines)

    def title_of(self, incident: str) -> Text:
        """The title of an incident that a check cites, or that this library lacks it: a team's own need not have it."""
        return self.incident(incident).title if incident in self._lines else NO_TITLE

    def standing(self) -> Iterator[Incident]:
        """The records that are not withdrawn: those that are listed and counted."""
        return (incident for incident in self.incidents() if incident.withdrawn is None)

    def decoded_line(self, name: str, incident: str, decode: Callable[[bytes], T]) -> T:
        """An incident's line of a file that has one for each; raises `UnknownName`, or `DamagedLibrary` as `decoded` does."""
        if (number := self._lines.get(incident)) is None:
            raise self.unknown(incident)
        starts = self._starts(name)
        with reading(self.folder / name):
            return decode(self._files[name][starts[number] : starts[number + 1]])

    def unknown(self, incident: str) -> UnknownName:
        """The error for an id that does not exist, with the nearest ones."""
        return UnknownName(_NO_INCIDENT.fill(id=incident), nearest(incident, self._lines))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The terms of all facets."""
        return Vocabulary(self.decoded(VOCABULARY, decode_vocabulary))

    @cached_property
    def related(self) -> dict[str, list[str]]:
        """Related ids of each incident that has some, from both sides, sorted."""
        links: dict[str, set[str]] = {}
        for incident in self.incidents():
            for other in incident.related:
                links.setdefault(incident.id, set()).add(other)
                links.setdefault(other, set()).add(incident.id)
        return {incident: sorted(others) for incident, others in links.items()}

    def decoded(self, name: str, decode: Callable[[bytes], T]) -> T:
        """A whole file; raises `DamagedLibrary` if it is missing, or of the right size and yet no longer what was written."""
        data = self.file(name)
        with reading(self.folder / name):
            return decode(data)

    def file(self, name: str) -> bytes:
        """A further file that was compiled in, such as the pages of the checks."""
        if name not in self._files:
            raise DamagedLibrary(_NO_FILE.fill(name=name), _BUILD)
        return self._files[name][:]

    def _starts(self, name: str) -> list[int]:
        if name not in self._line_starts:
            self._line_starts[name] = self.decoded(f"{name}.starts", _decode_starts)
        return self._line_starts[name]

    @cached_property
    def _line_starts(self) -> dict[str, list[int]]:
        return {}


def library_directory(given: str | None = None) -> Path:
    """Where the compiled library is: as given, else `KUBEGAP_LIBRARY`, else the one that came with the package."""
    return Path(given or os.environ.get("KUBEGAP_LIBRARY") or PACKAGED)


def open_library(directory: Path) -> Generation:
    """Open the current generation of a library directory; raises `NoLibrary`, `OtherFormat` or `DamagedLibrary`."""
    return read(directory / current(directory))


def current(directory: Path) -> str:
    """The name of the current generation; raises `NoLibrary`."""
    try:
        return (directory / CURRENT).read_text(encoding="ascii").strip()
    except OSError as error:
        raise NoLibrary(_NOT_THERE.fill(path=directory), _BUILD) from error


def read(folder: Path) -> Generation:
    """Open the generation in one folder; files that are missing or have another size are refused."""
    with reading(folder):
        data = (folder / MANIFEST).read_bytes()
        _check_format(folder, data)
        manifest = msgspec.json.decode(data, type=Manifest)
        sizes = {name: (folder / name).stat().st_size for name in manifest.files}
        changed = [name for name, size in sizes.items() if size != manifest.files[name].bytes]
        if changed:
            raise DamagedLibrary(_CHANGED.fill(path=folder, files=", ".join(changed)), _BUILD)
        return Generation(folder, manifest)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """While something compiled is read: what cannot be read becomes `DamagedLibrary`. An engine says so by a `ValueError`."""
    try:
        yield
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise DamagedLibrary(_DAMAGED.fill(path=path, reason=error), _BUILD) from error


def verify(generation: Generation) -> None:
    """Hold every byte and every record against the manifest; raises `DamagedLibrary`."""
    manifest = generation.manifest
    changed = [name for name in manifest.files if digest(generation.file(name)) != manifest.files[name].sha256]
    if changed or sum(1 for _ in generation.incidents()) != manifest.incidents:
        raise DamagedLibrary(_CHANGED.fill(path=generation.folder, files=", ".join(changed) or INCIDENTS), _BUILD)


def _check_format(folder: Path, manifest: bytes) -> None:
    found = msgspec.json.decode(manifest, type=dict[str, msgspec.Raw]).get("format", msgspec.Raw(b"0"))
    if bytes(found) != str(FORMAT).encode():
        raise OtherFormat(_OTHER_FORMAT.fill(path=folder, found=bytes(found).decode(), wanted=FORMAT), _BUILD)


def _mapped(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        # An empty file cannot be mapped.
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as a manifest names it."""
    return hashlib.sha256(data).hexdigest()


_BUILD = Text(ko="`kubegap library build` 를 실행하세요.", en="Run `kubegap library build`.")
_NO_INCIDENT = Text(ko="`{id}` 라는 사례는 없습니다.", en="there is no incident `{id}`")
_NOT_THERE = Text(ko="{path} 에 라이브러리가 없습니다.", en="There is no library in {path}.")
_NO_FILE = Text(ko="라이브러리에 {name} 이 없습니다.", en="The library lacks {name}.")
_OTHER_FORMAT = Text(
    ko="{path} 는 형식 {found} 입니다. 이 kubegap 은 형식 {wanted} 을 읽습니다.",
    en="{path} has format {found}; this kubegap reads format {wanted}.",
)
_DAMAGED = Text(ko="{path} 를 읽을 수 없습니다({reason}).", en="{path} cannot be read ({reason}).")
_CHANGED = Text(ko="{path} 의 파일이 바뀌었습니다: {files}.", en="Files of {path} have changed: {files}.")
