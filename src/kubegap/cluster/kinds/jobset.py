"""Sets of Jobs that live and die together. Source: `sigs.k8s.io/jobset` `api/jobset/v1alpha2` at August 2026."""

from collections.abc import Iterator

from msgspec import Struct

from kubegap.cluster.fields import Condition
from kubegap.cluster.kinds.batch import JobTemplate
from kubegap.cluster.kinds.workload import Part, TrainingWorkload, is_true, wanted
from kubegap.cluster.objects import Resource


class ReplicatedJob(Struct, frozen=True):
    """Jobs that are made alike."""

    name: str = ""
    replicas: int | None = None
    template: JobTemplate = JobTemplate()


class FailureRule(Struct, frozen=True, rename="camel"):
    """What a failed Job leads to: `FailJobSet`, `RestartJobSet`, `RestartJobSetAndIgnoreMaxRestarts` and others."""

    action: str = ""


class FailurePolicy(Struct, frozen=True, rename="camel"):
    """How often the set starts again before it fails; without a policy the first failed Job fails it."""

    max_restarts: int | None = None
    rules: list[FailureRule] | None = None


class JobSetSpec(Struct, frozen=True, rename="camel"):
    """What a JobSet wants."""

    replicated_jobs: list[ReplicatedJob] | None = None
    failure_policy: FailurePolicy | None = None
    suspend: bool | None = None
    ttl_seconds_after_finished: int | None = None


class JobSetStatus(Struct, frozen=True, rename="camel"):
    """How it ended, if it did."""

    conditions: list[Condition] | None = None


class JobSet(TrainingWorkload, frozen=True):
    """Jobs that are one training run."""

    resource = Resource("jobset.x-k8s.io", "v1alpha2", "jobsets", "JobSet", namespaced=True)

    spec: JobSetSpec = JobSetSpec()
    status: JobSetStatus = JobSetStatus()

    @property
    def is_suspended(self) -> bool:
        """Whether it waits in a queue."""
        return bool(self.spec.suspend)

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return is_true(self.status.conditions, "Completed", "Failed")

    def parts(self) -> Iterator[Part]:
        """One template for each group of Jobs."""
        for index, group in enumerate(self.spec.replicated_jobs or ()):
            job = group.template.spec
            path = f"spec.replicatedJobs[{index}].template.spec.template.spec"
            yield Part(group.name, path, job.template, wanted(group.replicas) * job.pods_at_once)
