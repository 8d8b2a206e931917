"""`python -m bench [small|full] [search|web|cluster|mcp]`: measure against the targets of the design.

`full` also writes the results beside this file, one for each part.
"""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench import cluster, mcp, search, web
from bench.table import markdown

PARTS = {
    "search": (search.rows, "results-search.md"),
    "web": (web.rows, "results-web.md"),
    "cluster": (cluster.rows, "results-cluster.md"),
    "mcp": (mcp.rows, "results-mcp.md"),
}


def main() -> None:
    size = sys.argv[1] if len(sys.argv) > 1 else "full"
    for part in sys.argv[2:] or PARTS:
        measure(part, size)


def measure(part: str, size: str) -> None:
    """Run one part, printing each row as soon as it is there."""
    run, file = PARTS[part]
    rows = []
    for row in run(size):
        rows.append(row)
        print(
            f"{row.what}: {row.value:,.3g} {row.unit} {row.note} (target {row.target or 'none'}) {row.verdict}",
            flush=True,
        )
    if size == "full":
        command = f"`python -m bench full {part}`"
        machine = f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}"
        head = f"{command} measured this on {machine}, {datetime.now(tz=UTC).date()}; the load when it ended was {os.getloadavg()[0]:.1f}."
        text = f"# Benchmarks: {part}\n\n{head}\n\n{markdown(rows)}"
        Path(__file__).with_name(file).write_text(text, encoding="utf-8")


main()
