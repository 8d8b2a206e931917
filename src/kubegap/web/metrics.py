"""Numbers about the server itself, in the OpenMetrics text format."""

from __future__ import annotations

import threading
import time
from collections import Counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Counts answers by handler and status, and how long they took in seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0

    def note(self, handler: str, status: int, seconds: float) -> None:
        """Count one answer."""
        with self._lock:
            self._answers[handler, status] += 1
            self._seconds += seconds
            self._within.update(bucket for bucket in BUCKETS if seconds <= bucket)

    def text(self, incidents: int, edition: str, failures: int) -> str:
        """Everything, with what the library says of itself."""
        with self._lock:
            answers, within, seconds = sorted(self._answers.items()), self._within.copy(), self._seconds
        total = sum(count for _, count in answers)
        return "\n".join(
            [
                "# TYPE kubegap_http_requests counter",
                *(
                    f'kubegap_http_requests_total{{handler="{handler}",status="{status}"}} {count}'
                    for (handler, status), count in answers
                ),
                "# TYPE kubegap_http_request_seconds histogram",
                "# UNIT kubegap_http_request_seconds seconds",
                *(f'kubegap_http_request_seconds_bucket{{le="{bucket}"}} {within[bucket]}' for bucket in BUCKETS),
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
