"""The only way to a live cluster: reads the kinds that are asked for, gently, and says what it could not read.

`collect(access, paths)` is a snapshot. Everything it asks goes through one `transport.Door`, which knows nothing but GET.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from queue import Empty, SimpleQueue

import msgspec
from msgspec import Struct, structs

from kubegap.cluster.credentials import Access
from kubegap.cluster.discovery import served
from kubegap.cluster.listing import Listing
from kubegap.cluster.metrics import Scrape
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.progress import Progress
from kubegap.cluster.providers import provider_of
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Coverage, Origin, ReadAtFrom, ReadState, Snapshot, Source
from kubegap.cluster.transport import STOPPED, Door, Limits, Unreachable
from kubegap.garbage import without_collector
from kubegap.text import Text

IN_FLIGHT = 2
_TICK = 0.1
# After Ctrl-C: long enough for a page in hand, short enough to feel like at once.
_FAREWELL = 0.3


class _Version(Struct, rename="camel"):
    git_version: str = ""


def collect(
    access: Access,
    paths: Iterable[str],
    limits: Limits | None = None,
    read_at: datetime | None = None,
    on_progress: Callable[[Progress], None] = lambda _progress: None,
    stop: threading.Event | None = None,
) -> Snapshot:
    """The kinds of those paths as they are now.

    Ctrl-C or `stop` ends it with what was read so far. Raises `Unreachable` when no API server answers at all; all other trouble
    stands in the snapshot's coverage. `read_at` overrules the server's own time.
    """
    start, stop = time.monotonic(), stop or threading.Event()
    limits = limits or Limits()
    door = Door(access, limits, stop)
    listings = {path: _listing(path, limits.page) for path in _big_first(paths)}
    instead: dict[str, Coverage] = {}
    version = None
    with without_collector():
        try:
            version = _server_version(door, access.server)
            instead = _not_to_read(door, listings)
            wanted = [listing for path, listing in listings.items() if path not in instead]
            _read(door, wanted, start, on_progress, stop)
        except KeyboardInterrupt:
            stop.set()
        finally:
            if stop.is_set():
                _leave(listings)
            door.close()
    seconds = round(time.monotonic() - start, 3)
    source = _source(access, door, version, seconds, read_at)
    return _snapshot(source, listings, instead)


def greet(access: Access) -> Snapshot:
    """The cluster without any of its objects, if it answers soon and at once; raises `Unreachable`."""
    return collect(access, (), Limits(connect_seconds=5, request_seconds=10, attempts=1))


def _listing(path: str, page: int) -> Listing:
    kind = RESOURCES[path]
    return Scrape(kind, page) if kind.resource.is_metric else Listing(kind, page)


def _big_first(paths: Iterable[str]) -> list[str]:
    """Pods first, so that one of the two readers spends its time on them while the other does the rest."""
    return sorted(set(paths), key=lambda path: (path != Pod.resource.path, path))


def _server_version(door: Door, server: str) -> str | None:
    """The version; what answers with a page for people is no API server."""
    answer = door.first("/version")
    if answer.status == 403:
        return None
    try:
        found = msgspec.json.decode(answer.body, type=_Version)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = None
    if answer.status != 200 or found is None:
        raise Unreachable(_NO_API_SERVER.fill(server=server))
    return found.git_version or None


def _not_to_read(door: Door, listings: Mapping[str, Listing]) -> dict[str, Coverage]:
    """The kinds that need no asking, with what discovery says of them; the others learn in which version to ask."""
    found = served(door, [listing.kind.resource for listing in listings.values()])
    for path, said in found.items():
        listings[path].served = said.resource
    return {
        path: Coverage(RESOURCES[path].resource, 0, said.state, said.reason)
        for path, said in found.items()
        if said.state is not ReadState.READ
    }


def _read(
    door: Door,
    listings: list[Listing],
    start: float,
    on_progress: Callable[[Progress], None],
    stop: threading.Event,
) -> None:
    """All lists, at most two at a time; returns when they are read, or soon after it is told to stop."""
    waiting: SimpleQueue[Listing] = SimpleQueue()
    for listing in listings:
        waiting.put(listing)
    current: list[Listing] = []

    def work() -> None:
        while True:
            try:
                listing = waiting.get_nowait()
            except Empty:
                return
            current.append(listing)
            try:
                listing.read(door)
            # A fault of kubegap must not pass for a kind that was read, nor take the other kinds with it.
            except Exception as error:  # noqa: BLE001
                listing.state, listing.reason = ReadState.HALF_READ, _FAULT.fill(error=repr(error))

    # Threads that do not keep the process alive: a reader that waits for a slow server must not hold up Ctrl-C.
    threads = [threading.Thread(target=work, daemon=True) for _ in range(IN_FLIGHT)]
    for thread in threads:
        thread.start()
    while (busy := [thread for thread in threads if thread.is_alive()]) and not stop.is_set():
        busy[0].join(_TICK)
        if current:
            total = sum(listing.count for listing in listings)
            on_progress(Progress(current[-1].kind.resource.kind, current[-1].count, total, time.monotonic() - start))


def _leave(listings: Mapping[str, Listing]) -> None:
    """Give the readers a moment to put away what they hold, then name what they leave."""
    time.sleep(_FAREWELL)
    for listing in listings.values():
        if listing.state is ReadState.HALF_READ and listing.reason is None:
            listing.reason = STOPPED


def _source(access: Access, door: Door, version: str | None, seconds: float, read_at: datetime | None) -> Source:
    source = Source(
        Origin.LIVE,
        door.date,
        ReadAtFrom.SERVER if door.date else ReadAtFrom.UNKNOWN,
        name=access.name,
        context=access.context,
        server=access.server,
        version=version,
        requests=door.requests,
        bytes=door.bytes,
        seconds=seconds,
        certificate=door.certificate,
        notes=access.notes,
    )
    return structs.replace(source, read_at=read_at, read_at_from=ReadAtFrom.OPTION) if read_at else source


def _snapshot(source: Source, listings: Mapping[str, Listing], instead: Mapping[str, Coverage]) -> Snapshot:
    objects = {path: listing.objects() for path, listing in listings.items()}
    notes = [note for listing in listings.values() for note in listing.notes]
    return Snapshot(
        source=structs.replace(source, notes=(*source.notes, *notes)),
        objects=objects,
        coverage={path: instead.get(path) or listing.coverage() for path, listing in listings.items()},
        provider=provider_of(thing for thing in objects.get(Node.resource.path, ()) if isinstance(thing, Node)),
        unread=tuple(piece for listing in listings.values() for piece in listing.unread),
    )


_FAULT = Text(ko="kubegap 의 결함으로 읽지 못했다: {error}", en="not read for a fault of kubegap: {error}")
_NO_API_SERVER = Text(
    ko="{server} 의 답은 쿠버네티스 API 서버의 것이 아닙니다. 주소나 로그인을 확인하세요.",
    en="What answers at {server} is no Kubernetes API server; check the address, or log in.",
)
