"""One plugin folder for two clients: one version, the same server, and nothing that either would refuse."""

from __future__ import annotations

import json
import re
import struct
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.plugin import ROOT, TOOLS

PLUGIN = ROOT / "plugins" / "kubegap"
SKILLS = sorted(path.parent.name for path in PLUGIN.glob("skills/*/SKILL.md"))
PORTABLE = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


def loaded(name: str) -> dict:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


CLAUDE = loaded("plugins/kubegap/.claude-plugin/plugin.json")
CODEX = loaded("plugins/kubegap/.codex-plugin/plugin.json")


def front_matter(path: Path) -> tuple[dict, str]:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def test_one_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    launcher = re.search(r'^VERSION = "(.+)"$', (PLUGIN / "mcp/launch.py").read_text(encoding="utf-8"), re.MULTILINE)
    skills = {front_matter(PLUGIN / "skills" / name / "SKILL.md")[0]["metadata"]["version"] for name in SKILLS}

    assert launcher
    assert {project, CLAUDE["version"], CODEX["version"], launcher[1], *skills} == {project}


def test_both_marketplaces_lead_to_the_folder() -> None:
    (claude,) = loaded(".claude-plugin/marketplace.json")["plugins"]
    (codex,) = loaded(".agents/plugins/marketplace.json")["plugins"]

    assert claude["source"] == codex["source"]["path"] == "./plugins/kubegap"
    assert {claude["name"], codex["name"], CLAUDE["name"], CODEX["name"]} == {"kubegap"}


def test_both_start_the_same_launcher() -> None:
    claude, codex = CLAUDE["mcpServers"]["kubegap"], CODEX["mcpServers"]["kubegap"]

    assert claude["command"] == codex["command"] == "python3"
    assert claude["args"] == ["${CLAUDE_PLUGIN_ROOT}/mcp/launch.py"]
    assert codex["args"] == ["./mcp/launch.py"]
    assert codex["cwd"] == "."
    # Codex passes on nothing that is not named; what holds a credential itself is not.
    assert "KUBECONFIG" in codex["env_vars"]
    assert not [name for name in codex["env_vars"] if re.search("TOKEN|SECRET|PASSWORD|ACCESS_KEY", name)]


def test_the_folder_holds_nothing_that_a_client_would_refuse_or_misread() -> None:
    top = {path.name for path in PLUGIN.iterdir()}

    # A root plugin.json would take the environment away in Codex, and the rest are refused in directories.
    assert not top & {"plugin.json", ".mcp.json", "mcp.json", "bin", "hooks", "CLAUDE.md", "AGENTS.md"}
    assert not [path for path in PLUGIN.rglob("*") if path.is_symlink()]
    assert (PLUGIN / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_icon_is_a_square_png_of_the_size_that_directories_want() -> None:
    data = (PLUGIN / CLAUDE["icon"]).read_bytes()
    width, height = struct.unpack(">II", data[16:24])

    assert data.startswith(b"\x89PNG")
    assert width == height
    assert 512 <= width <= 2048
    assert len(data) < 2_000_000


def test_prompts_for_codex_are_short_enough_to_be_kept_and_in_both_languages() -> None:
    prompts = CODEX["interface"]["defaultPrompt"]

    assert len(prompts) <= 3
    assert all(len(prompt) <= 128 for prompt in prompts)
    assert any(re.search("[가-힣]", prompt) for prompt in prompts)


def test_there_are_three_skills() -> None:
    assert SKILLS == ["check-cluster-gaps", "compare-scans", "explain-incident"]


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_is_portable_and_found_in_both_languages(name: str) -> None:
    head, body = front_matter(PLUGIN / "skills" / name / "SKILL.md")
    folder = PLUGIN / "skills" / name

    assert set(head) <= PORTABLE
    assert head["name"] == name
    assert len(head["description"]) <= 1024
    assert re.search("[가-힣]", head["description"])
    assert body.count("\n") < 120
    # References stand one level deep, and each is named where it is wanted.
    references = {path.relative_to(folder).as_posix() for path in folder.glob("references/**/*.md")}
    assert references == set(re.findall(r"`(references/[^`/]+\.md)`", body))
    assert yaml.safe_load((folder / "agents/openai.yaml").read_text(encoding="utf-8"))["interface"]["display_name"]


@pytest.mark.parametrize("path", [*PLUGIN.glob("skills/*/SKILL.md"), *PLUGIN.glob("agents/*.md")], ids=lambda p: p.name)
def test_texts_name_tools_that_there_are_and_keep_the_rules(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:get|scan|list|search|find|compare)_\w+)`", text))

    named -= {"scan_id"}

    assert named
    assert named <= {*TOOLS, "get_setup_help"}
    assert "data" in text
    assert "not seen" in text.lower()
    assert re.search("[Nn]ever .*(chang|run)", text)


def test_the_readmes_say_the_same_in_both_languages() -> None:
    texts = [(PLUGIN / name).read_text(encoding="utf-8") for name in ("README.md", "README.ko.md")]
    commands = [re.findall(r"^(?:claude|codex) .+?(?=\s+#|$)", text, re.MULTILINE) for text in texts]

    assert commands[0] == commands[1]
    assert len({text.count("\n## ") for text in texts}) == 1
