"""The plugin in the real Codex, whose app-server calls every tool against a real control plane."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agents.app_server import AppServer, Refused, app_server
from tests.agents.clients import Home, put_older_kubegap
from tests.agents.conversation import CASE, GAP, talk
from tests.control_plane.plane import Plane
from tests.control_plane.world import GAPS
from tests.plugin import TOOLS

SKILLS = {"kubegap:check-cluster-gaps", "kubegap:compare-scans", "kubegap:explain-incident"}
_LIMITS = dict.fromkeys(TOOLS, 8 * 1024) | dict.fromkeys(("get_gap", "get_incident"), 12 * 1024)


def structured(result: dict) -> dict:
    """The structured content of a result; the text says the same, for clients that show their model only that."""
    assert not result.get("isError"), result
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"]


@pytest.fixture(scope="module")
def said(session: AppServer) -> tuple[list[tuple[str, dict]], dict[str, str]]:
    """The whole conversation: answers in order, and texts of resources by address."""
    answers: list[tuple[str, dict]] = []
    texts: dict[str, str] = {}

    def call(tool: str, arguments: dict) -> dict:
        answers.append((tool, structured(session.call(tool, arguments))))
        return answers[-1][1]

    def read(uri: str) -> str:
        texts[uri] = session.read(uri)
        return texts[uri]

    talk(call, read)
    return answers, texts


def test_the_server_is_started_in_the_plugin_with_the_kubeconfig_passed_on(codex: Home) -> None:
    listed = json.loads(codex.run("codex", "mcp", "list", "--json").stdout)
    (transport,) = [server["transport"] for server in listed if server["name"] == "kubegap"]

    assert "plugins/cache/kubegap/kubegap/" in transport["cwd"]
    assert "KUBECONFIG" in transport["env_vars"]


def test_the_configuration_is_accepted_strictly(codex: Home) -> None:
    codex.run("codex", "app-server", "--strict-config", "--print-startup-config")


def test_the_skills_are_offered(session: AppServer, codex: Home) -> None:
    assert set(session.skills(str(codex.folder / "work"))) >= SKILLS


def test_the_tools_are_those_that_the_skills_name(session: AppServer) -> None:
    status = session.status()

    assert set(status["tools"]) == TOOLS
    assert all(tool["annotations"]["readOnlyHint"] for tool in status["tools"].values())
    assert {template["uriTemplate"].partition(":")[0] for template in status["resourceTemplates"]} == {
        "incident",
        "check",
        "scan",
    }


def test_every_tool_answers_within_its_budget(said: tuple[list[tuple[str, dict]], dict[str, str]]) -> None:
    answers, _ = said

    assert {tool for tool, _ in answers} == TOOLS
    for tool, answer in answers:
        size = len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())
        assert size <= _LIMITS[tool], (tool, size)


def test_the_answers_are_about_this_cluster_and_find_what_is_planted(
    said: tuple[list[tuple[str, dict]], dict[str, str]], session: AppServer, plane: Plane
) -> None:
    answers, _ = said
    status, scan, *_ = [answer for _, answer in answers]
    whole = {"scan_id": scan["scan_id"], "limit": 50}
    listed = structured(session.call("list_gaps", whole))
    gaps = [gap["gap_id"] for gap in listed["items"]]
    while listed["next_cursor"]:
        listed = structured(session.call("list_gaps", {**whole, "cursor": listed["next_cursor"]}))
        gaps += [gap["gap_id"] for gap in listed["items"]]

    for answer in (status, scan):
        assert '"test"' in json.dumps(answer)
        assert f"127.0.0.1:{plane.port}" in json.dumps(answer)
    assert set(gaps) >= {check for check, _ in GAPS}
    assert len(gaps) == len(set(gaps)) == listed["total"]


def test_a_gap_has_evidence_and_cites_incidents(said: tuple[list[tuple[str, dict]], dict[str, str]]) -> None:
    (gap,) = [answer for tool, answer in said[0] if tool == "get_gap"]

    assert gap["gap_id"] == GAP
    assert gap["incidents"]
    assert "failurePolicy" in json.dumps(gap["items"])


def test_pages_follow_each_other(said: tuple[list[tuple[str, dict]], dict[str, str]]) -> None:
    pages = [[gap["gap_id"] for gap in answer["items"]] for tool, answer in said[0] if tool == "list_gaps"]

    assert [len(page) for page in pages[:2]] == [5, 5]
    assert not set(pages[0]) & set(pages[1])


def test_resources_say_what_they_are_about(said: tuple[list[tuple[str, dict]], dict[str, str]]) -> None:
    texts = said[1]

    assert CASE in {entry["id"] for entry in json.loads(texts["incident://index"])}
    assert CASE in texts[f"incident://{CASE}"]
    assert GAP in texts[f"check://{GAP}"]
    assert GAP in next(text for uri, text in texts.items() if uri.startswith("scan://"))


def test_mistakes_come_back_with_the_remedy(session: AppServer) -> None:
    for tool, arguments, remedy in (
        ("get_gap", {"gap_id": "no-such-check"}, "no-such-check"),
        ("get_incident", {"incident_id": "2021-08-bigscience-ecc-gpu-node"}, CASE),
        ("scan_cluster", {"context": "elsewhere"}, "test"),
    ):
        result = session.call(tool, arguments)
        assert result["isError"], tool
        assert remedy in result["content"][0]["text"], tool
    with pytest.raises(Refused):
        session.read("incident://no-such-case")


def test_the_cluster_was_only_read(said: tuple[list[tuple[str, dict]], dict[str, str]], plane: Plane) -> None:
    assert said
    asked = plane.audited("reader")

    assert asked
    assert {event["verb"] for event in asked} <= {"get", "list"}
    assert not [event for event in asked if "/secrets" in event["requestURI"]]


@pytest.mark.parametrize("is_older", [True, False], ids=["older", "absent"])
def test_without_kubegap_the_client_gets_help_and_nothing_else(tmp_path: Path, is_older: bool) -> None:
    home = Home(tmp_path, [put_older_kubegap(tmp_path / "bin")] if is_older else [])
    home.add_to_codex()
    with app_server(home) as started:
        assert set(started.status()["tools"]) == {"get_setup_help"}
        guide = structured(started.call("get_setup_help", {}))

    assert ("0.0.9" if is_older else "PATH") in guide["en"]["problem"]
    assert "pipx install" in guide["ko"]["steps"][0]


def test_the_plugin_goes_as_it_came(tmp_path: Path) -> None:
    home = Home(tmp_path, [])
    home.add_to_codex()
    home.run("codex", "plugin", "remove", "kubegap@kubegap")
    home.run("codex", "plugin", "marketplace", "remove", "kubegap")

    assert "kubegap" not in home.run("codex", "mcp", "list").stdout
