"""The first lines of docs/ci.md with the renderers that they name: the real helm, and the kustomize of the real kubectl."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.control_plane.asking import ROOT
from tests.control_plane.build import helm

LINES = re.findall(r"^(?:helm|kubectl) .*\| kubegap check.*$", (ROOT / "docs" / "ci.md").read_text(), re.MULTILINE)
POLICY = ROOT / "examples" / "policy-engine.yaml"


@pytest.fixture
def run(tmp_path: Path, library: Path):
    """A line in a folder with a chart and an overlay, which hold a gap or do not, or which cannot be rendered."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "kubegap").write_text(f'#!/bin/sh\nexec {sys.executable} -m kubegap "$@"\n')
    (tools / "kubegap").chmod(0o755)
    path = f"{tools}:{helm().parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    own = {"PATH": path, "KUBEGAP_LIBRARY": str(library), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "src")}

    def start(line: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-c", line]
        environment = {**os.environ, **own}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return start


def chart(folder: Path, policy: str) -> None:
    """`charts/shop`, whose webhook fails as the values say, and `overlays/production` over the same."""
    text = POLICY.read_text(encoding="utf-8")
    templates, base = folder / "charts" / "shop" / "templates", folder / "overlays" / "production"
    for made in (templates, base):
        made.mkdir(parents=True)
    about = {"apiVersion": "v2", "name": "shop", "version": "0.1.0"}
    (templates.parent / "Chart.yaml").write_text(yaml.safe_dump(about))
    (templates.parent / "values.yaml").write_text(f"policy: {policy}\n")
    (templates / "policy.yaml").write_text(text.replace("failurePolicy: Fail", "failurePolicy: {{ .Values.policy }}"))
    (base / "policy.yaml").write_text(text.replace("failurePolicy: Fail", f"failurePolicy: {policy}"))
    (base / "kustomization.yaml").write_text(yaml.safe_dump({"resources": ["policy.yaml"], "namePrefix": "shop-"}))


def test_helm_stands_in_the_recipes_with_and_without_a_baseline():
    assert [line.split()[0] for line in LINES] == ["helm", "kubectl", "helm", "helm"]


@pytest.mark.parametrize("line", LINES[:2], ids=["helm", "kustomize"])
def test_what_was_really_rendered_is_checked(run, tmp_path, line):
    chart(tmp_path, "Ignore")
    assert run(line).returncode == 0

    shutil.rmtree(tmp_path / "charts")
    shutil.rmtree(tmp_path / "overlays")
    chart(tmp_path, "Fail")
    answer = run(line)
    assert answer.returncode == 1
    assert "webhook-fail-closed-wide" in answer.stdout


@pytest.mark.parametrize("line", LINES[:2], ids=["helm", "kustomize"])
def test_what_cannot_be_rendered_fails_without_pipefail(run, line):
    answer = run(line)

    assert answer.returncode == 2
    assert answer.stdout == ""


def test_a_baseline_of_what_helm_renders_lets_it_pass(run, tmp_path):
    chart(tmp_path, "Fail")

    assert [run(line).returncode for line in LINES[2:]] == [0, 0]
