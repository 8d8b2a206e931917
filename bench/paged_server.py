"""An API server for `bench.cluster` that makes up as many nodes and pods as it is told, page by page, in a process of its own.

`python -m bench.paged_server NODES PODS` prints its address. A pod is as long as a real one with its managed fields.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

REPLICAS = 50
_DIGEST = "sha256:" + "ab" * 32
_FIELDS = {f"f:label-{number}": {"f:field": {}, ".": {}} for number in range(120)}


def main() -> None:
    nodes, pods = int(sys.argv[1]), int(sys.argv[2])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(nodes, pods))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def _handler(nodes: int, pods: int) -> type[BaseHTTPRequestHandler]:
    kinds: dict[str, tuple[str, int, Callable[[int], bytes]]] = {
        "/api/v1/pods": ("Pod", pods, maker(pod())),
        "/api/v1/nodes": ("Node", nodes, maker(node())),
    }

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


def maker(thing: Callable[[], dict[str, object]]) -> Callable[[int], bytes]:
    """Objects by number: `%d`-like places of one template, filled in as text."""
    template = json.dumps(thing()).replace("%", "%%").replace('"<', "%(").replace('>"', ")s")
    parts = template.encode()

    def make(number: int) -> bytes:
        owner = number // REPLICAS
        return parts % {
            b"name": b'"pod-%d"' % number,
            b"node": b'"node-%d"' % number,
            b"on": b'"node-%d"' % (number % NODES),
            b"uid": b'"%032d"' % number,
            b"owner": b'"service-%d"' % owner,
            b"namespace": b'"team-%d"' % (owner % 100),
            b"zone": b'"zone-%d"' % (number % 3),
            b"app": b'"service-%d"' % owner,
        }

    return make


NODES = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1


def pod() -> Callable[[], dict[str, object]]:
    """A template of a pod with what the API server stores of one."""
    container = {
        "name": "app",
        "image": "registry.example.com/team/app:1.2.3",
        "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
        "env": [{"name": f"SETTING_{number}", "value": "some value that nobody reads"} for number in range(20)],
        "volumeMounts": [{"name": f"volume-{number}", "mountPath": f"/mnt/{number}"} for number in range(4)],
    }
    return lambda: {
        "metadata": {
            "name": "<name>",
            "namespace": "<namespace>",
            "uid": "<uid>",
            "resourceVersion": "12345678",
            "creationTimestamp": "2026-11-01T00:00:00Z",
            "labels": {"app": "<app>", "pod-template-hash": "65b456d4b7", "team": "<namespace>"},
            "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "<owner>", "uid": "<uid>", "controller": True}
            ],
            "managedFields": [{"manager": "kubelet", "operation": "Update", "fieldsV1": _FIELDS}],
        },
        "spec": {
            "nodeName": "<on>",
            "containers": [container],
            "tolerations": [
                {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
                for key in ("not-ready", "unreachable")
            ],
        },
        "status": {
            "phase": "Running",
            "conditions": [
                {"type": kind, "status": "True", "lastTransitionTime": "2026-11-01T00:00:10Z"}
                for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
            ],
            "containerStatuses": [
                {"name": "app", "image": _DIGEST, "imageID": _DIGEST, "ready": True, "restartCount": 0, "started": True}
            ],
            "podIP": "10.0.0.1",
        },
    }  # fmt: skip


def node() -> Callable[[], dict[str, object]]:
    """A template of a node."""
    size = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    return lambda: {
        "metadata": {
            "name": "<node>",
            "uid": "<uid>",
            "creationTimestamp": "2026-11-01T00:00:00Z",
            "labels": {"kubernetes.io/hostname": "<node>", "topology.kubernetes.io/zone": "<zone>"},
        },
        "spec": {},
        "status": {
            "capacity": size,
            "allocatable": size,
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-01T00:00:00Z"}],
            "images": [{"names": [f"registry.example.com/{number}@{_DIGEST}"], "sizeBytes": 1} for number in range(50)],
        },
    }


if __name__ == "__main__":
    main()
