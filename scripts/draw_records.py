"""Draw records to be read once more against their sources: `python -m scripts.draw_records [COUNT]`.

The seed is the last commit that changed a record, so that nobody chooses, and anybody can draw the same ones again.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def drawn(count: int) -> tuple[str, list[str]]:
    """The commit and the ids drawn with it, sorted."""
    command = ["git", "log", "-1", "--format=%H", "--", "library/incidents"]
    commit = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603, fixed command
    ids = sorted(path.stem for path in (ROOT / "library" / "incidents").glob("*/*.yaml"))
    return commit, sorted(random.Random(commit).sample(ids, count))  # noqa: S311, a draw that can be repeated


if __name__ == "__main__":
    commit, ids = drawn(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
    print(commit, *ids, sep="\n")
