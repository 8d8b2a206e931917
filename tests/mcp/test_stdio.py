"""The server as a process: nothing but messages on stdout, whatever comes in, and an end when the client goes away."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import anyio
import pytest

from mcp import Client, StdioServerParameters

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number, name, **arguments):
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.fixture
def environment(tmp_path):
    hidden = {"KUBECONFIG", "KUBEGAP_KUBECONFIG", "KUBEGAP_CONTEXT", "KUBERNETES_SERVICE_HOST"}
    own = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "LC_ALL": "C.UTF-8"}
    return {**{key: value for key, value in os.environ.items() if key not in hidden}, **own}


@pytest.fixture
def started(environment):
    processes = []

    def start(*arguments):
        command = [sys.executable, "-m", "kubegap", "mcp", *arguments]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                stream.close()


def send(process, *messages):
    for message in messages:
        process.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
    process.stdin.flush()


def answers(process, count):
    """So many answers by their ids; every line has to be a message."""
    found = {}
    while len(found) < count:
        message = json.loads(process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        if "id" in message:
            found[message["id"]] = message
    return found


@pytest.mark.parametrize(
    "frame",
    [
        "no json",
        "{",
        "[]",
        "[" * 100_000,
        '{"jsonrpc": "1.0", "id": 7}',
        '{"jsonrpc": "2.0", "id": 7, "method": 3}',
        '{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": "x"}',
        '{"jsonrpc": "2.0", "id": 7, "method": "nothing/like-this"}',
        "\x00\x01\ufffd",
        "x" * 1_000_000,
    ],
    ids=lambda frame: frame[:20],
)
def test_a_frame_that_is_none_leaves_the_server_serving(started, frame):
    process = started()
    send(process, INITIALIZE, INITIALIZED, frame, call(2, "list_checks", limit=1))

    while 2 not in (found := answers(process, 1)):
        assert found.keys() <= {1, 7, None}
    assert found[2]["result"]["structuredContent"]["total"] > 20


def test_a_hundred_calls_at_once_are_all_answered(started):
    process = started()
    send(process, INITIALIZE, INITIALIZED)
    answers(process, 1)
    send(process, *(call(number, "search_incidents", query=f"GPU {number % 7}") for number in range(2, 102)))
    found = answers(process, 100)

    assert found.keys() == set(range(2, 102))
    assert not [one for one in found.values() if one["result"]["isError"]]


@pytest.mark.parametrize("way", ["closed", "terminated"])
def test_the_process_ends_when_the_client_goes_away(started, tmp_path, way):
    kubeconfig = tmp_path / "kubeconfig"
    # Nobody answers there: the scan is under way when the client goes.
    kubeconfig.write_text(
        "current-context: far\n"
        "clusters: [{name: c, cluster: {server: 'https://192.0.2.1:6443'}}]\n"
        "contexts: [{name: far, context: {cluster: c}}]\n"
    )
    process = started("--kubeconfig", str(kubeconfig))
    send(process, INITIALIZE, INITIALIZED, call(2, "scan_cluster"))
    answers(process, 1)
    time.sleep(0.5)
    if way == "closed":
        process.stdin.close()
    else:
        process.send_signal(signal.SIGTERM)

    assert process.wait(timeout=20) in {0, -signal.SIGTERM}
    assert list(tmp_path.rglob("*.gz")) == list(tmp_path.rglob("cache/**/.*")) == []


def test_nothing_is_said_beside_the_messages(started):
    process = started()
    send(process, INITIALIZE, INITIALIZED, call(2, "get_cluster_status"), call(3, "list_gaps"))
    answers(process, 3)
    process.stdin.close()

    assert process.stdout.read() == ""
    assert process.wait(timeout=20) == 0


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_both_eras_are_served(environment, mode):
    server = StdioServerParameters(command=sys.executable, args=["-m", "kubegap", "mcp"], env=environment)
    with anyio.fail_after(60):
        async with Client(server, mode=mode) as client:
            tools = (await client.list_tools()).tools
            answer = await client.call_tool("search_incidents", {"query": "GPU 인식 불가", "lang": "ko"})

    assert len(tools) == 9
    assert answer.structured_content["total"] > 0


def test_what_is_missing_is_told_in_one_line(environment, tmp_path):
    command = [sys.executable, "-m", "kubegap", "mcp", "--library", str(tmp_path / "nowhere")]
    answer = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )

    assert answer.returncode == 2
    assert answer.stderr.count("\n") == 1
    assert answer.stdout == ""
