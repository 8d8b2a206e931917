"""What becomes of a workload when one of its pods or nodes fails, in the same words whatever runs it.

Sources: those of the modules in `kinds`. Defaults are the ones that the API server or the project's controller fills in.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct

from kubegap.cluster.kinds.apps import DaemonSet, Deployment, StatefulSet
from kubegap.cluster.kinds.batch import RETRIES, CronJob, Job, JobSpec
from kubegap.cluster.kinds.jobset import JobSet
from kubegap.cluster.kinds.kubeflow import (
    JAXJob,
    KubeflowJob,
    MPIJob,
    PaddleJob,
    PyTorchJob,
    TFJob,
    TrainJob,
    XGBoostJob,
)
from kubegap.cluster.kinds.leader_worker_set import LeaderWorkerSet
from kubegap.cluster.kinds.ray import RayCluster, RayJob, RayService
from kubegap.cluster.kinds.volcano import LifecyclePolicy, VolcanoJob
from kubegap.cluster.kinds.workload import Workload

_DISRUPTED = "DisruptionTarget"
_VOLCANO_RETRIES = 3


class Unit(StrEnum):
    """What is made anew after a failure: the pod alone, the whole group, or nothing."""

    POD = "pod"
    GROUP = "group"
    NONE = "none"


class Recovery(Struct, frozen=True):
    """How a workload comes back, and the field that says so.

    `restarts`: how often, None without limit. `spares_disruptions`: whether preempted and evicted pods do not count towards that.
    `is_elastic`: whether it goes on with fewer pods. `is_assumed`: whether two controllers would take the object differently.
    `value` is None where the field is not set.
    """

    unit: Unit
    restarts: int | None
    path: str
    value: str | None
    spares_disruptions: bool = False
    is_elastic: bool = False
    is_assumed: bool = False

    @property
    def is_none(self) -> bool:
        """Whether one failure is the end."""
        return self.unit is Unit.NONE or self.restarts == 0


def recovery_of(thing: Workload) -> Recovery | None:
    """How an object comes back; None for one that leaves it to others, as a TrainJob to its runtime."""
    known = _BY_KIND.get(type(thing))
    return known(thing) if known else None


def deadline_of(thing: Workload) -> timedelta | None:
    """After how long an object gives up by itself, done or not; None where it never does or its kind cannot."""
    if isinstance(thing, KubeflowJob):
        seconds = thing.spec.run_policy.active_deadline_seconds
    elif isinstance(thing, CronJob):
        seconds = thing.spec.job_template.spec.active_deadline_seconds
    else:
        seconds = thing.spec.active_deadline_seconds if isinstance(thing, Job | RayJob | TrainJob) else None
    return None if seconds is None else timedelta(seconds=seconds)


def _written(value: object) -> str | None:
    return None if value is None else str(value)


def _job(job: JobSpec, path: str) -> Recovery:
    ignored = [one.type for rule in job.pod_failure_policy.ignoring for one in rule.on_pod_conditions or ()]
    # With a limit for each index there is none for all of them, unless it is written.
    default = RETRIES if job.backoff_limit_per_index is None else job.backoff_limit_per_index
    restarts = default if job.backoff_limit is None else job.backoff_limit
    return Recovery(
        Unit.POD,
        restarts,
        f"{path}.backoffLimit",
        _written(job.backoff_limit),
        spares_disruptions=_DISRUPTED in ignored,
    )


def _job_set(thing: JobSet) -> Recovery:
    policy = thing.spec.failure_policy
    if policy is None:
        return Recovery(Unit.NONE, 0, "spec.failurePolicy", None)
    actions = {rule.action for rule in policy.rules or ()}
    spares = any(action.endswith("IgnoreMaxRestarts") for action in actions)
    restarts, value = policy.max_restarts or 0, _written(policy.max_restarts)
    return Recovery(Unit.GROUP, restarts, "spec.failurePolicy.maxRestarts", value, spares_disruptions=spares)


def _kubeflow(thing: KubeflowJob) -> Recovery:
    """The role that gives up first decides; a launcher without a policy is taken differently by the two MPI operators."""
    elastic = thing.spec.elastic_policy
    policies = {role: spec.restart_policy for role, spec in thing.roles.items()}
    dead = [role for role, policy in policies.items() if (policy or thing.default_restart_policy) == "Never"]
    if dead and elastic is None:
        (part,) = [part for part in thing.parts() if part.role == dead[0]]
        path = part.path.removesuffix("template.spec") + "restartPolicy"
        is_assumed = isinstance(thing, MPIJob) and policies[dead[0]] is None
        return Recovery(Unit.NONE, 0, path, policies[dead[0]], is_assumed=is_assumed)
    limit = thing.spec.run_policy.backoff_limit
    restarts = limit if elastic is None or elastic.max_restarts is None else elastic.max_restarts
    path = "spec.runPolicy.backoffLimit" if restarts == limit else "spec.elasticPolicy.maxRestarts"
    return Recovery(Unit.POD, restarts, path, _written(restarts), is_elastic=elastic is not None)


def _ray_job(thing: RayJob) -> Recovery:
    limit = thing.spec.backoff_limit
    return Recovery(Unit.GROUP, limit or 0, "spec.backoffLimit", _written(limit))


def _volcano(thing: VolcanoJob) -> Recovery:
    policies = [*(thing.spec.policies or ()), *(one for task in thing.spec.tasks or () for one in task.policies or ())]
    failed, evicted = _actions(policies, "PodFailed"), _actions(policies, "PodEvicted")
    restarting = next((action for action in failed if action.startswith("Restart")), None)
    if restarting is None:
        return Recovery(Unit.NONE, 0, "spec.policies", ", ".join(failed) or None)
    unit = Unit.POD if restarting in {"RestartPod", "RestartTask"} else Unit.GROUP
    retries = _VOLCANO_RETRIES if thing.spec.max_retry is None else thing.spec.max_retry
    spares = any(action.startswith("Restart") for action in evicted)
    return Recovery(unit, retries, "spec.maxRetry", _written(thing.spec.max_retry), spares_disruptions=spares)


def _actions(policies: Iterable[LifecyclePolicy], event: str) -> list[str]:
    return [policy.action for policy in policies if {event, "*"} & set(policy.all_events)]


def _leader_worker_set(thing: LeaderWorkerSet) -> Recovery:
    """Where the group is not made anew, a pod alone is, and waits for a group that has moved on."""
    policy = thing.spec.leader_worker_template.restart_policy
    unit = Unit.POD if policy in {"None", "Default"} else Unit.GROUP
    return Recovery(unit, None, "spec.leaderWorkerTemplate.restartPolicy", policy, spares_disruptions=True)


def _for_ever(_: Workload) -> Recovery:
    """Pods that somebody always makes anew."""
    return Recovery(Unit.POD, None, "spec.template.spec.restartPolicy", None, spares_disruptions=True)


_BY_KIND: Mapping[type[Workload], Callable[[Any], Recovery]] = {
    Job: lambda thing: _job(thing.spec, "spec"),
    CronJob: lambda thing: _job(thing.spec.job_template.spec, "spec.jobTemplate.spec"),
    JobSet: _job_set,
    **dict.fromkeys((PyTorchJob, TFJob, XGBoostJob, PaddleJob, JAXJob, MPIJob), _kubeflow),
    RayJob: _ray_job,
    VolcanoJob: _volcano,
    LeaderWorkerSet: _leader_worker_set,
    **dict.fromkeys((Deployment, StatefulSet, DaemonSet, RayCluster, RayService), _for_ever),
}
