"""The search rows of the design: cold start, opening, building, and query times at three sizes."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from bench.incidents import Maker
from bench.table import Row
from kubegap.cli.building import build
from kubegap.library import loading
from kubegap.library.generation import open_library
from kubegap.library.search import tantivy_index
from kubegap.library.search.backend import SearchBackend
from kubegap.library.search.names import Names
from kubegap.library.search.plan import plan
from kubegap.library.search.prepared import Prepared
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.library.search.tantivy_engine import TantivyEngine
from kubegap.library.vocabulary import FACETS, Vocabulary

ROOT = Path(__file__).parent.parent
SIZES = {"small": [10_000], "full": [10_000, 1_000_000]}
LIMITS_MS = {10_000: 50, 1_000_000: 300}
QUESTIONS = 300
# So many records are made; beyond them the same ones come again under new ids, which keeps a million affordable.
DISTINCT = 50_000


def rows(size: str) -> Iterator[Row]:
    """All rows, slowest last."""
    library = loading.load([ROOT / "library"])
    with tempfile.TemporaryDirectory() as folder:
        real = Path(folder) / "real"
        build([ROOT / "library"], real, revision="")
        yield from _cold_start(real)
        yield _queries(Search(open_library(real)).backend, library.vocabulary, len(library.incidents), 5)
        yield from _thousand(Path(folder), library.vocabulary)
        for count in SIZES[size]:
            engine = Path(folder) / str(count)
            tantivy_index.build(engine, _prepared(library.vocabulary, count))
            yield _queries(TantivyEngine(engine), library.vocabulary, count, LIMITS_MS[count])
            shutil.rmtree(engine)


def _cold_start(library: Path) -> Iterator[Row]:
    """The whole process, beside a bare interpreter and the bare imports."""
    kubegap = [
        sys.executable,
        "-m",
        "kubegap",
        "search",
        "GPU 인식 불가",
        "--format",
        "json",
        "--library",
        str(library),
    ]
    yield Row("bare interpreter", "", _process([sys.executable, "-c", "pass"]), "s")
    yield Row(
        "bare imports of tantivy and msgspec", "", _process([sys.executable, "-c", "import tantivy, msgspec"]), "s"
    )
    yield Row("kubegap search, cold, whole process", "≤ 0.25 s", _process(kubegap), "s", limit=0.25)


def _process(command: list[str]) -> float:
    """The median wall time of a command, in seconds, with its modules compiled as pip leaves them."""
    with tempfile.TemporaryDirectory() as compiled:
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**inherited, "PYTHONPYCACHEPREFIX": compiled}

        def once() -> None:
            subprocess.run(command, check=True, capture_output=True, env=environment)

        once()
        return statistics.median(_timed(once) for _ in range(11))


def _thousand(folder: Path, vocabulary: Vocabulary) -> Iterator[Row]:
    """Building 1,000 records from their files, and opening what was built."""
    files, out = folder / "files", folder / "thousand"
    _write_files(files, vocabulary, 1_000)
    seconds = _timed(lambda: build([files], out, revision=""))
    yield Row("library build, 1,000 records from YAML", "≤ 10 s", seconds, "s", limit=10)
    opening = statistics.median(_timed(lambda: open_library(out)) for _ in range(21))
    yield Row("opening 1,000 records", "≤ 30 ms", opening * 1000, "ms", limit=30)


def _write_files(files: Path, vocabulary: Vocabulary, count: int) -> None:
    """Made-up records as YAML files beside the real vocabulary; JSON is YAML that needs no writer."""
    shutil.copytree(ROOT / "library" / "vocabulary", files / "vocabulary")
    shutil.copy(ROOT / "library" / "platforms.yaml", files)
    for incident in Maker(vocabulary, length=4).incidents(count):
        path = files / "incidents" / incident.id[:4] / f"{incident.id}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        record = msgspec.to_builtins(incident)
        del record["id"]
        path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1))


def _prepared(vocabulary: Vocabulary, count: int) -> Iterator[Prepared]:
    distinct = list(Maker(vocabulary).prepared(min(count, DISTINCT)))
    for number in range(count):
        made = distinct[number % len(distinct)]
        yield msgspec.structs.replace(made, id=f"{number:07d}", newest_rank=number, added_rank=number)


def _queries(backend: SearchBackend, vocabulary: Vocabulary, count: int, limit: float) -> Row:
    """The 95th percentile of questions with words, filters and all facet counts, in process."""
    maker, rng, names = Maker(vocabulary, seed=2), random.Random(3), Names.of(vocabulary)
    plans = [plan(_question(maker, rng), names) for _ in range(QUESTIONS)]
    for warm in plans[:10]:
        backend.search(warm)
    times = sorted(_timed(lambda asked=asked: backend.search(asked)) * 1000 for asked in plans)
    p95, median = times[int(len(times) * 0.95)], statistics.median(times)
    what = f"query with all facet counts, {count:,} records"
    return Row(what, f"p95 ≤ {limit:g} ms", p95, "ms", limit, f"median {median:.1f} ms")


def _question(maker: Maker, rng: random.Random) -> Query:
    filters = {facet: maker.terms(facet, 1) for facet in FACETS if rng.random() < 0.15}
    return Query(q=maker.words(rng.randint(1, 3)), filters=filters)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
