"""A server and a browser for programs that look at the pages as a reader does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Letters are drawn alike on every machine.
    "--font-render-hinting=none",
)


@contextmanager
def serving(library: Path) -> Iterator[str]:
    """`kubegap serve` over a compiled library; gives its address."""
    command = [sys.executable, "-m", "kubegap", "serve", "--port", "0", "--lang", "en", "--library", str(library)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603, our own command
        try:
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r"http://[\d.]+:\d+", line)
            if not found:
                raise RuntimeError(f"the server said: {line!r}")
            yield found[0]
        finally:
            process.terminate()


def chromium(playwright: Any) -> Any:
    """Debian's Chromium, driven by Playwright."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
