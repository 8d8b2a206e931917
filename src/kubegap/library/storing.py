"""A generation written aside, read back, and swapped in with one rename."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from kubegap.library.generation import (
    CURRENT,
    FORMAT,
    IDS,
    INCIDENTS,
    MANIFEST,
    VOCABULARY,
    File,
    Manifest,
    decode_ids,
    decode_vocabulary,
    digest,
    read,
    verify,
)
from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, Vocabulary
from kubegap.problems import writing

ASIDE = ".building-"
CRASHED_AFTER_SECONDS = 3600


def lines(name: str, encoded: list[bytes]) -> dict[str, bytes]:
    """A file with one line for each incident, and the file that says where each begins."""
    starts = [0]
    for line in encoded:
        starts.append(starts[-1] + len(line) + 1)
    return {name: b"".join(line + b"\n" for line in encoded), f"{name}.starts": msgspec.json.encode(starts)}


def record_files(incidents: list[Incident], vocabulary: Vocabulary) -> dict[str, bytes]:
    """The files of the records and terms; the same input gives the same bytes. Incidents are given in the order of ids."""
    return {
        **lines(INCIDENTS, [msgspec.json.encode(incident) for incident in incidents]),
        IDS: msgspec.json.encode({incident.id: number for number, incident in enumerate(incidents)}),
        VOCABULARY: msgspec.json.encode({facet: vocabulary[facet] for facet in FACETS}),
    }


def write(out: Path, files: Mapping[str, bytes], revision: str, engine: Callable[[Path], None]) -> Manifest:
    """Write content files as a generation under `out` and make it current; `engine` writes its own into the given folder.

    A crash at any point leaves the generation that was current; two writers at once take turns at the swap.
    Raises `UnwritableFile` when the folder or the disk does not take it.
    """
    with writing(out):
        return _write(out, files, revision, engine)


def _write(out: Path, files: Mapping[str, bytes], revision: str, engine: Callable[[Path], None]) -> Manifest:
    out.mkdir(parents=True, exist_ok=True)
    manifest = _manifest(files, revision)
    aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=out))
    aside.chmod(0o755)
    try:
        for name, data in {**files, MANIFEST: msgspec.json.format(msgspec.json.encode(manifest))}.items():
            _write_durably(aside / name, data)
        engine(aside)
        verify(read(aside))
        with _lock(out):
            _swap_in(out, aside, manifest.hash)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return manifest


def _manifest(files: Mapping[str, bytes], revision: str) -> Manifest:
    described = {name: File(len(files[name]), digest(files[name])) for name in sorted(files)}
    vocabulary = decode_vocabulary(files[VOCABULARY])
    return Manifest(
        format=FORMAT,
        hash=digest(msgspec.json.encode(described)),
        revision=revision,
        incidents=len(decode_ids(files[IDS])),
        terms={facet: len(terms) for facet, terms in vocabulary.items()},
        files=described,
    )


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
    target, pointer = out / name, out / CURRENT
    if target.exists():
        # The same content, perhaps of another revision: only the manifest can differ.
        (aside / MANIFEST).replace(target / MANIFEST)
    else:
        aside.rename(target)
    before = pointer.read_text(encoding="ascii").strip() if pointer.exists() else name
    fresh = out / f".{CURRENT}"
    _write_durably(fresh, name.encode("ascii"))
    fresh.replace(pointer)
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
