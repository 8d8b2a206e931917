"""The tools of agents: over the library of this repository, and over a scan with 5,000 findings."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
from tests.mcp import reports

from bench.incidents import Maker
from bench.table import Row
from kubegap.cli.building import build
from kubegap.library.generation import open_library
from kubegap.library.vocabulary import FACETS
from kubegap.mcp.desk import Desk
from kubegap.mcp.scanning import Scanner
from kubegap.mcp.scans import Scans
from kubegap.mcp.server import make_server
from kubegap.mcp.shelf import Shelf
from kubegap.mcp.target import Target
from mcp import Client

ROOT = Path(__file__).parent.parent
QUESTIONS = {"small": 40, "full": 400}
INCIDENT_TOOLS = {"search_incidents", "find_similar_incidents", "get_incident", "list_checks"}
# Milliseconds: incidents are looked up as quickly as on a page; gaps of a large scan may take a little longer.
OF_INCIDENTS, OF_SCANS = 50, 200
LOG = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\nNCCL WARN Call to ibv_reg_mr failed\n" * 700

Question = tuple[str, dict[str, object]]


def rows(size: str) -> Iterator[Row]:
    """Every tool, asked through the protocol by a client in the same process."""
    with tempfile.TemporaryDirectory() as folder:
        build([ROOT / "library"], Path(folder) / "library", revision="")
        desk = _desk(Path(folder))
        scans = _scans(desk)
        for what, ask in _questions(desk, scans).items():
            yield _row(desk, what, ask, QUESTIONS[size])
        yield _first_answer(Path(folder), scans[-1])


def _desk(folder: Path) -> Desk:
    shelf = Shelf(open_library(folder / "library"))
    target = Target({"HOME": str(folder), "KUBECONFIG": str(_kubeconfig(folder))})
    scans = Scans(folder / "scans", shelf)
    return Desk(shelf, target, scans, Scanner(target.read, shelf, scans), "en")


def _kubeconfig(folder: Path) -> Path:
    """Of the cluster that the scans are of; nobody answers there, which takes no time."""
    path = folder / "kubeconfig"
    path.write_text(
        "current-context: staging\n"
        f"clusters: [{{name: c, cluster: {{server: '{_server()}'}}}}]\n"
        "contexts: [{name: staging, context: {cluster: c}}]\n"
    )
    return path


def _server() -> str:
    return "https://127.0.0.1:1"


def _scans(desk: Desk) -> list[str]:
    """One scan with a finding of each check, and a later one with 5,000."""
    few = reports.everything(server=_server())
    return [desk.scans.keep(report).id for report in (few, reports.crowded(few))]


def _questions(desk: Desk, scans: list[str]) -> dict[str, Callable[[int], dict[str, object]]]:
    """What each tool is asked, by the number of the question; the name of a row begins with that of its tool."""
    maker, rng = Maker(desk.shelf.search.vocabulary, seed=5), random.Random(6)
    incidents, checks = sorted(desk.shelf.ids), sorted(desk.shelf.pages)

    def search(_number: int) -> dict[str, object]:
        filters = {facet: maker.terms(facet, 1) for facet in FACETS if rng.random() < 0.15}
        return {"query": maker.words(rng.randint(1, 3)), "limit": 20, **filters}

    def similar(most: int) -> Callable[[int], dict[str, object]]:
        return lambda number: {"text": LOG[: most - number], "limit": 20}

    return {
        "search_incidents": search,
        "find_similar_incidents, a log of 4 KiB": similar(4 * 1024),
        "find_similar_incidents, the longest log, 64 KiB": similar(64 * 1024),
        "get_incident": lambda number: {"incident_id": incidents[number % len(incidents)]},
        "list_checks": lambda number: {"limit": 50, "query": ["", "gpu", "노드"][number % 3]},
        "list_gaps, 5,000 findings": lambda number: {"limit": 50, "severity": ["", "critical", "high"][number % 3]},
        "get_gap, 5,000 findings": lambda number: {"gap_id": checks[number % len(checks)], "limit": 50},
        "compare_scans, 5,000 findings": lambda _number: {"before": scans[0], "after": scans[1], "limit": 50},
        "scan_cluster, a scan that is used again": lambda _number: {"max_age_seconds": 86_400},
        "get_cluster_status, nobody answers": lambda _number: {},
    }


def _row(desk: Desk, what: str, ask: Callable[[int], dict[str, object]], count: int) -> Row:
    name = tool_of(what)
    times, sizes = anyio.run(_asked, desk, [(name, ask(number)) for number in range(count)])
    limit = OF_INCIDENTS if name in INCIDENT_TOOLS else OF_SCANS
    p95 = sorted(times)[int(len(times) * 0.95)]
    note = f"median {statistics.median(times):.1f} ms, slowest {max(times):.1f} ms, at most {max(sizes):,} bytes"
    return Row(what, f"p95 ≤ {limit} ms", p95, "ms", limit, note)


def tool_of(what: str) -> str:
    """The tool that a row is about."""
    return what.partition(",")[0]


def _first_answer(folder: Path, scan: str) -> Row:
    """A server that has just started has to read a large scan first."""
    desk = _desk(folder)
    times, _ = anyio.run(_asked, desk, [("list_gaps", {"scan_id": scan})])
    return Row("list_gaps, the first after a start, 5,000 findings", "≤ 1 s", times[0] / 1000, "s", 1)


async def _asked(desk: Desk, questions: list[Question]) -> tuple[list[float], list[int]]:
    """Milliseconds and bytes of each answer; raises `RuntimeError` for one that is none."""
    times, sizes, failed = [], [], []
    async with Client(make_server(desk)) as client:
        await client.list_tools()
        for name, arguments in questions:
            start = time.perf_counter()
            result = await client.call_tool(name, arguments)
            times.append((time.perf_counter() - start) * 1000)
            failed += [f"{name} {arguments}: {result.content}"] if result.is_error else []
            sizes.append(len(result.content[0].text.encode()))
    if failed:
        raise RuntimeError(failed[0])
    return times, sizes
