"""Tools to measure beside, each in an environment of its own outside the tree, installed from a lock."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parent.parent / "requirements" / "peers.txt"
CACHE = Path.home() / ".cache" / "kubegap-bench-peers"


def checkov() -> Path:
    """The command of Checkov, installed once for each state of the lock."""
    folder = CACHE / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]
    command = folder / "bin" / "checkov"
    if not command.exists():
        uv = Path(sys.executable).parent / "uv"
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder], check=True)
        python = ["--python", folder / "bin" / "python"]
        subprocess.run([uv, "pip", "install", "--quiet", "--require-hashes", *python, "-r", LOCK], check=True)
    return command
