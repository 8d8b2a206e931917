"""The real `codex app-server`, driven line by line: it starts the plugin's server, calls its tools and reads its resources."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.agents.clients import Home

SERVER = "kubegap"
SECONDS = 180


class Refused(Exception):
    """What the app-server answers as an error."""


class AppServer:
    """One session with one thread; nothing of it reaches a model."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self._count = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.thread = ""

    def start(self, cwd: str) -> None:
        """Shake hands and open a thread."""
        about = {"name": "kubegap-tests", "title": "kubegap tests", "version": "0"}
        self.ask("initialize", {"clientInfo": about, "capabilities": {"experimentalApi": True}})
        self._send({"method": "initialized"})
        place = {"cwd": cwd, "approvalPolicy": "never", "sandbox": "read-only", "ephemeral": True}
        self.thread = self.ask("thread/start", place)["thread"]["id"]

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """One request and its result; what comes unasked in between is left aside."""
        self._count += 1
        identity = self._count
        self._send({"id": identity, "method": method, "params": params})
        while True:
            message = json.loads(self._lines.get(timeout=SECONDS))
            if message.get("id") != identity or "method" in message:
                continue
            if "error" in message:
                raise Refused(f"{method}: {message['error']}")
            return message["result"]

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool as the client has it: `content`, `structuredContent`, `isError`."""
        asked = {"threadId": self.thread, "server": SERVER, "tool": tool, "arguments": arguments}
        return self.ask("mcpServer/tool/call", asked)

    def read(self, uri: str) -> str:
        """The text of a resource."""
        found = self.ask("mcpServer/resource/read", {"threadId": self.thread, "server": SERVER, "uri": uri})
        return "".join(part["text"] for part in found["contents"])

    def status(self) -> dict[str, Any]:
        """What the client knows of the server: its tools and resources."""
        listed = self.ask("mcpServerStatus/list", {"threadId": self.thread})["data"]
        return next(server for server in listed if server["name"] == SERVER)

    def skills(self, cwd: str) -> list[str]:
        """The names of the skills that a model would be offered."""
        found = self.ask("skills/list", {"cwds": [cwd]})["data"]
        return [skill["name"] for place in found for skill in place["skills"]]

    def end(self) -> None:
        """Wait until what the ended process said is read."""
        self._reader.join(20)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith("{"):
                self._lines.put(line)


@contextmanager
def app_server(home: Home) -> Iterator[AppServer]:
    """A session in a home that has the plugin."""
    cwd = str(home.folder / "work")
    with (home.folder / "app-server.log").open("w", encoding="utf-8") as log:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log, "text": True}
        with subprocess.Popen(["codex", "app-server"], cwd=cwd, env=home.environment, **pipes) as process:
            session = AppServer(process)
            try:
                session.start(cwd)
                yield session
            finally:
                # Its end closes the channels of the plugin's server, which ends with them.
                process.terminate()
                process.wait(20)
                session.end()
