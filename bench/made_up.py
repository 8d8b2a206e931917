"""Objects of a large and healthy cluster by their number, as JSON: nodes, pods, and the services that the pods belong to.

A pod is as long as a real one with its managed fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

REPLICAS = 50
NAMESPACES = 100
_DIGEST = "sha256:" + "ab" * 32
_FIELDS = {f"f:label-{number}": {"f:field": {}, ".": {}} for number in range(120)}
_HASH = "65b456d4b7"
Maker = Callable[[int], bytes]


def made_up(nodes: int, pods: int) -> Mapping[str, tuple[str, int, Maker]]:
    """By path: the kind, how many there are, and what makes one of them."""
    services = pods // REPLICAS
    return {
        "/api/v1/pods": ("Pod", pods, maker(pod(), nodes)),
        "/api/v1/nodes": ("Node", nodes, maker(_node())),
        "/api/v1/namespaces": ("Namespace", NAMESPACES, maker({"metadata": {"name": "<namespace-itself>"}})),
        "/api/v1/services": ("Service", services, maker(_service())),
        "/apis/apps/v1/deployments": ("Deployment", services, maker(_deployment())),
        "/apis/policy/v1/poddisruptionbudgets": ("PodDisruptionBudget", services, maker(_budget())),
        "/apis/discovery.k8s.io/v1/endpointslices": ("EndpointSlice", services, _slices(nodes)),
    }


def maker(thing: Mapping[str, object], nodes: int = 1) -> Maker:
    """Objects by number: `%d`-like places of one template, filled in as text."""
    template = json.dumps(thing).replace("%", "%%").replace('"<', "%(").replace('>"', ")s")
    parts = template.encode()
    is_pod = "<replica-set>" in json.dumps(thing)

    def make(number: int) -> bytes:
        owner = number // REPLICAS if is_pod else number
        return parts % {
            b"name": b'"pod-%d"' % number,
            b"node": b'"node-%d"' % number,
            b"on": b'"node-%d"' % (number % nodes),
            b"uid": b'"%032d"' % number,
            b"replica-set": b'"service-%d-%s"' % (owner, _HASH.encode()),
            b"namespace": b'"team-%d"' % (owner % NAMESPACES),
            b"namespace-itself": b'"team-%d"' % number,
            b"zone": b'"zone-%d"' % (number % 3),
            b"app": b'"service-%d"' % owner,
        }

    return make


def pod() -> dict[str, object]:
    """A template of a pod with what the API server stores of one."""
    return {
        "metadata": {
            "name": "<name>",
            "namespace": "<namespace>",
            "uid": "<uid>",
            "resourceVersion": "12345678",
            "creationTimestamp": "2026-11-01T00:00:00Z",
            "labels": {"app": "<app>", "pod-template-hash": _HASH, "team": "<namespace>"},
            "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "<replica-set>", "uid": "<uid>", "controller": True}
            ],
            "managedFields": [{"manager": "kubelet", "operation": "Update", "fieldsV1": _FIELDS}],
        },
        "spec": {
            **_spec(),
            "nodeName": "<on>",
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


def _spec() -> dict[str, object]:
    container = {
        "name": "app",
        "image": "registry.example.com/team/app:1.2.3",
        "ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
        "readinessProbe": {"httpGet": {"path": "/ready", "port": 8080}},
        "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
        "env": [{"name": f"SETTING_{number}", "value": "some value that nobody reads"} for number in range(20)],
        "volumeMounts": [{"name": f"volume-{number}", "mountPath": f"/mnt/{number}"} for number in range(4)],
    }
    return {"containers": [container]}


def _named() -> dict[str, object]:
    times = {"creationTimestamp": "2026-11-01T00:00:00Z", "resourceVersion": "12345678", "generation": 1}
    return {"name": "<app>", "namespace": "<namespace>", "uid": "<uid>", "labels": {"app": "<app>"}, **times}


def _deployment() -> dict[str, object]:
    template = {"metadata": {"labels": {"app": "<app>", "team": "<namespace>"}}, "spec": _spec()}
    spec = {"replicas": REPLICAS, "selector": {"matchLabels": {"app": "<app>"}}, "template": template}
    return {"metadata": _named(), "spec": spec, "status": {"replicas": REPLICAS, "readyReplicas": REPLICAS}}


def _service() -> dict[str, object]:
    ports = [{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}]
    return {"metadata": _named(), "spec": {"selector": {"app": "<app>"}, "ports": ports, "type": "ClusterIP"}}


def _budget() -> dict[str, object]:
    allowed = {"type": "DisruptionAllowed", "status": "True", "reason": "SufficientPods"}
    status = {"expectedPods": REPLICAS, "currentHealthy": REPLICAS, "desiredHealthy": REPLICAS - 5}
    status |= {"disruptionsAllowed": 5, "observedGeneration": 1, "conditions": [allowed]}
    spec = {"maxUnavailable": "10%", "selector": {"matchLabels": {"app": "<app>"}}}
    return {"metadata": _named(), "spec": spec, "status": status}


def _slices(nodes: int) -> Maker:
    """EndpointSlices, each with all pods of its service."""

    def make(number: int) -> bytes:
        place, name = f"team-{number % NAMESPACES}", f"service-{number}"
        meta = {"name": f"{name}-x7k2p", "namespace": place, "labels": {"kubernetes.io/service-name": name}}
        pods = range(number * REPLICAS, (number + 1) * REPLICAS)
        points = [_endpoint(place, each, each % nodes) for each in pods]
        ports = [{"name": "http", "port": 8080, "protocol": "TCP"}]
        return json.dumps({"metadata": meta, "addressType": "IPv4", "endpoints": points, "ports": ports}).encode()

    return make


def _endpoint(place: str, number: int, node: int) -> dict[str, object]:
    target = {"kind": "Pod", "namespace": place, "name": f"pod-{number}", "uid": f"{number:032d}"}
    conditions = {"ready": True, "serving": True, "terminating": False}
    return {"addresses": ["10.0.0.1"], "conditions": conditions, "nodeName": f"node-{node}", "targetRef": target}


def _node() -> dict[str, object]:
    """A template of a node."""
    size = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    return {
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
