"""Models that are served: by Deployments, KServe and groups of leader and workers, on whole GPUs, parts and claims."""

from __future__ import annotations

import copy

from tests.silence.objects import (
    Thing,
    autoscaler,
    budget,
    container,
    deployment,
    memory_volume,
    namespace,
    owned_by,
    resources,
    service,
    stateful_set,
    thing,
)

MODELS = "models"
TOLERATION = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
PLACE = {"nodeSelector": {"pool": "serve"}, "tolerations": [TOLERATION], "priorityClassName": "serving"}
# One pod after the other: an update needs no GPU beyond those in use.
IN_PLACE = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}


def serving() -> list[Thing]:
    parts = (_vllm(), _kserve(), _groups(), _replaced(), _on_parts(), _on_claims())
    return [namespace(MODELS), *(one for part in parts for one in part)]


def _model(name: str, image: str, gpus: int, **more: object) -> tuple[Thing, list[Thing]]:
    volume, mount = memory_volume("16Gi")
    size = resources(str(gpus * 8), f"{gpus * 32}Gi", {"nvidia.com/gpu": str(gpus)})
    return container(name, image, 8000, resources=size, volumeMounts=[mount], **more), [volume]


def _vllm() -> list[Thing]:
    """Two replicas of four GPUs that work as one."""
    one, volumes = _model("vllm", "vllm/vllm-openai:v0.11.0", 4, args=["--tensor-parallel-size=4"])
    return [
        deployment(MODELS, "vllm-llama", 2, [one], strategy=IN_PLACE, volumes=volumes, **copy.deepcopy(PLACE)),
        service(MODELS, "vllm-llama", {"app": "vllm-llama"}, 80, 8000),
        budget(MODELS, "vllm-llama", {"app": "vllm-llama"}),
    ]


def _kserve() -> list[Thing]:
    """An InferenceService and the Deployment, Service and autoscaler that KServe makes of it; the pool has room to surge."""
    one, volumes = _model("kserve-container", "kserve/huggingfaceserver:v0.16.0-gpu", 1)
    predictor = {"minReplicas": 2, "maxReplicas": 4, "containers": [one], "volumes": volumes, **copy.deepcopy(PLACE)}
    owner = thing("serving.kserve.io/v1beta1", "InferenceService", "reranker", MODELS, spec={"predictor": predictor})
    owner["status"] = {"conditions": [{"type": "Ready", "status": "True"}]}
    name = "reranker-predictor"
    made = [
        deployment(MODELS, name, 2, [one], volumes=volumes, **copy.deepcopy(PLACE)),
        service(MODELS, name, {"app": name}, 80, 8000),
        autoscaler(MODELS, name, 2, 4),
    ]
    return [owner, *(owned_by(owner, each) for each in made), budget(MODELS, name, {"app": name})]


def _groups() -> list[Thing]:
    """Two groups of a leader and a worker that start again together."""
    one, volumes = _model("vllm", "vllm/vllm-openai:v0.11.0", 4)
    pod = {"containers": [one], "volumes": volumes, **copy.deepcopy(PLACE)}
    name = "leaderworkerset.sigs.k8s.io/name"
    labels = {name: "deepseek"}
    group = {
        "size": 2,
        "restartPolicy": "RecreateGroupOnPodRestart",
        "workerTemplate": {"metadata": {"labels": labels}, "spec": pod},
    }
    owner = thing(
        "leaderworkerset.x-k8s.io/v1",
        "LeaderWorkerSet",
        "deepseek",
        MODELS,
        spec={"replicas": 2, "leaderWorkerTemplate": group},
    )
    owner["status"] = {"replicas": 2, "readyReplicas": 2}
    more = {"labels": labels, "claims": [], "volumes": volumes, "topologySpreadConstraints": []}
    leaders = owned_by(owner, stateful_set(MODELS, "deepseek", 2, [one], **more, **copy.deepcopy(PLACE)))
    workers = [_workers(number, one, more) for number in range(2)]
    return [
        owner,
        leaders,
        *workers,
        service(MODELS, "deepseek", labels, 8000, 8000, clusterIP="None", publishNotReadyAddresses=True),
        budget(MODELS, "deepseek", labels),
    ]


def _workers(number: int, one: Thing, more: Thing) -> Thing:
    """A group's workers, which belong to the pod of its leader."""
    leader = thing("v1", "Pod", f"deepseek-{number}", MODELS)
    made = stateful_set(MODELS, f"deepseek-{number}", 1, [one], **copy.deepcopy(more), **copy.deepcopy(PLACE))
    return owned_by(leader, made)


def _replaced() -> list[Thing]:
    """One GPU, one process, one replica, and taken down before the next comes up."""
    one = container(
        "whisper", "registry.example.com/whisper:1.2.0", 8000, resources=resources("4", "16Gi", {"nvidia.com/gpu": "1"})
    )
    return [
        deployment(MODELS, "whisper", 1, [one], strategy={"type": "Recreate"}, **copy.deepcopy(PLACE)),
        service(MODELS, "whisper", {"app": "whisper"}, 80, 8000),
    ]


def _on_parts() -> list[Thing]:
    """A notebook on a seventh of a GPU: it needs no shared memory beyond the default, and one replica is all there can be."""
    size = resources("2", "16Gi", {"nvidia.com/mig-1g.10gb": "1"})
    one = container("notebook", "registry.example.com/notebook:2026.9.0", 8888, resources=size)
    place = {"nodeSelector": {"pool": "parts"}, "tolerations": [TOLERATION]}
    return [
        stateful_set(MODELS, "notebook-kim", 1, [one], **place),
        service(MODELS, "notebook-kim", {"app": "notebook-kim"}, 80, 8888),
    ]


def _on_claims() -> list[Thing]:
    """A server whose pods each claim a device."""
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}
    claims = thing(
        "resource.k8s.io/v1",
        "ResourceClaimTemplate",
        "one-gpu",
        MODELS,
        spec={"spec": {"devices": {"requests": [request]}}},
    )
    one = container("embedder", "registry.example.com/embedder:1.4.0", 8000)
    one["resources"]["claims"] = [{"name": "gpu"}]
    place = {"nodeSelector": {"pool": "claims"}, "tolerations": [TOLERATION], "priorityClassName": "serving"}
    wanted = [{"name": "gpu", "resourceClaimTemplateName": "one-gpu"}]
    return [
        claims,
        deployment(MODELS, "embedder", 2, [one], strategy=IN_PLACE, resourceClaims=wanted, **place),
        service(MODELS, "embedder", {"app": "embedder"}, 80, 8000),
        budget(MODELS, "embedder", {"app": "embedder"}),
    ]
