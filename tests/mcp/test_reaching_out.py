"""No tool opens a connection but to the API server, and none runs a program that no kubeconfig names."""

import sys
from contextlib import contextmanager

import pytest

from tests.mcp.test_contract import CALLS, NAMES, filled, kubeconfig, scanned

__all__ = ["kubeconfig", "scanned"]
pytestmark = pytest.mark.anyio

# No hook can be taken away again: there is one, which writes into a list while somebody looks.
_watching = []
_TOLD = {"socket.connect", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen", "os.system", "os.exec", "os.fork"}
_TOLD |= {"os.posix_spawn", "os.spawn", "pty.spawn"}


def _hook(event, arguments):
    if _watching and event in _TOLD:
        _watching[-1].append((event, arguments[1] if event == "socket.connect" else arguments))


sys.addaudithook(_hook)


@contextmanager
def reaching_out():
    """What is asked of the network and of other programs meanwhile."""
    _watching.append([])
    try:
        yield _watching[-1]
    finally:
        _watching.pop()


async def test_no_tool_opens_a_connection_but_to_the_api_server_or_runs_a_program(connected, scanned):
    desk, _ = scanned
    async with connected(desk) as client:
        with reaching_out() as seen:
            for name in NAMES:
                await client.call_tool(name, filled(CALLS[name], desk))
            await client.call_tool("scan_cluster", {"max_age_seconds": 0})

    assert {what for what, _ in seen} <= {"socket.connect", "socket.getaddrinfo"}
    assert {(address[0], address[1]) for _, address in seen} == {("127.0.0.1", 1)}
