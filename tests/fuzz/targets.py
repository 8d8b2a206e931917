"""What is fed with bytes that strangers write: each target takes any, and raises only what its caller expects."""

from __future__ import annotations

import gzip
import io
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import structs

from kubegap.checks.pages import read_pages
from kubegap.checks.run import Cause, Report, run
from kubegap.cluster import chunks, files, long_json, saved, stream, validity
from kubegap.cluster.discovery import served
from kubegap.cluster.kinds.metric import RequestedDeprecatedAPI
from kubegap.cluster.kubeconfig import BadKubeconfig, chosen
from kubegap.cluster.listing import Listing
from kubegap.cluster.metrics import Scrape
from kubegap.cluster.objects import EndpointSlice, Node, Pod
from kubegap.cluster.quantities import BadQuantity, parse
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Origin, Snapshot, Source
from kubegap.cluster.transport import Answer
from kubegap.problems import UnreadableFile
from kubegap.report import exit_code, formats, grants
from kubegap.report.standing import judge
from kubegap.report.view import View
from kubegap.text import LANGS

PAGES = list(read_pages().values())
FOLDER = Path(tempfile.mkdtemp(prefix="kubegap-fuzz-"))


class _Door:
    """Answers everything with the same body."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    def get(self, _path: str, _query: object = None, accept: object = None, lines: object = ()) -> Answer:
        del accept, lines
        return Answer(200, self.body, "application/json")


def dump(data: bytes) -> None:
    """A dump or manifest, short: read, checked, reported in all forms."""
    with suppress(UnreadableFile):
        _tell(files.decode([("file", data)]), is_shown=len(data) % 8 == 0)


def long_dump(data: bytes) -> None:
    """The same by the way of long files, in parts of a few bytes."""
    sizes = stream.SIZE, long_json.SIZE, chunks.Chunks.__init__.__defaults__
    stream.SIZE = long_json.SIZE = 1
    chunks.Chunks.__init__.__defaults__ = (7,)
    try:
        dump(data)
    finally:
        stream.SIZE, long_json.SIZE, chunks.Chunks.__init__.__defaults__ = sizes


def snapshot(data: bytes) -> None:
    """A saved snapshot, whose lines are the bytes."""
    path = FOLDER / "snapshot"
    path.write_bytes(gzip.compress(data, 1))
    with suppress(UnreadableFile):
        _tell(saved.load(str(path)), is_shown=len(data) % 8 == 0)


def packed_snapshot(data: bytes) -> None:
    """A saved snapshot, whose compressed form is the bytes."""
    path = FOLDER / "packed"
    path.write_bytes(data)
    with suppress(UnreadableFile):
        _tell(saved.load(str(path)), is_shown=len(data) % 8 == 0)


def bodies(data: bytes) -> None:
    """Pages and discovery of an API server."""
    for kind in (Pod, Node, EndpointSlice):
        listing = Listing(kind, 500)
        listing.read(_Door(data))  # type: ignore[arg-type]
        assert listing.coverage().is_complete or listing.coverage().reason
    assert all(part for part in served(_Door(data), [kind.resource for kind in RESOURCES.values()]).values())  # type: ignore[arg-type]


def metrics(data: bytes) -> None:
    """Metrics of an API server, and the check that reads them."""
    kind = RequestedDeprecatedAPI
    scrape = Scrape(kind, 500)
    scrape.read(_Door(b"kubernetes_build_info{} 1\n" + data.replace(b"@", kind.resource.plural.encode())))  # type: ignore[arg-type]
    assert scrape.coverage().is_complete or scrape.coverage().reason
    path = kind.resource.path
    _tell(
        Snapshot(Source(Origin.LIVE), {path: scrape.objects()}, {path: scrape.coverage()}), is_shown=len(data) % 8 == 0
    )


def kubeconfig(data: bytes) -> None:
    """A kubeconfig."""
    path = FOLDER / "config"
    path.write_bytes(data)
    with suppress(BadKubeconfig):
        chosen(str(path), None, {})


def certificate(data: bytes) -> None:
    """A certificate in DER."""
    validity.read(data)


def quantity(data: bytes) -> None:
    """A quantity."""
    with suppress(BadQuantity):
        parse(data.decode(errors="replace"))


TARGETS: list[Callable[[bytes], None]] = [
    dump,
    long_dump,
    snapshot,
    packed_snapshot,
    bodies,
    kubeconfig,
    certificate,
    quantity,
    metrics,
]


def _tell(found: Snapshot, *, is_shown: bool) -> None:
    """All checks; and of some, for it takes long, every report."""
    report = run(found, PAGES)
    broken = [result.reason for result in report.results if result.cause is Cause.FAILED]
    assert not broken, broken
    exit_code(report)
    if is_shown:
        _show(report)


def _show(report: Report) -> None:
    verdict = judge(report)
    for lang in LANGS:
        view = View(report, lang, verdict=verdict)
        msgspec.json.decode(formats.render("json", view))
        _has_no_control(formats.render("table", structs.replace(view, is_verbose=True)))
        for form in set(formats.names()) - {"json", "ndjson"}:
            _has_no_control(formats.render(form, view))
    if grants.is_all_refused(report):
        _has_no_control(grants.page(report, "en", 80))


def _has_no_control(text: str) -> None:
    assert all(line.isprintable() for line in io.StringIO(text, newline="\n").read().split("\n"))
