"""`python -m bench [small|full]`: measure against the targets of the design; `full` also writes `bench/results.md`."""

from __future__ import annotations

import sys
from pathlib import Path

from bench import search
from bench.table import markdown


def main() -> None:
    size = sys.argv[1] if len(sys.argv) > 1 else "full"
    rows = []
    for row in search.rows(size):
        rows.append(row)
        print(
            f"{row.what}: {row.value:,.3g} {row.unit} {row.note} (target {row.target or 'none'}) {row.verdict}",
            flush=True,
        )
    if size == "full":
        text = f"# Benchmarks\n\n`make bench` measured this on two cores.\n\n{markdown(rows)}"
        Path(__file__).with_name("results.md").write_text(text, encoding="utf-8")


main()
