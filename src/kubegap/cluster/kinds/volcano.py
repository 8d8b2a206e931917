"""Jobs of Volcano. Source: `volcano.sh/apis` `pkg/apis/batch/v1alpha1` and `pkg/apis/bus/v1alpha1` at June 2026."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from kubegap.cluster.fields import PodTemplate
from kubegap.cluster.kinds.workload import Part, TrainingWorkload, wanted
from kubegap.cluster.objects import Resource

_OVER = {"Completed", "Terminated", "Aborted", "Failed"}


class LifecyclePolicy(Struct, frozen=True):
    """What an event (`PodFailed`, `PodEvicted`, `*` …) leads to: `RestartJob`, `RestartTask`, `AbortJob` and others."""

    action: str = ""
    event: str | None = None
    events: list[str] | None = None

    @property
    def all_events(self) -> Sequence[str]:
        """One or several, however they are written."""
        return [*([self.event] if self.event else []), *(self.events or ())]


class Task(Struct, frozen=True, rename="camel"):
    """Pods that are made alike."""

    name: str = ""
    replicas: int | None = None
    policies: list[LifecyclePolicy] | None = None
    template: PodTemplate = PodTemplate()


class VolcanoJobSpec(Struct, frozen=True, rename="camel"):
    """What a job wants; three retries are the default."""

    min_available: int | None = None
    max_retry: int | None = None
    ttl_seconds_after_finished: int | None = None
    policies: list[LifecyclePolicy] | None = None
    tasks: list[Task] | None = None


class VolcanoState(Struct, frozen=True):
    """`Running`, `Completed`, `Failed` and others."""

    phase: str | None = None


class VolcanoJobStatus(Struct, frozen=True):
    """How a job is."""

    state: VolcanoState | None = None


class VolcanoJob(TrainingWorkload, frozen=True):
    """Pods that Volcano starts all together."""

    resource = Resource("batch.volcano.sh", "v1alpha1", "jobs", "Job", namespaced=True)

    spec: VolcanoJobSpec = VolcanoJobSpec()
    status: VolcanoJobStatus = VolcanoJobStatus()

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return self.status.state is not None and self.status.state.phase in _OVER

    def parts(self) -> Iterator[Part]:
        """One template for each task."""
        for index, task in enumerate(self.spec.tasks or ()):
            yield Part(task.name, f"spec.tasks[{index}].template.spec", task.template, wanted(task.replicas))
