"""Groups of a leader and its workers. Source: `sigs.k8s.io/lws` `api/leaderworkerset/v1` at August 2026."""

from collections.abc import Iterator

from msgspec import Struct

from kubegap.cluster.fields import PodTemplate
from kubegap.cluster.kinds.workload import Part, TrainingWorkload, wanted
from kubegap.cluster.objects import Resource

LEADER, WORKER = "leader", "worker"


class LeaderWorkerTemplate(Struct, frozen=True, rename="camel"):
    """One group: `size` pods with the leader; without a template of its own the leader is made like the workers."""

    leader_template: PodTemplate | None = None
    worker_template: PodTemplate = PodTemplate()
    size: int | None = None
    restart_policy: str | None = None


class LeaderWorkerSetSpec(Struct, frozen=True, rename="camel"):
    """How many groups, and what they are."""

    replicas: int | None = None
    leader_worker_template: LeaderWorkerTemplate = LeaderWorkerTemplate()


class LeaderWorkerSet(TrainingWorkload, frozen=True):
    """Groups of pods that each serve, or train, as one; most serve."""

    resource = Resource("leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "LeaderWorkerSet", namespaced=True)
    is_batch = False

    spec: LeaderWorkerSetSpec = LeaderWorkerSetSpec()

    def parts(self) -> Iterator[Part]:
        """The leaders and the workers, or all in one where they are made alike."""
        group, path = self.spec.leader_worker_template, "spec.leaderWorkerTemplate"
        groups, size = wanted(self.spec.replicas), wanted(group.size)
        if group.leader_template:
            yield Part(LEADER, f"{path}.leaderTemplate.spec", group.leader_template, groups)
            size -= 1
        role = WORKER if group.leader_template else ""
        yield Part(role, f"{path}.workerTemplate.spec", group.worker_template, groups * size)
