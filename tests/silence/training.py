"""Training that survives a lost node, once for every kind that runs it, with the pods that its operator would make."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from tests.silence.objects import (
    RUNS,
    Thing,
    container,
    job,
    job_spec,
    memory_volume,
    namespace,
    owned_by,
    pod,
    resources,
    service,
    thing,
)

LAB = "lab"
TOLERATION = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
IMAGE = "registry.example.com/train:2026.10.1"
PLACE = {"nodeSelector": {"pool": "train"}, "tolerations": [TOLERATION], "priorityClassName": "batch"}
# Preempted and drained pods cost no retry; exit code 2 is a mistake that no retry mends.
ON_FAILURE = {
    "rules": [
        {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
        {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [2]}},
    ]
}


def training() -> list[Thing]:
    """A namespace full of it; every gang has two nodes of eight GPUs, and the pool has three nodes to spare."""
    gangs = (_pytorch, _job_set, _train_job, _mpi, _ray, _volcano, _single)
    return [namespace(LAB), *(one for gang in gangs for one in gang())]


def worker(name: str = "worker", gpus: int = 8, **more: object) -> tuple[list[Thing], list[Thing]]:
    """The containers and volumes of a pod that trains on some GPUs and shares memory between its processes."""
    volume, mount = memory_volume(f"{gpus * 8}Gi")
    size = resources(str(gpus * 8), f"{gpus * 64}Gi", {"nvidia.com/gpu": str(gpus)})
    return [container(name, IMAGE, resources=size, volumeMounts=[mount], **more)], [volume]


def _pod_spec(gpus: int = 8, name: str = "worker", **more: object) -> Thing:
    containers, volumes = worker(name, gpus)
    return {**copy.deepcopy(PLACE), "containers": containers, "volumes": volumes, **more}


def _template(**more: object) -> Thing:
    return {"metadata": {"labels": {}}, "spec": _pod_spec(**more)}


def _pods(owner: Thing, spec: Thing, names: list[str]) -> Iterator[Thing]:
    for name in names:
        yield owned_by(owner, pod(LAB, name, copy.deepcopy(spec), training=owner["metadata"]["name"]))


def _pytorch() -> list[Thing]:
    roles = {
        role: {"replicas": 1, "restartPolicy": "OnFailure", "template": _template(name="pytorch")}
        for role in ("Master", "Worker")
    }
    policy = {"backoffLimit": 5, "cleanPodPolicy": "Running", "ttlSecondsAfterFinished": 3600}
    policy["activeDeadlineSeconds"] = 7 * 24 * 3600
    owner = thing(
        "kubeflow.org/v1", "PyTorchJob", "bert", LAB, spec={"runPolicy": policy, "pytorchReplicaSpecs": roles}
    )
    owner["status"] = _is_true("Running")
    spec = _pod_spec(name="pytorch", restartPolicy="OnFailure")
    headless = owned_by(owner, service(LAB, "bert-master-0", {"training": "bert"}, 23456, 23456, clusterIP="None"))
    return [owner, headless, *_pods(owner, spec, ["bert-master-0", "bert-worker-0"])]


def _job_set() -> list[Thing]:
    return _set_of_jobs("llama")


def _set_of_jobs(name: str) -> list[Thing]:
    """A JobSet that starts again up to ten times, and its Job with two pods at work."""
    spec = _indexed(2)
    group = {"name": "workers", "replicas": 1, "template": {"spec": spec}}
    policy = {"failurePolicy": {"maxRestarts": 10}, "replicatedJobs": [group], "ttlSecondsAfterFinished": 3600}
    owner = thing("jobset.x-k8s.io/v1alpha2", "JobSet", name, LAB, spec=policy)
    owner["status"] = {"restarts": 0}
    return [owner, owned_by(owner, job(LAB, f"{name}-workers-0", copy.deepcopy(spec), active=2))]


def _indexed(size: int) -> Thing:
    containers, volumes = worker()
    gang = {"parallelism": size, "completions": size, "completionMode": "Indexed", "podFailurePolicy": ON_FAILURE}
    times = {"backoffLimit": 6, "activeDeadlineSeconds": 7 * 24 * 3600}
    return job_spec(containers, labels=dict(RUNS), volumes=volumes, **times, **gang, **copy.deepcopy(PLACE))


def _train_job() -> list[Thing]:
    """Kubeflow Trainer makes a JobSet of the same name."""
    trainer = {"image": IMAGE, "numNodes": 2, "resourcesPerNode": resources("64", "512Gi", {"nvidia.com/gpu": "8"})}
    runtime = {"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime", "name": "torch-distributed"}
    owner = thing(
        "trainer.kubeflow.org/v1alpha1", "TrainJob", "mistral", LAB, spec={"runtimeRef": runtime, "trainer": trainer}
    )
    job_set, *made = _set_of_jobs("mistral")
    return [owner, owned_by(owner, job_set), *made]


def _mpi() -> list[Thing]:
    launch = container("launcher", IMAGE, command=["mpirun"])
    launcher = {"replicas": 1, "restartPolicy": "OnFailure", "template": {"spec": {"containers": [launch]}}}
    workers = {"replicas": 2, "restartPolicy": "OnFailure", "template": _template()}
    policy = {"cleanPodPolicy": "Running", "backoffLimit": 6, "ttlSecondsAfterFinished": 3600}
    roles = {"Launcher": launcher, "Worker": workers}
    owner = thing(
        "kubeflow.org/v1",
        "MPIJob",
        "horovod",
        LAB,
        spec={"slotsPerWorker": 8, "runPolicy": policy, "mpiReplicaSpecs": roles},
    )
    owner["status"] = _is_true("Running")
    spec = {"restartPolicy": "OnFailure", "priorityClassName": "batch", "containers": [launch]}
    makers = _pods(owner, _pod_spec(restartPolicy="OnFailure"), ["horovod-worker-0", "horovod-worker-1"])
    return [owner, *_pods(owner, spec, ["horovod-launcher"]), *makers]


def _ray() -> list[Thing]:
    """A RayJob that tries again and takes its cluster down, on a head that remembers."""
    size = resources("8", "32Gi")
    head = {
        "priorityClassName": "serving",
        "containers": [container("ray-head", "rayproject/ray:2.51.0", resources=size)],
    }
    group = {
        "groupName": "gpu",
        "replicas": 2,
        "minReplicas": 2,
        "maxReplicas": 2,
        "rayStartParams": {},
        "template": _template(name="ray-worker"),
    }
    memory = {"redisAddress": "redis.lab:6379"}
    cluster = {
        "gcsFaultToleranceOptions": memory,
        "headGroupSpec": {"rayStartParams": {}, "template": {"spec": head}},
        "workerGroupSpecs": [group],
    }
    policy = {
        "backoffLimit": 3,
        "shutdownAfterJobFinishes": True,
        "ttlSecondsAfterFinished": 600,
        "activeDeadlineSeconds": 604800,
    }
    whole = thing(
        "ray.io/v1", "RayJob", "tune", LAB, spec={"entrypoint": "python tune.py", **policy, "rayClusterSpec": cluster}
    )
    whole["status"] = {"jobStatus": "RUNNING", "jobDeploymentStatus": "Running"}
    owner = owned_by(whole, thing("ray.io/v1", "RayCluster", "tune-raycluster-x7k2p", LAB, spec=copy.deepcopy(cluster)))
    owner["status"] = {"state": "ready"}
    heads = _pods(owner, head, ["tune-raycluster-x7k2p-head"])
    return [
        whole,
        owner,
        *heads,
        *_pods(owner, _pod_spec(name="ray-worker"), ["tune-gpu-worker-0", "tune-gpu-worker-1"]),
    ]


def _volcano() -> list[Thing]:
    policies = [{"event": "PodEvicted", "action": "RestartJob"}, {"event": "PodFailed", "action": "RestartJob"}]
    task = {"name": "worker", "replicas": 2, "template": _template(restartPolicy="OnFailure")}
    spec = {"minAvailable": 2, "maxRetry": 5, "ttlSecondsAfterFinished": 3600, "policies": policies, "tasks": [task]}
    owner = thing("batch.volcano.sh/v1alpha1", "Job", "gnn", LAB, spec=spec)
    owner["status"] = {"state": {"phase": "Running"}}
    return [owner, *_pods(owner, _pod_spec(restartPolicy="OnFailure"), ["gnn-worker-0", "gnn-worker-1"])]


def _single() -> list[Thing]:
    """A Job on one node, and one that waits in the queue."""
    waiting = _indexed(2) | {"suspend": True}
    return [job(LAB, "finetune", _indexed(1), active=1), job(LAB, "next-week", waiting)]


def _is_true(kind: str) -> Thing:
    return {"conditions": [{"type": kind, "status": "True", "lastTransitionTime": "2026-10-20T00:00:00Z"}]}
