"""GPU jobs that one failed pod or node ends, or leaves behind as a part that waits for ever."""

from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.gpu_workloads import GpuWorkload, gpu_workloads, gpus_of
from kubegap.cluster.kinds.batch import CronJob, Job
from kubegap.cluster.kinds.leader_worker_set import LeaderWorkerSet
from kubegap.cluster.kinds.ray import RayJob
from kubegap.cluster.kinds.workload import Workload, wanted
from kubegap.cluster.ownership import objects_by_subject
from kubegap.cluster.placing import spot_wishes, wants_spot
from kubegap.cluster.recovery import Recovery, Unit, deadline_of
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template

MANY_GPUS = 64
KNOWN = {(kind.resource.api_version, kind.resource.kind) for kind in RESOURCES.values()}
# What to write in the field that decides, by the end of its path.
HOPED = {
    "leaderWorkerTemplate.restartPolicy": "RecreateGroupOnPodRestart",
    "restartPolicy": "OnFailure",
    "failurePolicy": "maxRestarts: 3",
    "policies": "PodFailed, PodEvicted: RestartJob",
    "": ">= 1",
}


class Gap(Struct, frozen=True):
    """A workload, the object that decides about its failures, and the message for how it does."""

    workload: GpuWorkload
    thing: Workload
    recovery: Recovery
    key: str

    @property
    def hides(self) -> bool:
        """Whether nothing ends a run whose status is frozen."""
        return isinstance(self.thing, RayJob) and deadline_of(self.thing) is None


def find(cluster: Snapshot, brief: timedelta, long: timedelta) -> Iterator[Finding]:
    """One finding for each workload."""
    for workload in gpu_workloads(cluster):
        gap = _gap(cluster, workload)
        if gap and not guard_outer_retries(workload) and not guard_runs_again(gap.thing):
            yield _finding(cluster, gap, brief, long)


def guard_outer_retries(workload: GpuWorkload) -> bool:
    """Something unread stands above, such as an Argo Workflow or a pipeline, and may start it again itself."""
    return (workload.subject.api_version, workload.subject.kind) not in KNOWN


def guard_runs_again(thing: Workload) -> bool:
    """A CronJob makes the next Job by the clock."""
    return isinstance(thing, CronJob)


def guard_scaled_to_none(workload: GpuWorkload) -> bool:
    """Groups of which none is wanted; a job that is suspended in a queue will run."""
    return workload.is_suspended and not workload.is_batch


def guard_single(thing: LeaderWorkerSet) -> bool:
    """Groups of one pod are whole once that pod is back."""
    return wanted(thing.spec.leader_worker_template.size) < 2


def guard_spared(recovery: Recovery) -> bool:
    """Pods that are preempted or evicted cost no retry."""
    return recovery.spares_disruptions


def guard_brief(thing: Workload, brief: timedelta) -> bool:
    """It gives up after so short a time anyway that a new start costs little."""
    deadline = deadline_of(thing)
    return deadline is not None and deadline <= brief


def _gap(cluster: Snapshot, workload: GpuWorkload) -> Gap | None:
    recovery = workload.recovery
    if recovery is None or workload.decider is None or guard_scaled_to_none(workload):
        return None
    thing = objects_by_subject(cluster)[workload.decider]
    if recovery.is_none:
        return Gap(workload, thing, recovery, "spares-evictions" if recovery.spares_disruptions else "ends")
    if isinstance(thing, LeaderWorkerSet) and recovery.unit is Unit.POD and not guard_single(thing):
        return Gap(workload, thing, recovery, "half-group")
    counts = isinstance(thing, Job) and not guard_spared(recovery) and any(_on_spot(workload))
    return Gap(workload, thing, recovery, "counts") if counts else None


def _on_spot(workload: GpuWorkload) -> Iterator[Template]:
    return (template for template in workload.templates if wants_spot(template.running_spec))


def _finding(cluster: Snapshot, gap: Gap, brief: timedelta, long: timedelta) -> Finding:
    workload, thing, recovery = gap.workload, gap.thing, gap.recovery
    is_brief, is_made = guard_brief(thing, brief), Subject.of(thing) != workload.subject
    pods = sum(one.replicas for one in workload.templates if gpus_of(cluster, one))
    age = cluster.time_since(thing.metadata.creation_timestamp)
    severity = _severity(workload.gpus, pods, is_long=age is not None and age >= long)
    severity = severity.milder if gap.key == "counts" else severity
    facts: dict[str, Fact] = {"kind": thing.resource.kind, "pods": pods, "gpus": workload.gpus}
    facts |= {"field": recovery.path, "value": (recovery.value or "unset",), "owner": workload.subject.kind}
    notes = {"brief": is_brief, "hides": gap.hides, "assumed": recovery.is_assumed, "made": is_made}
    return Finding(
        subject=workload.subject,
        severity=Severity.INFO if is_brief else severity,
        confidence=Confidence.HEURISTIC if recovery.is_assumed else Confidence.CONFIG,
        messages=tuple(Message(key, facts) for key in [gap.key, *(note for note, holds in notes.items() if holds)]),
        evidence=tuple(_evidence(gap)),
        members=tuple(sorted(pod.name for template in workload.templates for pod in template.pods)),
    )


def _severity(gpus: int, pods: int, *, is_long: bool) -> Severity:
    if gpus >= MANY_GPUS or (pods > 1 and is_long):
        return Severity.HIGH
    return Severity.MEDIUM if pods > 1 else Severity.LOW


def _evidence(gap: Gap) -> Iterator[Evidence]:
    place, path = gap.thing.shown, gap.recovery.path
    hoped = None if gap.key == "counts" else next(value for end, value in HOPED.items() if path.endswith(end))
    yield Evidence(place, path, gap.recovery.value, hoped)
    if gap.hides:
        yield Evidence(place, "spec.activeDeadlineSeconds", None, "604800")
    if gap.key == "counts":
        yield Evidence(place, "spec.podFailurePolicy", None, "Ignore: DisruptionTarget")
        for template in _on_spot(gap.workload):
            yield from _spot(template)


def _spot(template: Template) -> Iterator[Evidence]:
    """Where it is written, or else in the pods to which it came."""
    running = ((pod.shown, "spec", pod.spec) for pod in template.pods)
    for place, path, spec in ((template.place, template.part.path, template.spec), *running):
        if found := [Evidence(place, f"{path}.{field}", value) for field, value in spot_wishes(spec)]:
            yield from found
            return
