"""A browser without a screen: asks the application in this process, without a network."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from starlette.applications import Starlette


class Client:
    """Answers as httpx gives them. A fault of the application is raised, never hidden in a 500."""

    def __init__(self, app: Starlette, base_url: str = "http://library.test") -> None:
        self.app = app
        self._base_url = base_url
        self._loop = asyncio.new_event_loop()

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.ask("POST", path, **more)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self._loop.run_until_complete(self._ask(method, path, more))

    def close(self) -> None:
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    async def _ask(self, method: str, path: str, more: dict[str, Any]) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app)
        async with httpx.AsyncClient(transport=transport, base_url=self._base_url) as client:
            return await client.request(method, path, **more)


class Raw:
    """A request as a server hands it over, byte by byte: for what no well-behaved client sends."""

    def __init__(self, app: Starlette) -> None:
        self.app = app

    def ask(
        self, path: str = "/", query: bytes = b"", method: str = "GET", headers=(), body=(b"",), pause: float = 0.0
    ) -> Answer:
        """`body` comes in pieces, each after a pause of seconds; a piece None is a broken connection."""
        return asyncio.run(self._ask(path, query, method, headers, list(body), pause))

    async def _ask(self, path, query, method, headers, pieces, pause) -> Answer:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(errors="replace"),
            "query_string": query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in headers],
            "client": ("203.0.113.9", 50000),
            "server": ("127.0.0.1", 8000),
        }
        answer = Answer()

        async def receive() -> dict[str, Any]:
            if not pieces:
                await asyncio.sleep(3600)
            await asyncio.sleep(pause)
            piece = pieces.pop(0)
            answer.pieces_read += 1
            if piece is None:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
            else:
                answer.body += message.get("body", b"")

        await self.app(scope, receive, send)
        return answer


class Answer:
    """What was answered."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.pieces_read = 0
