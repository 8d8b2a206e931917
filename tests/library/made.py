"""A small library on disk, made from the documented example, for tests that break it."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

from kubegap.library import documents, loading, rules
from kubegap.library.loading import Library
from kubegap.problems import Problem, in_order

ROOT = Path(__file__).parent.parent.parent / "library"
EXAMPLE = (ROOT / "EXAMPLE.yaml").read_text(encoding="utf-8")
EXAMPLE_ID = "2024-03-example-webhook-blocks-leases"
TODAY = date(2027, 1, 15)


def root(folder: Path, records: dict[str, str] | None = None) -> Path:
    """A library folder with the real vocabulary and the given records (by id), or the example alone."""
    shutil.copytree(ROOT / "vocabulary", folder / "vocabulary")
    shutil.copy(ROOT / "platforms.yaml", folder)
    for incident, text in ({EXAMPLE_ID: EXAMPLE} if records is None else records).items():
        write(folder, incident, text)
    (folder / "incidents").mkdir(exist_ok=True)
    return folder


def write(folder: Path, incident: str, text: str) -> None:
    """Put one record where it belongs."""
    path = folder / "incidents" / incident[:4] / f"{incident}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def changed(old: str, new: str) -> str:
    """The example with one part changed; the part must be there."""
    assert EXAMPLE.count(old) >= 1, old
    return EXAMPLE.replace(old, new, 1)


def load(folder: Path) -> Library:
    return loading.load([folder])


def problems(folder: Path, rule: str) -> list[Problem]:
    """What one rule says of a library, which must be readable apart from that."""
    library = load(folder)
    assert not library.problems
    return in_order(rules.rules()[rule](library, TODAY))


def read(text: str, kind: type, **given: str) -> object:
    return documents.decode("x.yaml", text.encode(), kind, **given)
