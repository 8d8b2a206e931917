"""GPU pods whose processes share memory, and have only the 64 MiB for it that a container gets by default."""

from collections.abc import Iterator

from msgspec import Struct

from kubegap.checks.model import Confidence, Evidence, Finding, Message, Severity
from kubegap.cluster.containers import Container
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.gpu_workloads import GpuWorkload, gpu_workloads, gpus_in, gpus_of, users_in
from kubegap.cluster.gpus import is_accelerator
from kubegap.cluster.kinds.ray import RayCluster
from kubegap.cluster.ownership import pods_by_owner
from kubegap.cluster.providers import is_windows
from kubegap.cluster.requests import requested
from kubegap.cluster.shared_memory import DEFAULT, PLACE, size_of
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template
from kubegap.cluster.workloads import exit_codes_of

ENOUGH = 1 << 30
BUS_ERROR = 135
ONE_PROCESS = ("google.com/", "aws.amazon.com/")
# The worst first.
JUDGED = {
    "killed": (Severity.HIGH, Confidence.OBSERVED),
    "missing": (Severity.MEDIUM, Confidence.CONFIG),
    "small": (Severity.LOW, Confidence.CONFIG),
    "single": (Severity.INFO, Confidence.HEURISTIC),
}


class Lack(Struct, frozen=True):
    """A template, the GPUs of a pod, the containers with too little, the message for it, and pods with a bus error."""

    template: Template
    gpus: int
    containers: list[Container]
    key: str
    killed: list[str]


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each workload; its worst template speaks for it."""
    for workload in gpu_workloads(cluster):
        lacks = [lack for template in workload.templates if (lack := _lack(cluster, template))]
        if lacks and not guard_scaled_to_none(workload):
            yield _finding(workload, sorted(lacks, key=lambda lack: list(JUDGED).index(lack.key)))


def guard_scaled_to_none(workload: GpuWorkload) -> bool:
    """A service without replicas has no processes; a job that is suspended in a queue will have."""
    return workload.is_suspended and not workload.is_batch


def guard_large_enough(spec: PodSpec, container: Container) -> bool:
    """A volume with room stands in place of the default."""
    return size_of(spec, container) >= ENOUGH


def guard_shares_host(spec: PodSpec) -> bool:
    """With `hostIPC` the shared memory is that of the node."""
    return bool(spec.host_ipc)


def guard_windows(spec: PodSpec) -> bool:
    """Windows has no such place."""
    return is_windows(spec)


def guard_one_process(spec: PodSpec) -> bool:
    """One process drives all chips of a pod, as with TPU and Neuron."""
    names = [name for name in requested(spec) if is_accelerator(name)]
    return bool(names) and all(name.startswith(ONE_PROCESS) for name in names)


def guard_completed_elsewhere(template: Template) -> bool:
    """No pods were read, and their operator adds to this template: KubeRay a volume, others what a runtime says."""
    source = template.source
    return not template.pods and source is not None and (source.stands_in or isinstance(source, RayCluster))


def guard_serves_alone(template: Template, gpus: int) -> bool:
    """A server on one GPU has nobody to share memory with."""
    return gpus < 2 and not template.is_batch


def _lack(cluster: Snapshot, template: Template) -> Lack | None:
    spec, gpus = template.running_spec, gpus_of(cluster, template)
    if not gpus or guard_shares_host(spec) or guard_windows(spec) or guard_one_process(spec):
        return None
    short = _short(spec)
    killed = [name for one in short for name in _killed(cluster, template, one)]
    if not short or guard_completed_elsewhere(template) or (guard_serves_alone(template, gpus) and not killed):
        return None
    usual = "missing" if gpus > 1 else "single"
    key = usual if any(size_of(spec, one) == DEFAULT for one in short) else "small"
    return Lack(template, gpus, short, "killed" if killed else key, killed)


def _short(spec: PodSpec) -> list[Container]:
    """Containers with GPUs and too little; claimed devices may be used by any, so one that has enough speaks for all."""
    users = users_in(spec)
    short = [one for one in users if not guard_large_enough(spec, one)]
    return short if gpus_in(spec) or len(short) == len(users) else []


def _killed(cluster: Snapshot, template: Template, container: Container) -> set[str]:
    pods = (*template.pods, *pods_by_owner(cluster).get(template.owner, ()))
    return {pod.shown for pod in pods if BUS_ERROR in exit_codes_of(pod, container.name)}


def _finding(workload: GpuWorkload, lacks: list[Lack]) -> Finding:
    severity, confidence = JUDGED[lacks[0].key]
    return Finding(
        subject=workload.subject,
        severity=severity,
        confidence=confidence,
        messages=(Message(lacks[0].key, {"gpus": lacks[0].gpus}),),
        evidence=tuple(evidence for lack in lacks for evidence in _evidence(lack)),
        members=tuple(sorted(pod.name for lack in lacks for pod in lack.template.pods)),
    )


def _evidence(lack: Lack) -> Iterator[Evidence]:
    place, path, spec = lack.template.place, lack.template.part.path, lack.template.running_spec
    for container in lack.containers:
        where = f"{path}.containers[{container.name}].volumeMounts[{PLACE}]"
        size = None if size_of(spec, container) == DEFAULT else f"sizeLimit: {size_of(spec, container) / (1 << 20):g}Mi"
        yield Evidence(place, where, size, "emptyDir: {medium: Memory}")
    for pod in lack.killed[:1]:
        yield Evidence(pod, "status.containerStatuses[*].lastState.terminated.exitCode", str(BUS_ERROR))
