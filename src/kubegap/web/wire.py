"""What a connection may take of us before it says what it wants: some seconds, and a head of some size."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 15.0
MOST_HEAD_BYTES = 64 * 1024


class Wire(HttpToolsProtocol):
    """Reads requests; a head that comes too slowly or does not end is cut off. Bodies are cut where they are read."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting: TimerHandle | None = None
        self._is_in_head = True
        self._head_bytes = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Someone connected, who has yet to say anything."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection ended."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes, of a head or of what follows it."""
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES:
                self._cut()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        self._is_in_head = True
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._is_in_head, self._head_bytes = False, 0
        self._wait_no_more()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._cut)

    def _wait_no_more(self) -> None:
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None

    def _cut(self) -> None:
        self.transport.close()
