"""docs/agents in both languages: the same commands and configurations, in formats that their clients read."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from kubegap.checks.pages import read_pages
from tests.plugin import ROOT

GUIDES = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("agents.md", "agents.ko.md")}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_both_languages_give_the_same_blocks() -> None:
    told = [re.findall(r"^```\w+\n.*?^```", text, re.MULTILINE | re.DOTALL) for text in GUIDES.values()]

    assert told[0] == told[1]
    assert len({text.count("\n## ") for text in GUIDES.values()}) == 1


@pytest.mark.parametrize("name", GUIDES)
def test_links_lead_to_files(name: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", GUIDES[name])

    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_configurations_start_the_same_server() -> None:
    found = [json.loads(block) for block in blocks(GUIDES["agents.md"], "json")]
    servers = [next(iter(one.values()))["kubegap"] for one in found if "permissions" not in one]
    (codex,) = [tomllib.loads(block)["mcp_servers"]["kubegap"] for block in blocks(GUIDES["agents.md"], "toml")]

    # VS Code names its list otherwise than Cursor and Gemini CLI.
    assert [next(iter(one)) for one in found] == ["permissions", "servers", "mcpServers", "mcpServers"]
    assert {(one["command"], *one["args"]) for one in [*servers, codex]} == {("kubegap", "mcp")}
    assert all("KUBECONFIG" in one["env"] for one in servers)
    assert "KUBECONFIG" in codex["env_vars"]


def test_make_targets_that_are_named_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {target for text in GUIDES.values() for target in re.findall(r"make ([\w-]+)", text)}

    assert named == {"transcript", "test-agents"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


def test_no_guide_calls_commands_harmless_that_change_something() -> None:
    """Some checks are verified by a drain or a deletion, which an agent may only show."""
    changing = re.compile(r"kubectl (?:-n \S+ )?(?:drain|delete|rollout restart|scale|exec|label)")
    text = " ".join(
        (ROOT / "plugins" / "kubegap" / "skills" / "check-cluster-gaps" / "SKILL.md")
        .read_text(encoding="utf-8")
        .split()
    )

    assert [page.id for page in read_pages().values() if changing.search(page.verify.en)]
    assert "from `verify` only read" not in text
    assert (
        "some of its commands drain, delete, restart, scale, exec or take a label away. Give those as text only" in text
    )
