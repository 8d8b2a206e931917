"""The checker's rows of the design: a real API server beside kubectl, and a paged fake server for what no laptop holds."""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from typing import Any, BinaryIO

import urllib3
from msgspec import Struct
from msgspec.structs import replace
from tests.control_plane.asking import as_kubectl_says, found, visible
from tests.control_plane.impatient import compile_impatient
from tests.control_plane.plane import Plane
from tests.control_plane.world import GAPS

from bench import dumps
from bench.peers import checkov
from bench.real_cluster import filled
from bench.table import Row
from kubegap.checks.pages import read_pages
from kubegap.cluster.objects import METRICS
from kubegap.cluster.resources import RESOURCES, name_of
from kubegap.cluster.transport import list_path

ROOT = Path(__file__).parent.parent
REAL = {"small": (50, 1_000), "full": (500, 10_000)}
CURVE = {
    "small": [(50, 1_500), (100, 3_000), (1_000, 30_000)],
    "full": [(50, 1_500), (500, 15_000), (1_500, 45_000), (3_000, 90_000), (5_000, 150_000)],
}
LARGEST = (5_000, 150_000)
ROUNDS = 3
KINDS = sorted({path for page in read_pages().values() for path in page.paths})


# Of a check that looked at everything it was to look at: 3 would be one that did not, and was quick for that.
ANSWERED = (0, 1)


class Run(Struct, frozen=True):
    """One process, or the best of several: its wall time, its memory at most, and what it printed."""

    seconds: float
    megabytes: float
    output: bytes


def rows(size: str) -> Iterator[Row]:
    """All rows, the real server first."""
    # As an installation has them, also where Python is told to leave none behind.
    compileall.compile_dir(ROOT / "src", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        library = compile_impatient(Path(folder))
        nodes, pods = REAL[size]
        with filled(nodes, pods) as plane:
            yield from _real(plane, library, f"{nodes:,} nodes, {pods:,} pods")
        yield from _dumps(Path(folder), library)
        yield from _curve({(nodes, pods): _paged(nodes, pods, library) for nodes, pods in CURVE[size]})


def _real(plane: Plane, library: Path, what: str) -> Iterator[Row]:
    check = _best([_kubegap(plane.kubeconfig("reader"), library, "json") for _ in range(ROUNDS)])
    report = json.loads(check.output)
    read = {kind["kind"] for kind in report["coverage"]["kinds"] if kind["state"] == "read"}
    kinds = [kind for kind in KINDS if name_of(RESOURCES[kind].resource) in read]
    raw = min(_raw_seconds(plane, kinds) for _ in range(ROUNDS))
    requests = report["coverage"]["requests"]
    pages = sum(-(-kind["objects"] // 500) - 1 for kind in report["coverage"]["kinds"] if kind["objects"] > 500)
    yield Row(
        f"check, real API server, {what}", "≤ 3 s", check.seconds, "s", 3, f"{report['coverage']['bytes']:,} bytes"
    )
    yield Row("the same: memory", "≤ 150 MB", check.megabytes, "MB", 150)
    yield Row("listing the same kinds raw, one after the other, gzip", "", raw, "s")
    yield Row("check beside raw listing", "≤ 3 ×", check.seconds / raw, "×", 3)
    yield Row("requests besides further pages", "≤ 60", requests - pages, "", 60)
    yield from _peers(plane, kinds, len(report["findings"]))
    yield from _volume(plane, library, found(report))


def _volume(plane: Plane, library: Path, told: set[tuple[str, str]]) -> Iterator[Row]:
    """What is told of what was planted, and in how many lines."""
    checks = {check for check, _ in GAPS}
    missed = len(GAPS - told) + len(told - GAPS)
    yield Row("planted findings", str(len(GAPS)), len(told & GAPS), "", note=f"{len(told - GAPS)} besides")
    yield Row("planted findings missed, and findings besides", "0", missed, "", 0)
    table = _kubegap(plane.kubeconfig("reader"), library, "table").output.decode()
    seen = len(visible(table))
    yield Row("lines that it prints", "≤ 30", len(table.splitlines()), "lines", 30, "blank ones too")
    yield Row("planted gaps without a line", "0", len(checks) - seen, "", 0, f"{seen} of {len(checks)} have one")


def _peers(plane: Plane, kinds: Sequence[str], reported: int) -> Iterator[Row]:
    """The real kubectl, printing the same kinds, and a checker of manifests over what it prints of Deployments and Services."""
    kubectl = [str(Path(sys.executable).parent / "kubectl"), "--kubeconfig", plane.kubeconfig("admin"), "get"]
    names = ",".join(as_kubectl_says(kind) for kind in kinds if not RESOURCES[kind].resource.is_metric)
    run = _process([*kubectl, names, "-A", "-o", "json"], {})
    yield Row("kubectl get -o json of the same kinds", "", run.seconds, "s", note=f"{run.megabytes:,.0f} MB")
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(_process([*kubectl, "deployments,services", "-A", "-o", "json"], {}).output)
        file.flush()
        options = ["--framework", "kubernetes", "--skip-download", "--compact", "--quiet", "--soft-fail", "-o", "json"]
        run = _process([str(checkov()), *options, "-f", file.name], {})
    failed = json.loads(run.output)["summary"]["failed"]
    yield Row("Checkov over its Deployments and Services", "", run.seconds, "s", note=f"{run.megabytes:,.0f} MB")
    yield Row("what Checkov reports", "", failed, "failures", note=f"kubegap: {reported} findings")


def _dumps(folder: Path, library: Path) -> Iterator[Row]:
    """Long dumps from standard input, which nothing can read twice."""
    for form in ("json", "yaml"):
        path = folder / f"dump.{form}"
        count = dumps.write(path)
        with path.open("rb") as file:
            command = [sys.executable, "-m", "kubegap", "check", "--format", "json", "-f", "-"]
            run = _process(command, {"KUBEGAP_LIBRARY": str(library)}, file, ANSWERED)
        size = path.stat().st_size / 1e6
        yield Row(f"check, dump of {size:.0f} MB, {form}", "", run.seconds, "s", note=f"{count:,} pods")
        yield Row("the same: memory", "", run.megabytes, "MB")


def _paged(nodes: int, pods: int, library: Path) -> Run:
    with _paged_server(nodes, pods) as kubeconfig:
        return _best([_kubegap(kubeconfig, library, "json") for _ in range(ROUNDS)])


def _curve(runs: Mapping[tuple[int, int], Run]) -> Iterator[Row]:
    """Time and memory by size, with a bar for each, and how near the times lie to a straight line."""
    longest = max(run.seconds for run in runs.values())
    for (nodes, pods), run in runs.items():
        is_largest = (nodes, pods) == LARGEST
        bar = "█" * round(40 * run.seconds / longest)
        what = f"check, paged fake server, {nodes:,} nodes, {pods:,} pods"
        yield Row(what, "≤ 40 s" if is_largest else "", run.seconds, "s", 40 if is_largest else None, bar)
        yield Row(
            "the same: memory", "≤ 800 MB" if is_largest else "", run.megabytes, "MB", 800 if is_largest else None
        )
    fixed, each = _line({pods: run.seconds for (_, pods), run in runs.items()})
    farthest = max(abs(run.seconds - fixed - each * pods) for (_, pods), run in runs.items())
    yield Row("of that: whatever the size", "", fixed, "s")
    yield Row("of that: for each pod", "", each * 1e6, "µs")
    yield Row("farthest from that straight line", "", 100 * farthest / longest, "%", note="of the longest time")


def _line(points: Mapping[int, float]) -> tuple[float, float]:
    """Where the straight line that lies nearest to some points begins, and how steep it is (least squares)."""
    middle, height = fmean(points), fmean(points.values())
    steep = sum((x - middle) * (y - height) for x, y in points.items()) / sum((x - middle) ** 2 for x in points)
    return height - steep * middle, steep


@contextmanager
def _paged_server(nodes: int, pods: int) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.paged_server", str(nodes), str(pods)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        context = {"name": "paged", "context": {"cluster": "paged", "user": ""}}
        clusters = [{"name": "paged", "cluster": {"server": url}}]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"current-context": "paged", "contexts": [context], "clusters": clusters}, file)
            file.flush()
            yield file.name
    finally:
        server.terminate()
        server.wait()


def _kubegap(kubeconfig: str, library: Path, form: str) -> Run:
    command = [sys.executable, "-m", "kubegap", "check", "--format", form, "--lang", "en"]
    environment = {"KUBECONFIG": kubeconfig, "KUBEGAP_LIBRARY": str(library), "COLUMNS": "120"}
    return _process(command, environment, codes=ANSWERED)


# Linux counts the memory of the process that forks as the child's own, so a small one does the forking.
_RUNNER = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
seconds = time.perf_counter() - start
print(seconds, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), file=sys.stderr)
"""


def _process(
    command: list[str], environment: Mapping[str, str], stdin: BinaryIO | None = None, codes: Collection[int] = (0,)
) -> Run:
    """Run a command; raises `RuntimeError` with what it said when it ends otherwise than with one of the codes."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _RUNNER, *command],
        stdin=stdin or subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **environment},
        check=True,
    )
    seconds, megabytes, code = run.stderr.decode().split()[-3:]
    if int(code) not in codes:
        raise RuntimeError(f"{command} ended with {code}: {run.stderr.decode()}")
    return Run(float(seconds), float(megabytes), run.stdout)


def _best(runs: list[Run]) -> Run:
    """The quickest, for others use the machine too; but the memory of the one that took most, for nobody else adds to that."""
    quickest = min(runs, key=lambda run: run.seconds)
    return replace(quickest, megabytes=max(run.megabytes for run in runs))


def _raw_seconds(plane: Plane, kinds: Sequence[str]) -> float:
    """Nothing but the bytes of all pages, as one who knows the paths would get them."""
    pool = urllib3.PoolManager(ca_certs=str(plane.folder / "ca.pem"))
    headers = {"Authorization": "Bearer reader", "Accept-Encoding": "gzip"}
    start = time.perf_counter()
    for kind in kinds:
        token: str | None = ""
        while token is not None:
            fields: dict[str, Any] = {"limit": 500, **({"continue": token} if token else {})}
            resource = RESOURCES[kind].resource
            url = plane.url + (METRICS if resource.is_metric else list_path(resource))
            token = _token(pool.request("GET", url, headers=headers, fields=fields).data)
    return time.perf_counter() - start


def _token(page: bytes) -> str | None:
    """The place of the next page, which stands at the start of this one."""
    head = page[:2000]
    at = head.find(b'"continue":"')
    token = head[at + 12 :].partition(b'"')[0].decode() if at >= 0 else ""
    # Lists of custom resources name an empty one on their last page.
    return token or None
