"""The plugin in the real Claude Code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.agents.clients import CALLS, Home, put_kubegap, put_older_kubegap
from tests.plugin import ROOT

PLUGIN = ROOT / "plugins" / "kubegap"
MOST_TOKENS = 300
PLACES = {"present": put_kubegap, "older": put_older_kubegap, "absent": lambda folder: folder}


@pytest.fixture(scope="module", params=PLACES)
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, library_dir: Path) -> Home:
    """A home with the plugin, and with kubegap or not."""
    folder = tmp_path_factory.mktemp(request.param)
    found = Home(folder, [PLACES[request.param](folder / "bin")], {"KUBEGAP_LIBRARY": str(library_dir)})
    found.add_to_claude()
    return found


def is_present(home: Home) -> bool:
    return home.folder.name.startswith("present")


@pytest.mark.parametrize("era", ["", "legacy"], ids=["2026-07-28", "legacy"])
def test_the_server_connects_in_both_eras_whatever_is_installed(home: Home, era: str) -> None:
    own = {"MCP_PROTOCOL_NEGOTIATION": era} if era else {}
    said = home.run("claude", "mcp", "list", **own).stdout

    assert re.search(r"plugin:kubegap:kubegap:.*Connected", said), said
    # Where it is there, it is kubegap itself that answered, not the help.
    calls = home.folder / "bin" / CALLS
    assert ("mcp" in calls.read_text(encoding="utf-8").splitlines()) if is_present(home) else not calls.exists()


def test_what_is_always_on_costs_little(home: Home) -> None:
    said = home.run("claude", "plugin", "details", "kubegap").stdout

    assert int(re.search(r"Always-on:\s+~(\d+) tok", said)[1]) <= MOST_TOKENS
    assert "Skills (3)  check-cluster-gaps, compare-scans, explain-incident" in said
    assert "Agents (1)  gap-reviewer" in said
    assert "Hooks (0)" in said
    assert "MCP servers (1)  kubegap" in said


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("bare"), [])


def test_the_marketplace_and_the_plugin_are_valid(bare: Home) -> None:
    for arguments in ([str(ROOT)], ["--profile", "directory", str(PLUGIN)]):
        assert "Validation passed" in bare.run("claude", "plugin", "validate", "--strict", *arguments).stdout


@pytest.mark.parametrize("skill", sorted(path.parent.name for path in PLUGIN.glob("skills/*/SKILL.md")))
def test_the_skills_are_portable(bare: Home, skill: str) -> None:
    bare.run("skills-ref", "validate", str(PLUGIN / "skills" / skill))


def test_the_plugin_goes_as_it_came(bare: Home) -> None:
    bare.add_to_claude()
    bare.run("claude", "plugin", "uninstall", "kubegap@kubegap")
    bare.run("claude", "plugin", "marketplace", "remove", "kubegap")

    assert "kubegap" not in bare.run("claude", "plugin", "list").stdout
