"""A browser without a screen: asks the application in this process, without a network."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI


class Client:
    """Answers as httpx gives them. A fault of the application is raised, never hidden in a 500."""

    def __init__(self, app: FastAPI, base_url: str = "http://library.test") -> None:
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
