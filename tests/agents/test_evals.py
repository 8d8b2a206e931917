"""The questions of `evals/` without a model: the facts of a right answer are reached in three calls and 10 KB."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import yaml

from tests.agents.app_server import AppServer
from tests.agents.clients import Home
from tests.plugin import ROOT, TOOLS

EVALS = ROOT / "plugins" / "kubegap" / "evals"
CASES = sorted(path.parent.name for path in EVALS.glob("*/prompt.md"))
MOST_CALLS, MOST_BYTES = 3, 10 * 1024


def matter(name: str) -> list[dict]:
    return [yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1]) for path in EVALS.glob(name)]


def walked(session: AppServer, walk: list[dict]) -> Iterator[dict]:
    """The results of the calls; what follows a scan asks about that scan, as the skills say."""
    scan = {}
    for step in walk:
        of_scan = scan if step["tool"] in {"list_gaps", "get_gap"} else {}
        result = session.call(step["tool"], {**step["arguments"], **of_scan})
        if step["tool"] == "scan_cluster":
            scan = {"scan_id": result["structuredContent"]["scan_id"]}
        yield result


@pytest.mark.parametrize("name", CASES)
def test_the_facts_are_within_reach(session: AppServer, name: str) -> None:
    walk = yaml.safe_load((EVALS / name / "walk.yaml").read_text(encoding="utf-8"))
    results = list(walked(session, walk))
    text = "\n".join(part["text"] for result in results for part in result["content"])
    lacking = [
        grader["pattern"]
        for grader in matter(f"{name}/graders/must-*.md")
        if not re.search(grader["pattern"], text, re.IGNORECASE)
    ]

    assert lacking == []
    assert len(walk) <= MOST_CALLS
    assert len(text.encode()) <= MOST_BYTES, len(text.encode())


def test_there_are_ten_and_five_of_them_korean() -> None:
    korean = [name for name in CASES if re.search("[가-힣]", (EVALS / name / "prompt.md").read_text(encoding="utf-8"))]

    assert len(CASES) == 10
    assert len(korean) == 5


@pytest.mark.parametrize("name", CASES)
def test_each_says_what_must_and_what_must_not_be_there(name: str) -> None:
    must, never = matter(f"{name}/graders/must-*.md"), matter(f"{name}/graders/never-*.md")
    used = matter(f"{name}/graders/uses-*.md")

    assert {grader["match"] for grader in must} == {"contains"}
    assert {grader["match"] for grader in never} == {"not_contains"}
    assert [grader["type"] for grader in matter(f"{name}/graders/criteria.md")] == ["llm"]
    assert {grader["tool"].rpartition("__")[2] for grader in used} <= TOOLS
    for grader in must + never:
        re.compile(grader["pattern"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("evals"), [])


@pytest.mark.parametrize("name", CASES)
def test_the_real_client_reads_the_case_and_all_its_graders(home: Home, name: str) -> None:
    out = str(home.folder / name)
    quiet = ["--trust-plugin", "--no-publish", "--ablation", "none", "--runs", "1", "--output-dir", out]
    asked = ["claude", "plugin", "eval", str(EVALS.parent), "--case", name, *quiet]
    # Without a login no model is asked; what was read is judged against an empty answer.
    run = home.run(*asked, is_failure=True)
    said = run.stdout + run.stderr

    assert "Not logged in" in said, said
    graders = {path.stem for path in (EVALS / name / "graders").glob("*.md")}
    assert graders <= set(re.findall(r"[✓✗] (\S+) \(weight", said)), said
