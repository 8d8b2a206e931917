"""One immutable, compiled state of the library: written aside, read back, and swapped in with one rename.

A library directory holds `<content hash>/` folders and a file `CURRENT` that names one of them.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, Facet, Terms, Vocabulary
from kubegap.problems import KubegapError, UnknownName, nearest
from kubegap.text import Text

PACKAGED = Path(__file__).parent.parent / "_library"
FORMAT = 1
CURRENT = "CURRENT"
ASIDE = ".building-"
CRASHED_AFTER_SECONDS = 3600
MANIFEST = "manifest.json"
INCIDENTS = "incidents.json"
VOCABULARY = "vocabulary.json"

_decode_raw_incidents = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_incident = msgspec.json.Decoder(Incident).decode
_decode_vocabulary = msgspec.json.Decoder(dict[Facet, Terms]).decode


class Manifest(Struct, frozen=True):
    """What a generation holds: `hash` is that of the content files, which `files` lists with their own."""

    format: int
    hash: str
    revision: str
    incidents: int
    terms: dict[str, int]
    files: dict[str, str]


class NoLibrary(KubegapError):
    """No compiled library where one was looked for."""


class OtherFormat(KubegapError):
    """A library compiled by another version of kubegap."""


class DamagedLibrary(KubegapError):
    """A compiled library whose files are missing or changed."""


class Generation:
    """An open generation: all files are in memory, records are decoded when asked for.

    It stays whole when another generation is swapped in or the directory goes away.
    """

    def __init__(self, manifest: Manifest, files: Mapping[str, bytes]) -> None:
        self.manifest = manifest
        self._files = files
        self._raw = _decode_raw_incidents(files[INCIDENTS])

    @property
    def ids(self) -> list[str]:
        """Ids of all incidents, sorted, withdrawn ones too."""
        return list(self._raw)

    def incident(self, incident: str) -> Incident:
        """One record; raises `UnknownName` with the nearest ids."""
        if raw := self._raw.get(incident):
            return _decode_incident(raw)
        raise self.unknown(incident)

    def unknown(self, incident: str) -> UnknownName:
        """The error for an id that does not exist, with the nearest ones."""
        return UnknownName(_NO_INCIDENT.fill(id=incident), nearest(incident, self._raw))

    def incidents(self) -> Iterator[Incident]:
        """All records in the order of their ids."""
        return (_decode_incident(raw) for raw in self._raw.values())

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The terms of all facets."""
        return Vocabulary(_decode_vocabulary(self._files[VOCABULARY]))

    @cached_property
    def related(self) -> dict[str, list[str]]:
        """Related ids of each incident that has some, from both sides, sorted."""
        links: dict[str, set[str]] = {}
        for incident in self.incidents():
            for other in incident.related:
                links.setdefault(incident.id, set()).add(other)
                links.setdefault(other, set()).add(incident.id)
        return {incident: sorted(others) for incident, others in links.items()}

    def file(self, name: str) -> bytes:
        """A further file that was compiled in, such as the pages of the checks."""
        if name not in self._files:
            raise DamagedLibrary(_NO_FILE.fill(name=name), _BUILD)
        return self._files[name]


def compile_files(incidents: list[Incident], vocabulary: Vocabulary, extra: Mapping[str, bytes]) -> dict[str, bytes]:
    """The content files of a generation; the same input gives the same bytes."""
    ordered = sorted(incidents, key=lambda incident: incident.id)
    return {
        INCIDENTS: msgspec.json.encode({incident.id: incident for incident in ordered}),
        VOCABULARY: msgspec.json.encode({facet: vocabulary[facet] for facet in FACETS}),
        **extra,
    }


def write(out: Path, files: Mapping[str, bytes], revision: str) -> Manifest:
    """Write content files as a generation under `out` and make it current.

    A crash at any point leaves the generation that was current; two writers at once take turns at the swap.
    """
    out.mkdir(parents=True, exist_ok=True)
    manifest = _manifest(files, revision)
    aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=out))
    try:
        for name, data in {**files, MANIFEST: msgspec.json.format(msgspec.json.encode(manifest))}.items():
            _write_durably(aside / name, data)
        read(aside)
        with _lock(out):
            _swap_in(out, aside, manifest.hash)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return manifest


def library_directory(given: str | None = None) -> Path:
    """Where the compiled library is: as given, else `KUBEGAP_LIBRARY`, else the one that came with the package."""
    return Path(given or os.environ.get("KUBEGAP_LIBRARY") or PACKAGED)


def open_library(directory: Path) -> Generation:
    """Open the current generation of a library directory; raises `NoLibrary`, `OtherFormat` or `DamagedLibrary`."""
    try:
        name = (directory / CURRENT).read_text(encoding="ascii").strip()
    except OSError as error:
        raise NoLibrary(_NOT_THERE.fill(path=directory), _BUILD) from error
    return read(directory / name)


def read(folder: Path) -> Generation:
    """Open the generation in one folder and hold its bytes against its manifest."""
    try:
        manifest_bytes = (folder / MANIFEST).read_bytes()
        found = msgspec.json.decode(manifest_bytes, type=dict[str, msgspec.Raw]).get("format", msgspec.Raw(b"0"))
        if msgspec.json.decode(found, type=int) != FORMAT:
            raise OtherFormat(_OTHER_FORMAT.fill(path=folder, found=bytes(found).decode(), wanted=FORMAT), _BUILD)
        manifest = msgspec.json.decode(manifest_bytes, type=Manifest)
        files = {name: (folder / name).read_bytes() for name in manifest.files}
    except (OSError, msgspec.DecodeError) as error:
        raise DamagedLibrary(_DAMAGED.fill(path=folder, reason=error), _BUILD) from error
    if changed := [name for name, data in files.items() if _digest(data) != manifest.files[name]]:
        raise DamagedLibrary(_CHANGED.fill(path=folder, files=", ".join(changed)), _BUILD)
    generation = Generation(manifest, files)
    if len(generation.ids) != manifest.incidents:
        raise DamagedLibrary(_CHANGED.fill(path=folder, files=INCIDENTS), _BUILD)
    return generation


def _manifest(files: Mapping[str, bytes], revision: str) -> Manifest:
    digests = {name: _digest(files[name]) for name in sorted(files)}
    content = _digest(msgspec.json.encode(digests))
    vocabulary = _decode_vocabulary(files[VOCABULARY])
    return Manifest(
        format=FORMAT,
        hash=content,
        revision=revision,
        incidents=len(_decode_raw_incidents(files[INCIDENTS])),
        terms={facet: len(terms) for facet, terms in vocabulary.items()},
        files=digests,
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write_durably(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _lock(out: Path) -> Iterator[None]:
    with (out / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _swap_in(out: Path, aside: Path, name: str) -> None:
    target, current = out / name, out / CURRENT
    if target.exists():
        # The same content under another revision: only the manifest differs.
        (aside / MANIFEST).replace(target / MANIFEST)
    else:
        aside.rename(target)
    before = current.read_text(encoding="ascii").strip() if current.exists() else name
    pointer = out / f".{CURRENT}"
    _write_durably(pointer, name.encode("ascii"))
    pointer.replace(current)
    _prune(out, keep={name, before})


def _prune(out: Path, keep: set[str]) -> None:
    """Remove older generations and what crashed builds left.

    The generation before stays, for a reader that has just read `CURRENT`; so do builds that may still run.
    """
    for folder in out.iterdir():
        if not folder.is_dir() or folder.name in keep:
            continue
        if not folder.name.startswith(ASIDE) or time.time() - folder.stat().st_mtime > CRASHED_AFTER_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


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
