"""The recipes of `docs/ci.md` do what they say: each line is run, with renderers that print a fake chart's output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

from tests.schemas import GITHUB_WORKFLOW, GITLAB_CI, PRE_COMMIT, faults

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "docs" / name for name in ("ci.md", "ci.ko.md")]
GAP = (ROOT / "examples" / "policy-engine.yaml").read_text(encoding="utf-8")
HEALTHY = "apiVersion: v1\nkind: Service\nmetadata: {name: shop}\nspec: {selector: {app: shop}, ports: [{port: 80}]}\n"
Run = Callable[..., subprocess.CompletedProcess[str]]
STRICT = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
# How a runner of GitHub starts a step that names no shell, and one of GitLab a job in an image without bash.
RUNNERS = {"github": ("bash", "-e", "-c"), "gitlab": ("sh", "-e", "-c")}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


SHELL = blocks(PAGES[0], "sh")
GITHUB, GITLAB, HOOKS = (yaml.safe_load(block) for block in blocks(PAGES[0], "yaml"))
PIPES = [line for block in SHELL for line in block.splitlines() if "| kubegap check" in line]


@pytest.fixture
def run(tmp_path: Path, library_dir: Path) -> Run:
    """A shell as CI starts one, in an empty folder. `helm`, `argocd` and `kubectl` print a chart, `docker run` runs kubegap."""
    tools = tmp_path / "tools"
    tools.mkdir()
    kubegap = f'exec {sys.executable} -m kubegap "$@"'
    programs = dict.fromkeys(["helm", "argocd", "kubectl"], '[ -n "$CHART" ] && printf "%s" "$CHART"')
    programs |= {
        "kubegap": kubegap,
        "docker": f'[ "$1 $2 $3" = "run --rm -i" ] && [ "$4" = built ] && shift 4\n{kubegap}',
    }
    for name, text in programs.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    own = {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "KUBEGAP_LIBRARY": str(library_dir),
        "KUBEGAP_IMAGE": "built",
        "REVISION": "abc",
        "GITHUB_STEP_SUMMARY": "summary.md",
    }

    def start(script: str, chart: str, shell: Sequence[str] = STRICT) -> subprocess.CompletedProcess[str]:
        command = [*shell, script]
        environment = {**os.environ, **own, "CHART": chart}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return start


def test_both_languages_have_the_same_recipes() -> None:
    english, korean = (blocks(page, "sh") + blocks(page, "yaml") for page in PAGES)

    assert english == korean
    assert len(english) == 7


@pytest.mark.parametrize("line", [line for line in PIPES if "baseline" not in line and "||" not in line])
def test_a_line_passes_a_healthy_chart_and_stops_a_gap_and_an_empty_one(run: Run, line: str) -> None:
    assert [run(line, chart).returncode for chart in (HEALTHY, GAP, "")] == [0, 1, 2]


def test_a_baseline_lets_pass_what_it_knows(run: Run) -> None:
    (write, check), *_ = [block.splitlines() for block in SHELL if "--write-baseline" in block]

    assert run(write, GAP).returncode == 0
    assert run(check, GAP).returncode == 0
    assert run(check, GAP.replace("name: policy-engine", "name: other")).returncode == 1


def test_what_runs_is_written_down_before_argo_syncs(run: Run, tmp_path: Path) -> None:
    (block,) = [block for block in SHELL if "--source live" in block]

    assert [run(block, chart).returncode for chart in (HEALTHY, GAP)] == [0, 1]
    assert json.loads((tmp_path / "before.json").read_text())["findings"]


def test_the_workflow_of_github_renders_shows_and_decides(run: Run, tmp_path: Path) -> None:
    render, summary, check = [step["run"] for step in GITHUB["jobs"]["manifests"]["steps"] if "run" in step]
    upload = GITHUB["jobs"]["manifests"]["steps"][-1]

    shell = RUNNERS["github"]
    assert run(render, "", shell).returncode != 0
    assert run(render, GAP, shell).returncode == 0
    assert run(summary, GAP, shell).returncode == 0
    assert run(check, GAP, shell).returncode == 1
    assert "webhook-fail-closed-wide" in (tmp_path / "summary.md").read_text()
    assert json.loads((tmp_path / upload["with"]["sarif_file"]).read_text())["version"] == "2.1.0"
    assert run(f"{render}; {summary}; {check}", HEALTHY).returncode == 0


def test_the_pipeline_of_gitlab_hands_on_what_was_rendered(run: Run, tmp_path: Path) -> None:
    (render,), (check,) = GITLAB["render"]["script"], GITLAB["kubegap"]["script"]

    shell = RUNNERS["gitlab"]
    assert run(render, "", shell).returncode != 0
    assert run(render, GAP, shell).returncode == 0
    assert run(check, GAP, shell).returncode == 1
    assert GITLAB["render"]["artifacts"]["paths"] == ["rendered.yaml"]
    assert ET.parse(tmp_path / GITLAB["kubegap"]["artifacts"]["reports"]["junit"]).findall(".//failure")
    assert [GITLAB[job]["stage"] for job in ("render", "kubegap")] == GITLAB["stages"]


def test_the_hook_reads_the_whole_folder(run: Run, tmp_path: Path) -> None:
    (hook,) = HOOKS["repos"][0]["hooks"]
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "a.yaml").write_text(GAP)

    assert run(hook["entry"], "").returncode == 1
    assert re.match(hook["files"], "manifests/shop/a.yml")
    assert not re.match(hook["files"], "docs/a.yaml")


@pytest.fixture
def repository(run: Run, tmp_path: Path) -> Path:
    """A clone with the hook installed as its file says."""
    (block,) = [block for block in blocks(PAGES[0], "yaml") if "hooks:" in block]
    (tmp_path / ".pre-commit-config.yaml").write_text(block)
    (tmp_path / "manifests").mkdir()
    assert run("git init --quiet && git config user.name a && git config user.email a@example.com", "").returncode == 0
    return tmp_path


@pytest.mark.parametrize(("manifest", "code"), [(HEALTHY, 0), (GAP, 1)])
def test_the_real_pre_commit_lets_a_commit_pass_or_not(run: Run, repository: Path, manifest: str, code: int) -> None:
    (repository / "manifests" / "shop.yaml").write_text(manifest)
    (repository / "manifests" / "notes.txt").write_text("nothing for the hook")
    pre_commit = f"export PRE_COMMIT_HOME={repository}/.git/pre-commit; {sys.executable} -m pre_commit"
    answer = run(f"git add manifests && {pre_commit} install --install-hooks && git commit --message one", "")

    assert answer.returncode == code, answer.stdout + answer.stderr
    assert ("webhook-fail-closed-wide" in answer.stderr) is (code == 1)
    assert f"kubegap{'.' * 66}" in answer.stderr


@pytest.mark.parametrize(
    ("address", "index"),
    [(GITHUB_WORKFLOW, 0), (GITLAB_CI, 1), (PRE_COMMIT, 2)],
    ids=["github", "gitlab", "pre-commit"],
)
def test_the_files_are_what_their_readers_take(address: str, index: int) -> None:
    # Values as those readers see them; only the key `on` needs help.
    document = yaml.safe_load(blocks(PAGES[0], "yaml")[index])
    named = {"on" if key is True else key: value for key, value in document.items()}

    assert faults(address, named) == []
    assert faults(address, {**named, "repos": "none", "jobs": "none", "kubegap": "none"}) != []


def test_every_option_of_the_recipes_is_one_of_kubegap(run: Run) -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    used = set(re.findall(r"kubegap check[^|>`\n]*", text))
    known = run("kubegap check --help", "").stdout

    options = {option for line in used for option in re.findall(r" (--?[a-z-]+)", line)}
    assert {option for option in options if option not in known} == set()
