"""Jobs and CronJobs. Source: `k8s.io/api` `batch/v1/types.go` at Kubernetes 1.37."""

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from kubegap.cluster.fields import Condition, ObjectReference, PodTemplate
from kubegap.cluster.kinds.workload import Part, TrainingWorkload, Workload, is_true
from kubegap.cluster.objects import Resource

# Failures that a Job takes where nobody says how many.
RETRIES = 6


class OnPodCondition(Struct, frozen=True):
    """A condition of a failed pod that a rule asks for; `DisruptionTarget` is a preempted or evicted one."""

    type: str = ""
    status: str | None = None


class PodFailureRule(Struct, frozen=True, rename="camel"):
    """What to do about a failed pod: `Ignore`, `Count`, `FailIndex` or `FailJob`."""

    action: str = ""
    on_pod_conditions: list[OnPodCondition] | None = None


class PodFailurePolicy(Struct, frozen=True):
    """Rules of which the first that fits decides."""

    rules: list[PodFailureRule] | None = None

    @property
    def ignoring(self) -> list[PodFailureRule]:
        """The rules whose failures count towards no limit, however many there are."""
        return [rule for rule in self.rules or () if rule.action == "Ignore"]


class JobSpec(Struct, frozen=True, rename="camel"):
    """How often pods are made anew (`RETRIES` where nothing is said) and when to give up."""

    parallelism: int | None = None
    completions: int | None = None
    completion_mode: str | None = None
    backoff_limit: int | None = None
    backoff_limit_per_index: int | None = None
    active_deadline_seconds: int | None = None
    ttl_seconds_after_finished: int | None = None
    pod_failure_policy: PodFailurePolicy = PodFailurePolicy()
    pod_replacement_policy: str | None = None
    suspend: bool | None = None
    template: PodTemplate = PodTemplate()

    @property
    def pods_at_once(self) -> int:
        """How many pods run side by side: never more than are to complete."""
        parallel = 1 if self.parallelism is None else self.parallelism
        return parallel if self.completions is None else min(parallel, self.completions)


class JobStatus(Struct, frozen=True, rename="camel"):
    """How far a Job is; its conditions say `Complete` or `Failed` at the end."""

    active: int | None = None
    succeeded: int | None = None
    failed: int | None = None
    start_time: datetime | None = None
    completion_time: datetime | None = None
    conditions: list[Condition] | None = None


class Job(TrainingWorkload, frozen=True):
    """Pods that run to an end."""

    resource = Resource("batch", "v1", "jobs", "Job", namespaced=True)

    spec: JobSpec = JobSpec()
    status: JobStatus = JobStatus()

    @property
    def is_suspended(self) -> bool:
        """Whether `suspend` is set, as queues do while a Job waits."""
        return bool(self.spec.suspend)

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return is_true(self.status.conditions, "Complete", "Failed")

    def parts(self) -> Iterator[Part]:
        """Its one template."""
        yield Part("", "spec.template.spec", self.spec.template, self.spec.pods_at_once)


class JobTemplate(Struct, frozen=True):
    """What Jobs are made from."""

    spec: JobSpec = JobSpec()


class CronJobSpec(Struct, frozen=True, rename="camel"):
    """When Jobs start, and what becomes of those that overlap or are left over."""

    schedule: str = ""
    time_zone: str | None = None
    concurrency_policy: str | None = None
    starting_deadline_seconds: int | None = None
    suspend: bool | None = None
    successful_jobs_history_limit: int | None = None
    failed_jobs_history_limit: int | None = None
    job_template: JobTemplate = JobTemplate()


class CronJobStatus(Struct, frozen=True, rename="camel"):
    """The Jobs that run now, and when one last started and last succeeded."""

    active: list[ObjectReference] | None = None
    last_schedule_time: datetime | None = None
    last_successful_time: datetime | None = None


class CronJob(Workload, frozen=True):
    """Jobs by the clock."""

    resource = Resource("batch", "v1", "cronjobs", "CronJob", namespaced=True)
    is_batch = True

    spec: CronJobSpec = CronJobSpec()
    status: CronJobStatus = CronJobStatus()

    @property
    def is_suspended(self) -> bool:
        """Whether no more Jobs are started."""
        return bool(self.spec.suspend)

    def parts(self) -> Iterator[Part]:
        """The template of its Jobs."""
        job = self.spec.job_template.spec
        yield Part("", "spec.jobTemplate.spec.template.spec", job.template, job.pods_at_once)
