"""An API server for `bench.cluster` that makes up as many nodes and pods as it is told, page by page, in a process of its own.

`python -m bench.paged_server NODES PODS` prints its address.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from bench.made_up import made_up
from kubegap.cluster.objects import METRICS


def main() -> None:
    nodes, pods = int(sys.argv[1]), int(sys.argv[2])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(nodes, pods))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def _handler(nodes: int, pods: int) -> type[BaseHTTPRequestHandler]:
    kinds = made_up(nodes, pods)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # One write for head and body, else each answer waits for the client's delayed acknowledgement.
        wbufsize = -1

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            query = parse_qs(url.query)
            body = self._body(url.path, int(query.get("limit", ["0"])[0]), int(query.get("continue", ["0"])[0]))
            self.send_response_only(200)
            self.send_header("Date", "Mon, 30 Nov 2026 08:00:00 GMT")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _body(self, path: str, limit: int, start: int) -> bytes:
            if path == "/version":
                return b'{"gitVersion": "v1.37.2"}'
            if path == METRICS:
                return b'kubernetes_build_info{git_version="v1.37.2"} 1\n'
            if path in {"/api", "/apis"}:
                return b'{"kind": "APIVersions"}' if path == "/api" else json.dumps(_groups()).encode()
            kind, total, make = kinds.get(path, ("", 0, bytes))
            end = min(total, start + (limit or total))
            token = f'"continue":"{end}",' if end < total else ""
            head = f'{{"kind":"{kind}List","apiVersion":"v1","metadata":{{{token}"resourceVersion":"1"}},"items":['
            return head.encode() + b",".join(map(make, range(start, end))) + b"]}"

        def log_message(self, *_args: object) -> None:
            pass

    return Handler


def _groups() -> dict[str, object]:
    from kubegap.cluster.resources import RESOURCES  # noqa: PLC0415

    items: dict[str, dict[str, list]] = {}
    for kind in RESOURCES.values():
        versions = items.setdefault(kind.resource.group, {})
        versions.setdefault(kind.resource.version, []).append({"resource": kind.resource.plural})
    return {
        "kind": "APIGroupDiscoveryList",
        "items": [
            {
                "metadata": {"name": group},
                "versions": [{"version": version, "resources": resources} for version, resources in versions.items()],
            }
            for group, versions in items.items()
            if group
        ],
    }


if __name__ == "__main__":
    main()
