"""Scans of a live cluster: one at a time for each question, shared by all who ask it, ended when nobody waits any more."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta

import anyio
from msgspec import Struct, structs

from kubegap.checks import run
from kubegap.checks.page import Page
from kubegap.cluster.objects import Namespace
from kubegap.cluster.progress import Progress
from kubegap.cluster.snapshot import Snapshot
from kubegap.mcp.scans import Scan, Scans
from kubegap.mcp.shelf import Shelf

_TICK = 0.05
_TELL_EVERY = 10

Read = Callable[[str, Iterable[str], Callable[[Progress], None], threading.Event], Snapshot]
Tell = Callable[[Progress], Awaitable[None]]


class Question(Struct, frozen=True):
    """What a scan is asked for; the same question is answered by the same scan."""

    context: str
    server: str
    namespaces: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


class _Running:
    """A scan under way: what it will be, how far it is, and how many wait for it."""

    def __init__(self) -> None:
        self.future: Future[Scan] = Future()
        self.stop = threading.Event()
        self.progress: Progress | None = None
        self.waiting = 0


class Scanner:
    """Makes scans in threads of their own; `read` reads the cluster."""

    def __init__(self, read: Read, shelf: Shelf, scans: Scans) -> None:
        self._read = read
        self._shelf = shelf
        self._scans = scans
        self._running: dict[Question, _Running] = {}

    async def scan(self, question: Question, max_age: timedelta, tell: Tell) -> tuple[Scan, bool]:
        """A scan that answers the question, and whether it was made before; raises what reading raises.

        Cancelling the last call that waits for a scan ends it.
        """
        if found := self._recent(question, max_age):
            return found, True
        running = self._running.get(question) or self._start(question)
        running.waiting += 1
        try:
            return await _finished(running, tell), False
        finally:
            running.waiting -= 1
            if not running.waiting:
                running.stop.set()
                # Whoever asks next must not be given a scan that was broken off.
                if self._running.get(question) is running:
                    del self._running[question]

    def end(self) -> None:
        """Break off whatever runs."""
        for running in self._running.values():
            running.stop.set()

    def _recent(self, question: Question, max_age: timedelta) -> Scan | None:
        limit = datetime.now(UTC) - max_age
        for scan in self._scans.newest_first():
            if scan.made < limit:
                return None
            if self._answers(scan, question):
                return scan
        return None

    def _answers(self, scan: Scan, question: Question) -> bool:
        """Whether a scan is of the same cluster, the same namespaces and the same checks."""
        report, source = scan.report, scan.report.snapshot.source
        checks = {result.page.id for result in report.results}
        # Kubeconfigs of many clusters have contexts of one name, such as `default`.
        return (
            (source.context, source.server) == (question.context, question.server)
            and report.namespaces == frozenset(question.namespaces)
            and checks == {page.id for page in self._chosen(question)}
        )

    def _chosen(self, question: Question) -> list[Page]:
        return run.choose(self._shelf.pages, question.checks)

    def _start(self, question: Question) -> _Running:
        running = self._running[question] = _Running()
        threading.Thread(target=self._work, args=(question, running), name="kubegap-scan", daemon=True).start()
        return running

    def _work(self, question: Question, running: _Running) -> None:
        def on_progress(progress: Progress) -> None:
            running.progress = progress

        try:
            pages = self._chosen(question)
            kinds = {path for page in pages for path in page.paths} | {Namespace.resource.path}
            snapshot = self._read(question.context, kinds, on_progress, running.stop)
            if running.stop.is_set():
                running.future.cancel()
                return
            notes = run.doubtful(question.namespaces, snapshot)
            source = structs.replace(snapshot.source, notes=(*snapshot.source.notes, *notes))
            report = run.run(structs.replace(snapshot, source=source), pages, question.namespaces)
            running.future.set_result(self._scans.keep(report))
        # It is raised again where somebody waits for it.
        except BaseException as error:  # noqa: BLE001
            running.future.set_exception(error)


async def _finished(running: _Running, tell: Tell) -> Scan:
    """Wait for a scan and tell of its progress now and then."""
    told: Progress | None = None
    ticks = 0
    while not running.future.done():
        await anyio.sleep(_TICK)
        ticks += 1
        progress = running.progress
        if ticks % _TELL_EVERY == 0 and progress is not None and progress != told:
            told = progress
            await tell(told)
    return running.future.result()
