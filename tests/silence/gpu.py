"""A healthy GPU cluster: pools for training, serving, parts of GPUs and claimed devices, and work of every kind on them."""

from __future__ import annotations

from tests.silence import platform
from tests.silence.objects import (
    CONTROL_PLANE,
    EVERYWHERE,
    LARGE,
    Thing,
    budget,
    container,
    daemon_set,
    deployment,
    lease,
    namespace,
    node,
    service,
    thing,
)
from tests.silence.serving import serving
from tests.silence.training import training

TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
HUGE = {"cpu": "192", "memory": "2048Gi", "pods": "110"}
AGENTS = {
    "nvidia-device-plugin-daemonset": "nvcr.io/nvidia/k8s-device-plugin:v0.18.0",
    "nvidia-dcgm-exporter": "nvcr.io/nvidia/k8s/dcgm-exporter:4.4.1-4.5.2-ubuntu22.04",
    "nvidia-driver-daemonset": "nvcr.io/nvidia/driver:580.95.05-ubuntu22.04",
    "gpu-feature-discovery": "nvcr.io/nvidia/k8s-device-plugin:v0.18.0",
}


def gpu() -> list[Thing]:
    """Nodes first, then what the cluster and its GPUs need, then the work."""
    masters = [_master(number) for number in range(3)]
    static = [pod for master in masters for pod in platform.static_pods(master)]
    return [*masters, *_nodes(), *platform.platform(3, 2), *static, *_operator(), *_queue(), *training(), *serving()]


def _master(number: int) -> Thing:
    labels = {"node-role.kubernetes.io/control-plane": ""}
    return node(f"master-{number}", f"zone-{number}", labels=labels, taints=[CONTROL_PLANE])


def _nodes() -> list[Thing]:
    plain = [node(f"cpu-{number}", f"zone-{number % 3}", LARGE) for number in range(6)]
    trainers = [_gpu_node(f"h100-{number}", "zone-0", "NVIDIA-H100-80GB-HBM3", "train") for number in range(16)]
    servers = [_gpu_node(f"l40s-{number}", f"zone-{number % 3}", "NVIDIA-L40S", "serve") for number in range(6)]
    parted = [_parted_node(f"a100-mig-{number}") for number in range(2)]
    claimed = [_claimable_node(f"dra-{number}") for number in range(3)]
    selector = {"cel": {"expression": 'device.driver == "gpu.nvidia.com"'}}
    device_class = thing("resource.k8s.io/v1", "DeviceClass", "gpu.nvidia.com", spec={"selectors": [selector]})
    slices = [_slice(f"dra-{number}") for number in range(3)]
    return [*plain, *trainers, *servers, *parted, *claimed, device_class, *slices]


def _labels(product: str, pool: str, **more: str) -> Thing:
    """As feature discovery and the GPU operator write them."""
    parts = ("device-plugin", "dcgm-exporter", "driver", "gpu-feature-discovery", "operator-validator")
    deployed = {f"nvidia.com/gpu.deploy.{part}": "true" for part in parts}
    own = {
        "nvidia.com/gpu.product": product,
        "nvidia.com/gpu.count": "8",
        "nvidia.com/gpu.present": "true",
        "pool": pool,
    }
    return {**deployed, **own, "nvidia.com/gpu-driver-upgrade-state": "upgrade-done", **more}


def _gpu_node(name: str, zone: str, product: str, pool: str) -> Thing:
    holds = {"nvidia.com/gpu": "8"}
    made = node(name, zone, HUGE, labels=_labels(product, pool), taints=[TAINT], holds=holds)
    times = {"lastTransitionTime": "2026-01-01T00:00:00Z"}
    made["status"]["conditions"] = [{"type": "GpuXidError", "status": "False", "reason": "NoXidError", **times}]
    return made


def _parted_node(name: str) -> Thing:
    """Each GPU in seven parts, under their own name; no whole one is offered."""
    more = {
        "nvidia.com/mig.config": "all-1g.10gb",
        "nvidia.com/mig.config.state": "success",
        "nvidia.com/mig.strategy": "mixed",
    }
    holds = {"nvidia.com/mig-1g.10gb": "56", "nvidia.com/gpu": "0"}
    return node(
        name, "zone-1", HUGE, labels=_labels("NVIDIA-A100-SXM4-80GB", "parts", **more), taints=[TAINT], holds=holds
    )


def _claimable_node(name: str) -> Thing:
    """GPUs that a driver offers in slices and not as a resource of the node."""
    return node(name, "zone-2", HUGE, labels=_labels("NVIDIA-H200", "claims"), taints=[TAINT])


def _slice(name: str) -> Thing:
    devices = [{"name": f"gpu-{number}", "attributes": {"index": {"int": number}}} for number in range(8)]
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "gpu.nvidia.com", "nodeName": name, "pool": pool, "devices": devices}
    return thing("resource.k8s.io/v1", "ResourceSlice", f"{name}-gpu.nvidia.com", spec=spec)


def _operator() -> list[Thing]:
    """The GPU operator with one replica that holds its Lease, and its agents on GPU nodes alone."""
    on_gpus = {"nodeSelector": {"nvidia.com/gpu.present": "true"}, "tolerations": EVERYWHERE}
    agents = [
        daemon_set("gpu-operator", name, [container(name, image)], priorityClassName="system-node-critical", **on_gpus)
        for name, image in AGENTS.items()
    ]
    program = container("gpu-operator", "nvcr.io/nvidia/gpu-operator:v26.3.1")
    return [
        namespace("gpu-operator"),
        deployment("gpu-operator", "gpu-operator", 1, [program], priorityClassName="system-node-critical"),
        lease("gpu-operator", "53822513.nvidia.com", "@gpu-operator/gpu-operator_0123"),
        *agents,
    ]


def _queue() -> list[Thing]:
    """Kueue, whose webhook fails closed but leaves system namespaces and its own alone."""
    labels = {"app": "kueue-controller-manager"}
    outside = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "kueue-system"]}
    rule = {"apiGroups": ["batch"], "apiVersions": ["v1"], "resources": ["jobs"], "operations": ["CREATE", "UPDATE"]}
    backend = {
        "service": {"name": "kueue-webhook-service", "namespace": "kueue-system", "path": "/mutate", "port": 443}
    }
    hook = {"name": "mjob.kb.io", "failurePolicy": "Fail", "sideEffects": "None", "admissionReviewVersions": ["v1"]}
    hook |= {
        "timeoutSeconds": 5,
        "clientConfig": backend,
        "rules": [rule],
        "namespaceSelector": {"matchExpressions": [outside]},
    }
    program = container("manager", "registry.k8s.io/kueue/kueue:v0.17.0", 9443)
    kind = "MutatingWebhookConfiguration"
    return [
        namespace("kueue-system"),
        deployment("kueue-system", "kueue-controller-manager", 2, [program], priorityClassName="platform"),
        service("kueue-system", "kueue-webhook-service", labels, 443, 9443),
        budget("kueue-system", "kueue-controller-manager", labels),
        thing("admissionregistration.k8s.io/v1", kind, "kueue-mutating-webhook-configuration", webhooks=[hook]),
    ]
