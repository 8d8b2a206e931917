"""The wheel stands alone: installed into an empty environment, it finds its library from any directory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KUBEGAP_", "PYTHON"))}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `kubegap` of an environment that holds the wheel and the base requirements, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    uv = Path(sys.executable).with_name("uv")
    uv = uv if uv.exists() else ROOT / ".venv" / "bin" / "uv"
    built = run(uv, "build", "--wheel", "--no-build-isolation", "--python", sys.executable, "--out-dir", folder, ROOT)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    run(uv, "venv", "--python", sys.executable, folder / "env")
    python = folder / "env" / "bin" / "python"
    for what in (["--require-hashes", "-r", ROOT / "requirements" / "base.txt"], ["--no-deps", wheel]):
        done = run(uv, "pip", "install", "--python", python, *what)
        assert done.returncode == 0, done.stderr
    return folder / "env" / "bin" / "kubegap"


def test_wheel_shows_an_incident_from_any_directory(installed: Path, tmp_path: Path) -> None:
    answer = run(installed, "show", "2021-08-bigscience-ecc-gpu-node-reused", "--lang", "ko", cwd=tmp_path)

    assert answer.returncode == 0, answer.stderr
    assert "교훈" in answer.stdout


def test_wheel_searches_and_checks(installed: Path, tmp_path: Path) -> None:
    found = run(installed, "search", "GPU 인식 불가", "--format", "json", cwd=tmp_path)
    checked = run(installed, "check", "-f", str(ROOT / "examples" / "policy-engine.yaml"), cwd=tmp_path)

    assert found.returncode == 0, found.stderr
    assert checked.returncode == 1, checked.stderr


def test_base_install_says_what_the_server_needs(installed: Path, tmp_path: Path) -> None:
    answer = run(installed, "serve", cwd=tmp_path)

    assert answer.returncode == 2
    assert "kubegap[web]" in answer.stderr
    assert "serve" in run(installed, "--help", cwd=tmp_path).stdout
