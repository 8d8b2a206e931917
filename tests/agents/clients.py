"""The real clients, pinned, in a cache outside the tree, each run in an empty home."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import kubegap
from tests.plugin import ROOT

_MACHINES = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}
# npm picks an older Claude Code on a Node that is too old, so a Node comes along; it is installed first and runs the rest.
NODE = f"node-linux-{_MACHINES.get(platform.machine(), 'x64')}@24.22.3"
PACKAGES = ["@anthropic-ai/claude-code@2.1.332", "@openai/codex@0.171.0", "skills-ref@0.1.5"]
SECONDS = 120
CALLS = "calls.txt"
CALM = {
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "LANG": "C.UTF-8",
    # Nobody answers there: a client that asked the network for something would fail.
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}


class NoClients(Exception):
    """The clients cannot be installed; the suite fails, it does not skip."""


def installed() -> list[Path]:
    """The folders of programs, installed if they are not there yet: a gigabyte, once."""
    folder = cache() / hashlib.sha256(" ".join([NODE, *PACKAGES]).encode()).hexdigest()[:12]
    if not folder.exists():
        # Installed beside and renamed, so that an install that was stopped leaves nothing half made.
        half = folder.with_name(f".{folder.name}.{os.getpid()}")
        half.mkdir(parents=True)
        try:
            _npm(half, NODE)
            _npm(half, NODE, *PACKAGES)
            half.rename(folder)
        finally:
            shutil.rmtree(half, ignore_errors=True)
    return _programs(folder)


def cache() -> Path:
    """`$KUBEGAP_AGENTS_CACHE`, else a folder of the user's cache."""
    return Path(os.environ.get("KUBEGAP_AGENTS_CACHE") or Path.home() / ".cache" / "kubegap-test-agents")


def _programs(folder: Path) -> list[Path]:
    modules = folder / "node_modules"
    return [modules / NODE.partition("@")[0] / "bin", modules / ".bin"]


def _npm(folder: Path, *packages: str) -> None:
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--no-save", "--silent"]
    path = os.pathsep.join([*map(str, _programs(folder)), os.environ["PATH"]])
    command = ["npm", "install", "--prefix", str(folder), *quiet, *packages]
    try:
        subprocess.run(command, env={**os.environ, "PATH": path}, cwd=folder, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoClients(f"npm cannot install {' '.join(packages)}") from error


def put_kubegap(folder: Path) -> Path:
    """A folder for the PATH with the kubegap under test, which needs nothing of its environment and notes how it is called."""
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(kubegap.__file__).parents[1]
    notes = f'echo "$*" >> {shlex.quote(str(folder / CALLS))}'
    start = f"PYTHONPATH={shlex.quote(str(source))} exec {sys.executable} -m kubegap"
    _script(folder / "kubegap", f"{notes}\n{start}")
    return folder


def put_older_kubegap(folder: Path) -> Path:
    """A folder for the PATH with a kubegap from before the server."""
    folder.mkdir(parents=True, exist_ok=True)
    _script(folder / "kubegap", "echo kubegap 0.0.9 #")
    return folder


def _script(path: Path, line: str) -> None:
    path.write_text(f'#!/bin/sh\n{line} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


class Home:
    """An empty home in which clients are run; its PATH holds them, what is given, and the machine's own."""

    def __init__(self, folder: Path, programs: list[Path], own: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        for name in (".claude", ".codex", "tmp", "work", "python"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        # The launcher is started as `python3`, whatever Python runs the tests.
        _script(folder / "python" / "python3", f"exec {sys.executable}")
        places = [*programs, *installed(), folder / "python", Path("/usr/bin"), Path("/bin")]
        self.environment = {
            **CALM,
            "PATH": os.pathsep.join(map(str, places)),
            "HOME": str(folder),
            "CLAUDE_CONFIG_DIR": str(folder / ".claude"),
            "CODEX_HOME": str(folder / ".codex"),
            "TMPDIR": str(folder / "tmp"),
            "CLAUDE_CODE_TMPDIR": str(folder / "tmp"),
            **(own or {}),
        }

    def run(self, *command: str, is_failure: bool = False, **own: str) -> subprocess.CompletedProcess[str]:
        """Run a client's command, which must succeed, or fail where that is wanted."""
        run = subprocess.run(
            command,
            cwd=self.folder / "work",
            env={**self.environment, **own},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert (run.returncode != 0) is is_failure, f"{shlex.join(command)}: {run.stdout}{run.stderr}"
        return run

    def add_to_claude(self) -> None:
        """The plugin from the checkout, in Claude Code."""
        self.run("claude", "plugin", "marketplace", "add", str(ROOT))
        self.run("claude", "plugin", "install", "kubegap@kubegap", "--json")

    def add_to_codex(self) -> None:
        """The plugin from the checkout, in Codex."""
        self.run("codex", "plugin", "marketplace", "add", str(ROOT), "--json")
        self.run("codex", "plugin", "add", "kubegap@kubegap", "--json")
