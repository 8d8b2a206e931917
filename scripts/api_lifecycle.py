"""Writes which API versions Kubernetes has removed or will remove, from what the Go module `k8s.io/api` itself declares.

`python -m scripts.api_lifecycle` fetches the module in each of `VERSIONS` through Go's module proxy and writes the table that
`kubegap.cluster.lifecycle` reads. Types that were removed long ago are gone from newer versions of the module, and types whose dates
were moved are in several, so old versions are read first and newer ones overrule them. To renew the table, put the newest
version at the end of `VERSIONS` and run it again.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from tests.control_plane.build import find_go

from kubegap.cluster.lifecycle import TABLE, Lifecycle, Replacement, Table

MODULE = "k8s.io/api"
VERSIONS = ("v0.19.16", "v0.22.17", "v0.25.16", "v0.28.15", "v0.31.14", "v0.34.4", "v0.37.2")
GENERATED = "zz_generated.prerelease-lifecycle.go"
_GROUP = re.compile(r'GroupName\s*=\s*"([^"]*)"')
_NUMBERS = re.compile(r"func \(in \*(\w+)\) APILifecycle(\w+)\(\) \(major, minor int\) \{\s*return (\d+), (\d+)\s*\}")
_REPLACEMENT = re.compile(
    r"func \(in \*(\w+)\) APILifecycleReplacement\(\) schema\.GroupVersionKind \{\s*"
    r'return schema\.GroupVersionKind\{Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"\}\s*\}'
)


def table(folders: Iterable[Path], sources: Iterable[str], as_of: str) -> Table:
    """What the modules in these folders declare, the newest last."""
    found: dict[tuple[str, str, str], Lifecycle] = {}
    for folder in folders:
        found |= {(one.group, one.version, one.kind): one for one in _declared(folder)}
    return Table(as_of=as_of, sources=list(sources), apis=[found[key] for key in sorted(found)])


def declarations(text: str, group: str, version: str) -> Iterator[Lifecycle]:
    """The kinds of one generated file for which a removal is declared; the lists of kinds go with their kinds."""
    numbers: dict[str, dict[str, str]] = {}
    for kind, what, major, minor in _NUMBERS.findall(text):
        numbers.setdefault(kind, {})[what.lower()] = f"{major}.{minor}"
    instead = {kind: Replacement(*names) for kind, *names in _REPLACEMENT.findall(text)}
    for kind, known in sorted(numbers.items()):
        is_list = kind.endswith("List") and kind.removesuffix("List") in numbers
        if "removed" in known and not is_list:
            yield Lifecycle(group, version, kind, known["removed"], known.get("deprecated"), instead.get(kind))


def _declared(folder: Path) -> Iterator[Lifecycle]:
    for file in sorted(folder.glob(f"*/*/{GENERATED}")):
        group = _GROUP.search((file.parent / "register.go").read_text(encoding="utf-8"))
        if group is None:
            raise ValueError(f"{file.parent} names no API group")
        yield from declarations(file.read_text(encoding="utf-8"), group[1], file.parent.name)


def _downloaded(go: str, version: str) -> Path:
    """Where Go keeps the module, fetched if it is not there yet, and checked against the checksum database."""
    command = [go, "mod", "download", "-json", f"{MODULE}@{version}"]
    answer = subprocess.run(command, capture_output=True, check=True)  # noqa: S603, our own command
    return Path(json.loads(answer.stdout)["Dir"])


def _write() -> None:
    go = find_go()
    sources = [f"{MODULE}@{version}" for version in VERSIONS]
    found = table([_downloaded(go, version) for version in VERSIONS], sources, f"{datetime.now(UTC):%Y-%m-%d}")
    head = {"as_of": found.as_of, "sources": found.sources}
    # A line for each kind, so that a review sees what a newer version changed.
    lines = ",\n".join(msgspec.json.encode(one).decode() for one in found.apis)
    TABLE.write_text(f'{json.dumps(head)[:-1]}, "apis": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    _write()
