"""The web rows of the design: start, pages a second over distinct addresses, memory, and many clients for a minute."""

from __future__ import annotations

import http.client
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from bench.incidents import Maker
from bench.table import Row
from kubegap.cli.building import build
from kubegap.library import loading
from kubegap.library.compiling import compile_library
from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, tagged
from kubegap.text import LANGS

ROOT = Path(__file__).parent.parent
ADDRESSES = 1_000
CLIENTS, SECONDS = 200, 60


def rows(size: str) -> Iterator[Row]:
    """All rows; the long ones only in the full size."""
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real"
        build([ROOT / "library"], real, revision="")
        with _server(real) as (port, started, process):
            yield Row("serve, start to first answer", "≤ 1.5 s", started, "s", limit=1.5)
            yield from _pages(port, "real records", ADDRESSES if size == "full" else 200, 300, 30)
            yield Row("serve, memory", "≤ 150 MB", _memory_mb(process.pid), "MB", limit=150)
            if size == "full":
                yield from _many_clients(port, process.pid)
        if size == "full":
            yield from _made_up(Path(folder) / "made-up")


def _made_up(out: Path) -> Iterator[Row]:
    vocabulary = loading.load([ROOT / "library"]).vocabulary
    compile_library(Maker(vocabulary).incidents(20_000), vocabulary, out, revision="", extra={})
    with _server(out) as (port, _, process):
        yield from _pages(port, "20,000 made-up records", 300, 30, None)
        yield Row("serve, memory at 20,000 records", "", _memory_mb(process.pid), "MB")


@contextmanager
def _server(library: Path) -> Iterator[tuple[int, float, subprocess.Popen[bytes]]]:
    """A running server: its port, and the seconds from its start to its first answer."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.perf_counter()
    command = [sys.executable, "-m", "kubegap", "serve", "--port", str(port), "--library", str(library)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not _answers(port):
            time.sleep(0.01)
        yield port, time.perf_counter() - begun, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=40)


def _answers(port: int) -> bool:
    try:
        _get(http.client.HTTPConnection("127.0.0.1", port, timeout=5), "/en/incidents")
    except OSError:
        return False
    return True


def _pages(port: int, what: str, count: int, rate: float, p95_ms: float | None) -> Iterator[Row]:
    """Each address asked once, by two clients at a time."""
    addresses = list(_addresses(count))
    halves = [addresses[::2], addresses[1::2]]
    begun = time.perf_counter()
    with ThreadPoolExecutor(len(halves)) as pool:
        times = sorted(seconds for half in pool.map(lambda half: _ask(port, half), halves) for seconds in half)
    seconds = time.perf_counter() - begun
    p95 = times[int(len(times) * 0.95)] * 1000
    yield Row(
        f"pages a second, {what}, {count} distinct addresses",
        f"≥ {rate:g}",
        count / seconds,
        "pages/s",
        rate,
        least=True,
    )
    target, median = f"≤ {p95_ms:g} ms" if p95_ms else "", statistics.median(times) * 1000
    yield Row(f"page, {what}, 95th percentile", target, p95, "ms", p95_ms, f"median {median:.1f} ms")


def _ask(port: int, addresses: list[str]) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    return [_get(connection, address) for address in addresses]


def _get(connection: http.client.HTTPConnection, address: str) -> float:
    begun = time.perf_counter()
    connection.request("GET", address)
    response = connection.getresponse()
    response.read()
    if response.status not in {200, 302}:
        raise RuntimeError(f"{address}: {response.status}")
    return time.perf_counter() - begun


def _addresses(count: int) -> Iterator[str]:
    """Distinct result pages in both languages: words of a real title and values of the same record, one in five at random."""
    library = loading.load([ROOT / "library"])
    records = [document.value for document in library.incidents.values()]
    maker, rng, seen = Maker(library.vocabulary, seed=4), random.Random(4), set[str]()
    while len(seen) < count:
        record = rng.choice(records)
        terms = tagged(record) if rng.random() < 0.8 else {facet: maker.terms(facet, 1) for facet in FACETS}
        pairs = (
            [("q", _words(rng.choice(records) if rng.random() < 0.2 else record, rng))] if rng.random() < 0.8 else []
        )
        pairs += [(facet, rng.choice(terms[facet])) for facet in FACETS if terms[facet] and rng.random() < 0.2]
        address = f"/{rng.choice(('ko', 'en'))}/incidents?{urlencode(pairs)}"
        if address not in seen:
            seen.add(address)
            yield address


def _words(record: Incident, rng: random.Random) -> str:
    words = record.title.of(rng.choice(LANGS)).split()
    return " ".join(rng.sample(words, min(len(words), rng.randint(1, 3))))


def _many_clients(port: int, pid: int) -> Iterator[Row]:
    """Many clients at once for a minute: no error, and memory that does not grow."""
    addresses, before, ends = list(_addresses(500)), _memory_mb(pid), time.monotonic() + SECONDS
    with ThreadPoolExecutor(CLIENTS) as pool:
        asked = sum(pool.map(lambda client: _until(port, addresses, ends, client), range(CLIENTS)))
    yield Row(f"{CLIENTS} clients for {SECONDS} s, answers without an error", "", asked, "pages")
    yield Row("memory after that, over before", "flat", _memory_mb(pid) / before, "×", limit=1.2)


def _until(port: int, addresses: list[str], ends: float, client: int) -> int:
    connection, rng, asked = http.client.HTTPConnection("127.0.0.1", port, timeout=120), random.Random(client), 0
    while time.monotonic() < ends:
        _get(connection, rng.choice(addresses))
        asked += 1
    return asked


def _memory_mb(pid: int) -> float:
    """Resident memory of a process and its children."""
    listed = subprocess.run(
        ["ps", "-o", "rss=", "--pid", str(pid), "--ppid", str(pid)], capture_output=True, text=True, check=True
    )
    return sum(map(int, listed.stdout.split())) / 1024
