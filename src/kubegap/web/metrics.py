"""Numbers about the server itself, in the OpenMetrics text format."""

from __future__ import annotations

import threading
import time

import msgspec
from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kubegap.web.board import Board

MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Counted(Struct):
    """What one worker counted; `seconds` is the sum over all of its answers."""

    answers: dict[str, int] = {}
    within: dict[str, int] = {}
    seconds: float = 0.0

    def add(self, other: Counted) -> None:
        """Take in what another one counted."""
        for mine, theirs in ((self.answers, other.answers), (self.within, other.within)):
            for name, count in theirs.items():
                mine[name] = mine.get(name, 0) + count
        self.seconds += other.seconds


class Metrics:
    """Counts answers by handler and status, and how long they took in seconds; tells the sum over all workers."""

    def __init__(self, board: Board | None = None, place: int = 0) -> None:
        self._lock = threading.Lock()
        self._counted = Counted()
        self._board = board or Board(1)
        self._place = place

    def note(self, handler: str, status: int, seconds: float) -> None:
        """Count one answer."""
        with self._lock:
            self._counted.add(Counted({f"{handler} {status}": 1}, _buckets(seconds), seconds))
            self._board.write(self._place, _encode(self._counted))

    def text(self, incidents: int, edition: str, failures: int) -> str:
        """Everything, with what the library says of itself."""
        counted = Counted()
        for data in self._board.read():
            counted.add(msgspec.msgpack.decode(data, type=Counted))
        answers = [(*name.rsplit(" ", 1), count) for name, count in sorted(counted.answers.items())]
        within, seconds = counted.within, counted.seconds
        total = sum(counted.answers.values())
        return "\n".join(
            [
                "# TYPE kubegap_http_requests counter",
                *(
                    f'kubegap_http_requests_total{{handler="{handler}",status="{status}"}} {count}'
                    for handler, status, count in answers
                ),
                "# TYPE kubegap_http_request_seconds histogram",
                "# UNIT kubegap_http_request_seconds seconds",
                *(
                    f'kubegap_http_request_seconds_bucket{{le="{bucket}"}} {within.get(str(bucket), 0)}'
                    for bucket in BUCKETS
                ),
                f'kubegap_http_request_seconds_bucket{{le="+Inf"}} {total}',
                f"kubegap_http_request_seconds_sum {seconds:.6f}",
                f"kubegap_http_request_seconds_count {total}",
                "# TYPE kubegap_library info",
                f'kubegap_library_info{{edition="{edition}"}} 1',
                "# TYPE kubegap_library_incidents gauge",
                f"kubegap_library_incidents {incidents}",
                "# TYPE kubegap_library_reload_failures counter",
                f"kubegap_library_reload_failures_total {failures}",
                "# EOF",
                "",
            ]
        )


_encode = msgspec.msgpack.Encoder().encode


def _buckets(seconds: float) -> dict[str, int]:
    return {str(bucket): 1 for bucket in BUCKETS if seconds <= bucket}


class Measured:
    """Measures every request from its first byte to its last."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve and measure one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            handler = getattr(scope.get("endpoint"), "__name__", "none")
            self._metrics.note(handler, status, time.perf_counter() - started)
