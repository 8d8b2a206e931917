"""A report without the objects that it was made from, to look at again later: what is shown, counted and compared stays.

Of objects only metadata stay: the UID that tells clusters apart, and what owners accepted on them.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, structs

from kubegap.checks.page import Page
from kubegap.checks.run import Report, Result
from kubegap.cluster.objects import KubernetesObject, Metadata, Namespace
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Coverage, Snapshot, Source
from kubegap.cluster.typed import ACCEPT
from kubegap.problems import KubegapError
from kubegap.text import Text

FORMAT = "kubegap-report"
VERSION = 1
MAX_BYTES = 256 * 1024 * 1024


class NoReport(KubegapError):
    """Bytes that are no report, or one of other checks than those at hand."""


# A result in which the id stands for the page.
_Result: Any = msgspec.defstruct(
    "_Result",
    [("check", str), *((part.name, part.type, part.default) for part in structs.fields(Result) if part.name != "page")],
    omit_defaults=True,
)


class _Kept(Struct, kw_only=True):
    format: str = FORMAT
    version: int = VERSION
    checks: str
    source: Source
    provider: str | None
    coverage: dict[str, Coverage]
    metadata: dict[str, list[Metadata]]
    results: list[_Result]
    namespaces: frozenset[str]


def encode(report: Report, checks: str) -> bytes:
    """The report as compressed bytes; `checks` names the edition of the checks that it was made by."""
    snapshot = report.snapshot
    kept = _Kept(
        checks=checks,
        source=snapshot.source,
        provider=snapshot.provider,
        coverage=dict(snapshot.coverage),
        metadata={path: list(_kept_of(things)) for path, things in snapshot.objects.items()},
        results=[_Result(check=result.page.id, **_without(result, "page")) for result in report.results],
        namespaces=report.namespaces,
    )
    return gzip.compress(msgspec.json.encode(kept, order="deterministic"), 6, mtime=0)


def decode(data: bytes, pages: Mapping[str, Page], checks: str) -> Report:
    """The report of `encode`, with the pages of the same edition of the checks; raises `NoReport` for anything else."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            kept = msgspec.json.decode(packed.read(MAX_BYTES), type=_Kept)
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoReport(_DAMAGED) from error
    if (kept.format, kept.version) != (FORMAT, VERSION):
        raise NoReport(_DAMAGED)
    if kept.checks != checks:
        raise NoReport(_OTHER_CHECKS)
    try:
        return _restored(kept, pages)
    except KeyError as error:
        raise NoReport(_DAMAGED) from error


def _restored(kept: _Kept, pages: Mapping[str, Page]) -> Report:
    objects = {
        path: tuple(RESOURCES[path](metadata=metadata) for metadata in found) for path, found in kept.metadata.items()
    }
    snapshot = Snapshot(kept.source, objects, kept.coverage, kept.provider)
    results = tuple(Result(pages[result.check], **_without(result, "check")) for result in kept.results)
    return Report(snapshot, results, kept.namespaces)


def _kept_of(things: tuple[KubernetesObject, ...]) -> Iterator[Metadata]:
    """The metadata that are kept of some objects."""
    for thing in things:
        accepted = {key: words for key, words in thing.annotations.items() if key.startswith(ACCEPT)}
        is_mark = isinstance(thing, Namespace) and thing.name == "kube-system"
        if accepted or is_mark:
            found = thing.metadata
            uid = found.uid if is_mark else None
            yield Metadata(thing.name, namespace=found.namespace, uid=uid, annotations=accepted or None)


def _without(thing: Struct, name: str) -> dict[str, Any]:
    return {part: value for part, value in structs.asdict(thing).items() if part != name}


_DAMAGED = Text(ko="보관한 보고서가 아니거나 손상됐다", en="no report that was kept, or a damaged one")
_OTHER_CHECKS = Text(ko="다른 판의 점검 항목으로 만든 보고서다", en="a report of another edition of the checks")
