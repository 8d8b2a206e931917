"""What the benchmarks say of a command that fails, and of several runs of one: no number rests on a run that did nothing."""

from __future__ import annotations

import pkgutil
import sys
from pathlib import Path

import anyio
import pytest
from bench import cluster, mcp, web
from bench.cluster import Run

from kubegap.mcp import tools


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(RuntimeError, match=r"ended with 3: .*refused") as raised:
        cluster._process(
            python("import sys; print('refused', file=sys.stderr); sys.exit(3)"), {}, codes=cluster.ANSWERED
        )

    assert sys.executable in str(raised.value)
    assert cluster._process(python("print('x'); raise SystemExit(1)"), {}, codes=cluster.ANSWERED).output == b"x\n"


def test_the_best_run_has_the_time_of_the_quickest_and_the_memory_of_the_largest():
    runs = [Run(2.0, 90.0, b"slow"), Run(1.0, 80.0, b"quick"), Run(3.0, 100.0, b"slowest")]

    assert cluster._best(runs) == Run(1.0, 100.0, b"quick")


def test_a_server_that_cannot_start_is_told(tmp_path: Path):
    with pytest.raises(RuntimeError, match="the server said: ''"), web._server(tmp_path):
        pass


def test_a_server_that_starts_is_asked_and_ended(library_dir: Path):
    with web._server(library_dir) as (port, pid, seconds):
        assert web.memory_mb(pid) > 0
        assert port > 0
        assert seconds > 0
    assert not Path(f"/proc/{pid}").exists()


def test_a_tool_that_refuses_is_no_measurement(library_dir: Path, tmp_path: Path):
    (tmp_path / "library").symlink_to(library_dir)
    desk = mcp._desk(tmp_path)

    with pytest.raises(RuntimeError, match="no incident"):
        anyio.run(mcp._asked, desk, [("get_incident", {"incident_id": "nope"})])
    times, sizes = anyio.run(mcp._asked, desk, [("list_checks", {})] * 2)
    assert len(times) == len(sizes) == 2


def test_every_tool_is_measured(library_dir: Path, tmp_path: Path):
    (tmp_path / "library").symlink_to(library_dir)
    asked = mcp._questions(mcp._desk(tmp_path), ["a", "b"])

    assert {mcp.tool_of(what) for what in asked} == {module.name for module in pkgutil.iter_modules(tools.__path__)}
