"""What the suite plants in the real cluster: five gaps, a look-alike beside each, and canaries where nobody may look."""

from __future__ import annotations

from tests.control_plane.plane import Plane, wait

CANARY = "c4n4ry"
GAPS = {
    ("webhook-fail-closed-wide", "ValidatingWebhookConfiguration/-/gate"),
    ("dns-not-redundant", "Deployment/kube-system/coredns"),
    ("replicas-colocated", "Deployment/shop/cart"),
    ("gpu-allocatable-gap", "Node/-/gpu-short"),
    ("gpu-node-fault-schedulable", "Node/-/gpu-broken"),
}
GPUS = {"nvidia.com/gpu": "8"}
_SIZE = {"cpu": "16", "memory": "64Gi", "pods": "110"}


def plant(plane: Plane) -> None:
    """Everything, in an order in which no gap keeps the rest from coming up."""
    plane.create(*_nodes(), _namespace("shop"), *_workloads(), *_canaries())
    wait(lambda: _ready(plane) >= 8)
    # Last: while it stands there, nothing that it asks for can be written.
    plane.create(*_webhooks())


def _ready(plane: Plane) -> int:
    """Endpoints that are ready, as the controllers tell it."""
    slices = plane.list("/apis/discovery.k8s.io/v1/endpointslices")
    endpoints = [point for part in slices for point in part.get("endpoints") or ()]
    return sum(bool(point["conditions"].get("ready")) for point in endpoints)


def _nodes() -> list[dict]:
    plain = [_node(f"plain-{number}", {"topology.kubernetes.io/zone": f"z{number % 2}"}) for number in range(3)]
    bad = {"type": "GpuXidError", "status": "True", "reason": "Xid79", "message": "Xid 79", **_TIMES}
    return [
        *plain,
        _gpu_node("gpu-short", allocatable={"nvidia.com/gpu": "7"}),
        _gpu_node("gpu-broken", conditions=[bad]),
        _gpu_node("gpu-broken-cordoned", conditions=[{**bad, "type": "GpuMemWatch"}], unschedulable=True),
        *(_gpu_node(f"gpu-{number}") for number in range(4)),
    ]


# Long enough ago that it is no passing thing.
_TIMES = {"lastTransitionTime": "2026-01-01T00:00:00Z", "lastHeartbeatTime": "2026-01-01T00:00:00Z"}


def _node(name: str, labels: dict | None = None) -> dict:
    labels = {"kubernetes.io/hostname": name, **(labels or {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {"made-by": f"{CANARY}-annotation"}},
        "status": {"capacity": dict(_SIZE), "allocatable": dict(_SIZE)},
    }


def _gpu_node(name: str, *, allocatable=GPUS, conditions=(), unschedulable: bool = False) -> dict:
    node = _node(name, {"nvidia.com/gpu.product": "NVIDIA-H100", "nvidia.com/gpu.count": "8"})
    taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    node["spec"] = {"unschedulable": unschedulable, "taints": [taint]}
    node["status"]["capacity"] |= GPUS
    node["status"]["allocatable"] |= allocatable
    node["status"]["conditions"] = list(conditions)
    return node


def _namespace(name: str) -> dict:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def _workloads() -> list[dict]:
    alone = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_alike("cart")]}}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [_alike("web")]}}
    return [
        _deployment("kube-system", "coredns", 1, {"k8s-app": "kube-dns"}),
        _service("kube-system", "kube-dns", {"k8s-app": "kube-dns"}, 53),
        _deployment("shop", "cart", 4, {"app": "cart"}, affinity=alone),
        _service("shop", "cart", {"app": "cart"}, 80),
        _deployment("shop", "web", 3, {"app": "web"}, affinity=apart),
        _service("shop", "web", {"app": "web"}, 80),
        # Without any, a dump would not say that there is none for the others.
        _budget("shop", "web", {"app": "web"}),
    ]


def _alike(name: str) -> dict:
    return {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": name}}}


def _deployment(namespace: str, name: str, replicas: int, labels: dict, **spec: object) -> dict:
    container = {
        "name": name,
        "image": "example.com/app:1",
        "args": [f"--password={CANARY}-args"],
        "env": [
            {"name": "PASSWORD", "value": f"{CANARY}-env"},
            {"name": "FROM", "valueFrom": {"secretKeyRef": {"name": "login", "key": "password"}}},
        ],
    }
    last = {"kubectl.kubernetes.io/last-applied-configuration": f'{{"password": "{CANARY}-applied"}}'}
    template = {"metadata": {"labels": labels, "annotations": last}, "spec": {"containers": [container], **spec}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, "annotations": last},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template},
    }


def _service(namespace: str, name: str, selector: dict, port: int) -> dict:
    spec = {"selector": selector, "ports": [{"port": port, "protocol": "UDP" if port == 53 else "TCP"}]}
    meta = {"name": name, "namespace": namespace, "labels": selector}
    return {"apiVersion": "v1", "kind": "Service", "metadata": meta, "spec": spec}


def _budget(namespace: str, name: str, selector: dict) -> dict:
    spec = {"maxUnavailable": 1, "selector": {"matchLabels": selector}}
    meta = {"name": name, "namespace": namespace}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": meta, "spec": spec}


def _canaries() -> list[dict]:
    meta = {"namespace": "shop", "annotations": {"note": f"{CANARY}-annotation"}}
    return [
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login", **meta}, "stringData": {"password": f"{CANARY}-secret"}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", **meta}, "data": {"dsn": f"{CANARY}-config"}},
    ]  # fmt: skip


def _webhooks() -> list[dict]:
    names = ["kube-system", "kube-node-lease"]
    outside = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": names}
    elsewhere = {"matchExpressions": [outside]}
    return [
        # Nobody makes a node any more, so this stands in nobody's way here.
        _webhook("gate", "Fail", ["CREATE"], ["nodes"]),
        _webhook("gate-elsewhere", "Fail", ["CREATE"], ["configmaps"], namespaceSelector=elsewhere),
        _webhook("gate-open", "Ignore", ["CREATE"], ["nodes"]),
    ]


def _webhook(name: str, policy: str, operations: list[str], resources: list[str], **more: object) -> dict:
    rule = {"operations": operations, "apiGroups": [""], "apiVersions": ["v1"], "resources": resources}
    webhook = {
        "name": f"{name}.example.com",
        "failurePolicy": policy,
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "timeoutSeconds": 1,
        "clientConfig": {"url": "https://127.0.0.1:1/gate"},
        "rules": [rule],
        **more,
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": name, "annotations": {"note": f"{CANARY}-annotation"}},
        "webhooks": [webhook],
    }
