"""Answers made smaller on their way out: gzip, where the asker takes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from isal import isal_zlib
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALLEST = 1024
# Of the fast ones the one that makes pages a seventh smaller for a third more time.
_LEVEL = 3
_GZIP = 31
_COMPRESSIBLE = (
    b"text/",
    b"image/svg+xml",
    *(b"application/%s" % kind for kind in (b"json", b"xml", b"x-ndjson", b"yaml")),
    *(
        b"application/%s" % kind
        for kind in (b"problem+json", b"schema+json", b"atom+xml", b"opensearchdescription+xml")
    ),
)
Headers = Iterable[tuple[bytes, bytes]]


class _Compressor(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


class Compressed:
    """Compresses what can be compressed, and says that the answer depends on what the asker takes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        out = _Answer(send, takes_gzip=_takes_gzip(scope["headers"])) if scope["type"] == "http" else send
        await self._app(scope, receive, out)


class _Answer:
    """One answer: its head waits for the first piece of the body, which decides."""

    def __init__(self, send: Send, *, takes_gzip: bool) -> None:
        self._send = send
        self._takes_gzip = takes_gzip
        self._head: Message | None = None
        self._stream: _Compressor | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._head = message
            return
        if (head := self._head) is not None:
            self._head = None
            message = self._first(head, message)
            await self._send(head)
        elif self._stream:
            message = self._piece(self._stream, message)
        await self._send(message)

    def _first(self, head: Message, message: Message) -> Message:
        """The first piece of a body, which is often all of it; the head is told what becomes of it."""
        body, is_all = message.get("body", b""), not message.get("more_body", False)
        if not _is_compressible(head["headers"]) or (is_all and len(body) < SMALLEST):
            return message
        head["headers"] = [*head["headers"], (b"vary", b"Accept-Encoding")]
        if not self._takes_gzip:
            return message
        if is_all:
            body = isal_zlib.compress(body, _LEVEL, _GZIP)
            _set_encoding(head, len(body))
            return {**message, "body": body}
        _set_encoding(head, None)
        self._stream = isal_zlib.compressobj(_LEVEL, isal_zlib.DEFLATED, _GZIP)
        return self._piece(self._stream, message)

    @staticmethod
    def _piece(stream: _Compressor, message: Message) -> Message:
        body = stream.compress(message.get("body", b""))
        return {**message, "body": body if message.get("more_body", False) else body + stream.flush()}


def _set_encoding(head: Message, length: int | None) -> None:
    kept = [(name, value) for name, value in head["headers"] if name != b"content-length"]
    head["headers"] = [*kept, (b"content-encoding", b"gzip")]
    if length is not None:
        head["headers"].append((b"content-length", b"%d" % length))


def _is_compressible(headers: Headers) -> bool:
    found = dict(headers)
    return b"content-encoding" not in found and found.get(b"content-type", b"").startswith(_COMPRESSIBLE)


def _takes_gzip(headers: Headers) -> bool:
    """Whether `Accept-Encoding` names gzip without refusing it (`gzip;q=0`)."""
    accepted = b",".join(value for name, value in headers if name == b"accept-encoding").lower().replace(b" ", b"")
    parts = [part.partition(b";q=") for part in accepted.split(b",")]
    return any(name == b"gzip" and (not sign or weight.strip(b"0.")) for name, sign, weight in parts)
