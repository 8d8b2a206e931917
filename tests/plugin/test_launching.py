"""The launcher with kubegap present, absent, older, broken and without its server: it always ends in a server that answers."""

from __future__ import annotations

import importlib
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).parents[2] / "plugins" / "kubegap" / "mcp" / "launch.py"
HELP = "Usage: kubegap mcp [OPTIONS]\n  --kubeconfig FILE"
LACKING = "`mcp` needs further packages: `pip install 'kubegap[mcp]'`."
# A kubegap that tells what it was started with instead of serving.
PROGRAM = """#!{python}
import json, os, sys
if sys.argv[1:] == ["--version"]:
    print({version!r})
elif sys.argv[1:] == ["mcp", "--help"]:
    print({help!r})
else:
    kept = {{name: value for name, value in os.environ.items() if name.startswith("KUBE")}}
    print(json.dumps({{"arguments": sys.argv[1:], "environment": kept, "asked": sys.stdin.readline()}}))
"""


def program(folder: Path, name: str = "kubegap", version: str = "kubegap 0.1.0", helps: str = HELP) -> Path:
    path = folder / name
    folder.mkdir(exist_ok=True)
    path.write_text(PROGRAM.format(python=sys.executable, version=version, help=helps), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def launch(*requests: dict, path: Path | str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    # No kubegap of this machine may answer in place of the one under test.
    own = {"PATH": str(path), "LC_ALL": "C.UTF-8", **environment}
    command = [sys.executable, str(LAUNCHER)]
    return subprocess.run(command, input=lines, env=own, capture_output=True, text=True, timeout=60, check=False)


def replies(run: subprocess.CompletedProcess[str]) -> list[dict]:
    return [json.loads(line) for line in run.stdout.splitlines()]


def request(method: str, params: dict | None = None, identity: int | str = 1) -> dict:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params or {}}


CALL = request("tools/call", {"name": "get_setup_help", "arguments": {}})


def told(run: subprocess.CompletedProcess[str]) -> dict:
    """What the tool says; both channels say it."""
    result = replies(run)[0]["result"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"]


def test_kubegap_on_the_path_takes_over_with_channels_and_environment(tmp_path: Path) -> None:
    program(tmp_path / "bin")
    run = launch(CALL, path=tmp_path / "bin", KUBECONFIG="/k", KUBEGAP_CONTEXT="", KUBEGAP_KUBECONFIG="/other")
    said = json.loads(run.stdout)

    assert said["arguments"] == ["mcp"]
    assert json.loads(said["asked"]) == CALL
    # What the user left empty is not set at all.
    assert said["environment"] == {"KUBECONFIG": "/k", "KUBEGAP_KUBECONFIG": "/other"}
    assert run.stderr == ""


def test_the_named_program_goes_before_the_path(tmp_path: Path) -> None:
    program(tmp_path / "bin", version="kubegap 0.0.1")
    named = program(tmp_path / "own", name="kubegap-here")
    run = launch(CALL, path=tmp_path / "bin", KUBEGAP_BIN=str(named))

    assert json.loads(run.stdout)["arguments"] == ["mcp"]


def test_newer_versions_are_started(tmp_path: Path) -> None:
    for version in ("kubegap 0.1", "kubegap 0.1.1", "kubegap 0.10.0", "kubegap 1.0.0rc1"):
        program(tmp_path / "bin", version=version)
        assert "arguments" in json.loads(launch(CALL, path=tmp_path / "bin").stdout), version


@pytest.mark.parametrize(
    ("version", "helps", "says"),
    [
        ("kubegap 0.0.9", HELP, ["kubegap 0.0.9", "0.1.0"]),
        ("kubegap 0.1.0", LACKING, ["pip install 'kubegap[mcp]'"]),
        ("kubegap 0.1.0", "Error: No such command 'mcp'.", ["No such command 'mcp'"]),
        ("Segmentation fault", HELP, ["Segmentation fault"]),
        ("", HELP, ["-"]),
    ],
    ids=["older", "no-extra", "no-command", "broken", "silent"],
)
def test_what_is_wrong_is_said_in_both_languages(tmp_path: Path, version: str, helps: str, says: list[str]) -> None:
    path = program(tmp_path / "bin", version=version, helps=helps)
    run = launch(CALL, path=tmp_path / "bin")
    guide = told(run)

    for lang in ("en", "ko"):
        assert all(part in guide[lang]["problem"] for part in [*says, str(path)])
        assert any("pipx install" in step for step in guide[lang]["steps"])
    assert guide["en"]["problem"] != guide["ko"]["problem"]
    # The log of the client says it too.
    assert guide["en"]["problem"] in run.stderr


def test_an_absent_kubegap_is_told_without_reaching_for_the_network(tmp_path: Path) -> None:
    program(tmp_path / "bin", name="uvx")
    guide = told(launch(CALL, path=tmp_path / "bin"))

    assert "PATH" in guide["en"]["problem"]
    assert "no incident was looked up" in guide["en"]["not_done"]


def test_a_named_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    guide = told(launch(CALL, path=program(tmp_path / "bin").parent, KUBEGAP_BIN="/nowhere/kubegap"))

    assert "/nowhere/kubegap" in guide["en"]["problem"]
    assert "/nowhere/kubegap" in guide["ko"]["problem"]


def test_a_path_that_is_no_utf_8_is_told_all_the_same(tmp_path: Path) -> None:
    run = launch(CALL, path=program(tmp_path / "bin").parent, KUBEGAP_BIN=os.fsdecode(b"/nowhere/\xff"))

    assert "/nowhere/?" in told(run)["en"]["problem"]


def test_what_a_broken_program_prints_cannot_steer_a_terminal(tmp_path: Path) -> None:
    program(tmp_path / "bin", version="\x1b[2Jbroken\u202e\x07")
    run = launch(CALL, path=tmp_path / "bin")

    assert "[2Jbroken" in told(run)["en"]["problem"]
    assert not set("\x1b\u202e\x07") & set(told(run)["en"]["problem"] + run.stderr)


def test_a_program_that_hangs_is_told_before_a_client_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(LAUNCHER.parent)
    launcher = importlib.import_module("launch")
    monkeypatch.setattr(launcher, "SECONDS", 0.2)
    path = tmp_path / "kubegap"
    path.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n", encoding="utf-8")
    path.chmod(0o755)
    trouble = launcher.what_is_wrong(str(path))

    assert trouble["kind"] == "broken"
    assert "no answer within 0.2 s" in trouble["said"]


def test_both_questions_together_end_before_the_shortest_start_time_of_a_client() -> None:
    seconds = re.search(r"^SECONDS = (\d+)$", LAUNCHER.read_text(encoding="utf-8"), re.MULTILINE)

    assert seconds
    assert 2 * int(seconds[1]) < 30


def test_uvx_fetches_this_very_version_and_only_when_asked_to(tmp_path: Path) -> None:
    program(tmp_path / "bin", name="uvx")
    run = launch(CALL, path=tmp_path / "bin", KUBEGAP_USE_UVX="1")

    assert json.loads(run.stdout)["arguments"] == ["--from", "kubegap[mcp]==0.1.0", "kubegap", "mcp"]
    assert "uvx" in told(launch(CALL, path=tmp_path / "none", KUBEGAP_USE_UVX="1"))["en"]["problem"]


@pytest.mark.parametrize("asked", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_the_help_shakes_hands_with_older_clients(asked: str) -> None:
    run = launch(request("initialize", {"protocolVersion": asked}), {"jsonrpc": "2.0", "method": "initialized"}, CALL)
    greeting, called = replies(run)

    assert greeting["result"]["protocolVersion"] == asked
    assert "kubegap is not running" in greeting["result"]["instructions"]
    assert "설치" in called["result"]["content"][0]["text"]


def test_the_help_is_discovered_by_newer_clients() -> None:
    discovered, listed = replies(launch(request("server/discover"), request("tools/list", identity="two")))

    assert discovered["result"]["supportedVersions"][0] == "2026-07-28"
    assert discovered["result"]["resultType"] == listed["result"]["resultType"] == "complete"
    assert listed["id"] == "two"
    (tool,) = listed["result"]["tools"]
    assert tool["name"] == "get_setup_help"
    assert tool["annotations"]["readOnlyHint"]


def test_the_help_survives_what_is_no_request() -> None:
    run = launch(path="")
    lines = (
        b'nonsense\n\n[]\n{"id": 1}\n{"jsonrpc":"2.0","id":2,"result":{}}\n\xff\xfe\n'
        + json.dumps(request("no/such", identity=3)).encode()
    )
    command = [sys.executable, str(LAUNCHER)]
    again = subprocess.run(command, input=lines, env={"PATH": ""}, capture_output=True, timeout=60, check=False)
    codes = [json.loads(line)["error"]["code"] for line in again.stdout.splitlines()]

    assert run.returncode == again.returncode == 0
    assert codes == [-32700, -32600, -32600, -32700, -32601]


def test_another_tool_is_refused_with_the_reason() -> None:
    (reply,) = replies(launch(request("tools/call", {"name": "scan_cluster"})))

    assert reply["error"]["code"] == -32602
    assert "get_setup_help" in reply["error"]["message"]


def test_nothing_but_the_standard_library_is_imported() -> None:
    script = f"import sys; sys.path.insert(0, {str(LAUNCHER.parent)!r}); import launch; print(*sys.modules)"
    # `-S -I` leaves site-packages out.
    command = [sys.executable, "-S", "-I", "-B", "-c", script]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ}, check=True)

    assert {"launch", "setup_help"} <= set(run.stdout.split())
