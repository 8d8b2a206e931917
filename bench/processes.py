"""What a server and the processes below it use, as Linux counts it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def tree(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from tree(int(child))


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and all below it, of the system's share too."""
    fields = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in tree(pid)]
    return sum(int(found[11]) + int(found[12]) for found in fields) / _TICKS


def memory_mb(pid: int) -> float:
    """Memory of a process and all below it (PSS: what several of them share counts once)."""
    rollups = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in tree(pid)]
    return sum(int(text.split("\nPss:")[1].split()[0]) for text in rollups) / 1024


def load() -> float:
    """How many processes wanted to run on the machine, on average over the last minute."""
    return os.getloadavg()[0]
