"""The web rows of the design: start, pages a second over distinct addresses, memory, and many clients for a minute."""

from __future__ import annotations

import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from bench.client import Connection, ask
from bench.incidents import Maker
from bench.processes import cpu_seconds, load, memory_mb
from bench.table import Row
from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.cli.building import build
from kubegap.library import loading
from kubegap.library.compiling import compile_library
from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, Vocabulary, tagged
from kubegap.text import LANGS

ROOT = Path(__file__).parent.parent
MANY = 100_000
# A compiled library of that many made-up records, to be used again: building it takes many minutes.
MADE_UP = os.environ.get("KUBEGAP_BENCH_LIBRARY")
CLIENTS, SECONDS = 200, 60
AT_ONCE = 4
RUNS = {"small": 1, "full": 3}
ADDRESSES = {"small": 200, "full": 1_000}
STARTS = 3
Pairs = list[tuple[str, str]]


def rows(size: str) -> Iterator[Row]:
    """All rows; the long ones only in the full size."""
    vocabulary = loading.load([ROOT / "library"]).vocabulary
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real"
        build([ROOT / "library"], real, revision="")
        yield _start(real)
        with _server(real) as (port, pid, _):
            addresses = _distinct(_real_question)
            yield from _pages(port, pid, addresses, size, Target("real records", 300, 30))
            if size == "full":
                yield from _many_clients(port, pid, addresses)
            # Last, when all that is kept for later has been taken.
            yield Row("serve, memory, all processes", "≤ 150 MB", memory_mb(pid), "MB", limit=150)
        if size == "full":
            yield from _made_up(Path(MADE_UP or Path(folder) / "made-up"), vocabulary)


def _start(library: Path) -> Row:
    """The best of a few starts: others use the machine too."""
    times = []
    for _ in range(STARTS):
        with _server(library) as (_, _, seconds):
            times.append(seconds)
    return Row("serve, start to first answer", "≤ 1.5 s", min(times), "s", 1.5, f"to {max(times):.1f} s")


def _made_up(out: Path, vocabulary: Vocabulary) -> Iterator[Row]:
    if not (out / "CURRENT").exists():
        extra = {CHECKS: pages.encode(pages.read_pages())}
        compile_library(Maker(vocabulary).incidents(MANY), vocabulary, out, revision="", extra=extra)
    maker = Maker(vocabulary, seed=4)

    def question(rng: random.Random) -> Pairs:
        return [("q", maker.words(rng.randint(1, 3))), *_some(rng, {facet: maker.terms(facet, 1) for facet in FACETS})]

    with _server(out) as (port, pid, _):
        yield from _pages(port, pid, _distinct(question), "small", Target(f"{MANY:,} made-up records", 30))
        yield Row(f"serve, memory at {MANY:,} records", "", memory_mb(pid), "MB")


@contextmanager
def _server(library: Path) -> Iterator[tuple[int, int, float]]:
    """A running server: its port and process, and the seconds from its start to its first answer."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "kubegap", "serve", "--port", "0", "--lang", "en", "--library", str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = _port(process)
            with closing(Connection(port)) as connection:
                connection.get("/en/incidents")
            yield port, process.pid, time.perf_counter() - begun
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=40)


def _port(process: subprocess.Popen[str]) -> int:
    """Where a server listens, as it says itself; raises `RuntimeError` when it ends without saying so."""
    line = process.stdout.readline() if process.stdout else ""
    if not (found := re.search(r"http://[\d.]+:(\d+)", line)):
        raise RuntimeError(f"the server said: {line!r}")
    return int(found[1])


class Target(NamedTuple):
    """Which records are asked for, and how many pages a second and how quick they must be."""

    what: str
    rate: float
    p95_ms: float | None = None


class Run(NamedTuple):
    """Pages a second, then milliseconds: a page takes of the server's processor and of the client's, and to be answered."""

    pages: float
    cpu: float
    client: float
    p95: float
    median: float
    load: float


def _pages(port: int, pid: int, addresses: Iterator[str], size: str, target: Target) -> Iterator[Row]:
    """Each address asked once. The best run counts, for others use the machine too; processor time tells more."""
    count, what = ADDRESSES[size], target.what
    ask(port, islice(addresses, 200), AT_ONCE)
    runs = [_run(port, pid, list(islice(addresses, count))) for _ in range(RUNS[size])]
    best = max(runs)
    each = f"{count:,} distinct addresses, {AT_ONCE} clients"
    note = f"best of {len(runs)}, load {best.load:.1f}; the client takes {best.client:.2f} ms of processor a page"
    yield Row(
        f"pages a second, {what}, {each}",
        f"≥ {target.rate:g}",
        best.pages,
        "pages/s",
        target.rate,
        note,
        least=True,
    )
    yield Row(f"page, {what}, processor time", "", min(run.cpu for run in runs), "ms")
    limit = f"≤ {target.p95_ms:g} ms" if target.p95_ms else ""
    yield Row(f"page, {what}, 95th percentile", limit, best.p95, "ms", target.p95_ms, f"median {best.median:.1f} ms")


def _run(port: int, pid: int, addresses: list[str]) -> Run:
    begun, before, own = time.perf_counter(), cpu_seconds(pid), time.process_time()
    times = sorted(ask(port, iter(addresses), AT_ONCE))
    seconds, cpu, client = time.perf_counter() - begun, cpu_seconds(pid) - before, time.process_time() - own
    count, p95 = len(times), times[int(len(times) * 0.95)]
    ms = [cpu / count * 1000, client / count * 1000, p95 * 1000, statistics.median(times) * 1000]
    return Run(count / seconds, *ms, load())


def _distinct(question: Callable[[random.Random], Pairs]) -> Iterator[str]:
    """Addresses of result pages in both languages, none twice."""
    rng, seen = random.Random(4), set[str]()
    while True:
        address = f"/{rng.choice(LANGS)}/incidents?{urlencode(question(rng))}"
        if address not in seen:
            seen.add(address)
            yield address


def _real_question(rng: random.Random) -> Pairs:
    """Words of a real title and values of the same record; one time in five, words or values of any."""
    record, other = rng.choice(_RECORDS), rng.choice(_RECORDS)
    words = [("q", _words(other if rng.random() < 0.2 else record, rng))] if rng.random() < 0.8 else []
    return words + _some(rng, tagged(other if rng.random() < 0.2 else record))


def _words(record: Incident, rng: random.Random) -> str:
    words = record.title.of(rng.choice(LANGS)).split()
    return " ".join(rng.sample(words, min(len(words), rng.randint(1, 3))))


def _some(rng: random.Random, terms: dict) -> Pairs:
    return [(facet, rng.choice(terms[facet])) for facet in FACETS if terms[facet] and rng.random() < 0.2]


_RECORDS = [document.value for document in loading.load([ROOT / "library"]).incidents.values()]


def _many_clients(port: int, pid: int, addresses: Iterator[str]) -> Iterator[Row]:
    """Many clients at once for a minute: no error, and memory that does not grow."""
    asked = list(islice(addresses, 5_000))
    samples, begun = [memory_mb(pid)], time.monotonic()

    def until_the_end() -> Iterator[str]:
        for address in chain.from_iterable(iter(lambda: asked, None)):
            if time.monotonic() - begun > SECONDS:
                return
            if time.monotonic() - begun > len(samples) * SECONDS / 6:
                samples.append(memory_mb(pid))
            yield address

    pages = len(ask(port, until_the_end(), CLIENTS))
    told = ", ".join(f"{sample:.0f}" for sample in samples)
    yield Row(
        f"{CLIENTS} clients for {SECONDS} s, answers without an error", "", pages, "pages", note=f"load {load():.1f}"
    )
    yield Row("memory in the last third, over the first", "flat", samples[-1] / samples[1], "×", 1.1, f"MB: {told}")
