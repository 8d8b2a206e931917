"""A small API server for what a real one will not do on demand.

It serves objects with discovery and paging by opaque tokens. `on(path, answer)` puts something else before a path:
`answer(handler, count)` writes an answer of its own and returns True, or returns False for the usual one.
"""

from __future__ import annotations

import gzip
import json
import secrets
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.transport import group_path, list_path

PATHS = {list_path(kind.resource): kind.resource for kind in RESOURCES.values() if not kind.resource.is_metric}
METRICS = "/metrics"
DATE = "Mon, 30 Nov 2026 08:00:00 GMT"


class FakeApi:
    """What the server holds, how it misbehaves, and what it was asked."""

    def __init__(self, tls: ssl.SSLContext | None = None, *, aggregated: bool = True) -> None:
        self.objects: dict[str, list] = {path: [] for path in [*PATHS, METRICS]}
        self.missing: set[str] = set()
        self.stale: set[str] = set()
        self.aggregated = aggregated
        self.asked: list[tuple[str, str, dict]] = []
        self.in_flight = self.most_in_flight = 0
        self._answers: dict[str, Callable] = {}
        self._counts: Counter = Counter()
        self._tokens: dict[str, int] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[FakeApi]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def on(self, path: str, answer: Callable) -> None:
        self._answers[path] = answer

    def add(self, kind: type, *items: dict) -> None:
        self.objects[list_path(kind.resource)] += items

    def paths_asked(self) -> list[str]:
        return [urlsplit(url).path for _, url, _ in self.asked]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        with self._lock:
            self.asked.append((handler.command, handler.path, dict(handler.headers)))
            self._counts[url.path] += 1
            count = self._counts[url.path]
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            special = self._answers.get(url.path)
            if not (special and special(handler, count)):
                self._usual(handler, url.path, {key: value[0] for key, value in parse_qs(url.query).items()})
        finally:
            with self._lock:
                self.in_flight -= 1

    def _usual(self, handler, path, query) -> None:
        if path == "/version":
            send(handler, 200, {"major": "1", "minor": "37", "gitVersion": "v1.37.2"})
        elif path in {"/api", "/apis"}:
            send(handler, 200, self._discovery(path))
        elif path == METRICS:
            send(handler, 200, self._metrics().encode(), content_type="text/plain; version=0.0.4")
        elif path in PATHS and path not in self.missing:
            self._list(handler, path, query)
        elif any(group_path(resource) == path for resource in PATHS.values()):
            names = [r.plural for p, r in PATHS.items() if group_path(r) == path and p not in self.missing]
            send(handler, 200, {"kind": "APIResourceList", "resources": [{"name": name} for name in names]})
        else:
            status(handler, 404, "the server could not find the requested resource")

    def _list(self, handler, path, query) -> None:
        start = self._tokens.get(query.get("continue", ""), 0)
        if "continue" in query and query["continue"] not in self._tokens:
            status(handler, 410, "The provided continue parameter is too old", "Expired")
            return
        limit = int(query.get("limit", 0)) or len(self.objects[path])
        end = start + limit
        meta = {"resourceVersion": "1"}
        if end < len(self.objects[path]):
            token = secrets.token_urlsafe()
            self._tokens[token] = end
            meta |= {"continue": token, "remainingItemCount": len(self.objects[path]) - end}
        send(handler, 200, page(PATHS[path], self.objects[path][start:end], **meta))

    def _metrics(self) -> str:
        """All series that were added, of whatever family, among what every server says of itself."""
        lines = ["# HELP kubernetes_build_info [BETA] x", 'kubernetes_build_info{git_version="v1.37.2"} 1']
        for thing in self.objects[METRICS]:
            labels = ",".join(f'{name}="{value}"' for name, value in thing["metadata"]["labels"].items())
            lines.append(f"apiserver_requested_deprecated_apis{{{labels}}} 1")
        return "".join(f"{line}\n" for line in lines)

    def forget_tokens(self) -> None:
        self._tokens.clear()

    def _discovery(self, root: str) -> dict:
        here = [(p, r) for p, r in PATHS.items() if p.startswith(f"{root}/") and p not in self.missing]
        groups: dict[str, dict[str, list]] = {}
        for path, resource in here:
            groups.setdefault(resource.group, {}).setdefault(resource.version, []).append((path, resource))
        if self.aggregated:
            items = [self._group(name, versions) for name, versions in groups.items()]
            return {"kind": "APIGroupDiscoveryList", "items": items}
        if root == "/api":
            return {"kind": "APIVersions", "versions": ["v1"]}
        plain = [
            {"name": name, "versions": [{"groupVersion": f"{name}/{v}", "version": v} for v in versions]}
            for name, versions in groups.items()
        ]
        return {"kind": "APIGroupList", "groups": plain}

    def _group(self, name, versions) -> dict:
        listed = []
        for version, kinds in versions.items():
            resources = [{"resource": r.plural, "verbs": ["get", "list"]} for _, r in kinds if name not in self.stale]
            freshness = "Stale" if name in self.stale else "Current"
            listed.append({"version": version, "freshness": freshness, "resources": resources})
        return {"metadata": {"name": name}, "versions": listed}


def page(resource, items, **meta) -> dict:
    return {"kind": f"{resource.kind}List", "apiVersion": resource.api_version, "metadata": meta, "items": items}


def send(handler, code: int, body: object, headers: dict | None = None, content_type: str = "application/json") -> bool:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response_only(code)
    headers = {"Date": DATE, "Content-Type": content_type, **(headers or {})}
    if "gzip" in handler.headers.get("Accept-Encoding", "") and len(data) > 1000 and "Content-Length" not in headers:
        data, headers["Content-Encoding"] = gzip.compress(data, 1), "gzip"
    headers.setdefault("Content-Length", str(len(data)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)
    return True


def status(handler, code: int, message: str, reason: str = "", headers: dict | None = None) -> bool:
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": code,
    }
    return send(handler, code, body, headers)


def _handler(api: FakeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20

        def do_GET(self) -> None:
            api.answer(self)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_args) -> None:
            pass

    return Handler
