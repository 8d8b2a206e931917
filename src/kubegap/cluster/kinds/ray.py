"""Ray on Kubernetes. Source: `github.com/ray-project/kuberay` `ray-operator/apis/ray/v1` at August 2026."""

from collections.abc import Iterator

from msgspec import Struct, field

from kubegap.cluster.fields import PodTemplate
from kubegap.cluster.kinds.workload import Part, TrainingWorkload, Workload, wanted
from kubegap.cluster.objects import Resource

HEAD = "headgroup"


class HeadGroup(Struct, frozen=True):
    """The pod that keeps the cluster together."""

    template: PodTemplate = PodTemplate()


class WorkerGroup(Struct, frozen=True, rename="camel"):
    """Workers that are made alike; each replica is `num_of_hosts` pods."""

    group_name: str = ""
    replicas: int | None = None
    min_replicas: int | None = None
    num_of_hosts: int | None = None
    suspend: bool | None = None
    template: PodTemplate = PodTemplate()

    @property
    def pods(self) -> int:
        """How many pods are wanted; silence about replicas means the least, as the operator takes it."""
        replicas = self.replicas if self.replicas is not None else self.min_replicas
        return 0 if self.suspend else (replicas or 0) * wanted(self.num_of_hosts)


class RayClusterSpec(Struct, frozen=True, rename="camel"):
    """A head and its workers."""

    suspend: bool | None = None
    head_group_spec: HeadGroup = HeadGroup()
    worker_group_specs: list[WorkerGroup] | None = None

    def parts(self, path: str) -> Iterator[Part]:
        """The head and each group of workers; `path` is where this spec stands."""
        yield Part(HEAD, f"{path}.headGroupSpec.template.spec", self.head_group_spec.template, 1)
        for index, group in enumerate(self.worker_group_specs or ()):
            place = f"{path}.workerGroupSpecs[{index}].template.spec"
            yield Part(group.group_name, place, group.template, group.pods)


class RayCluster(TrainingWorkload, frozen=True):
    """A Ray cluster that stands until somebody takes it down."""

    resource = Resource("ray.io", "v1", "rayclusters", "RayCluster", namespaced=True, also=("v1alpha1",))

    spec: RayClusterSpec = RayClusterSpec()

    @property
    def is_suspended(self) -> bool:
        """Whether its pods are taken down for now."""
        return bool(self.spec.suspend)

    def parts(self) -> Iterator[Part]:
        """The head and each group of workers."""
        return self.spec.parts("spec")


class RayJobSpec(Struct, frozen=True, rename="camel"):
    """A job and the cluster that is made for it; no retries are the default."""

    active_deadline_seconds: int | None = None
    backoff_limit: int | None = None
    suspend: bool | None = None
    ray_cluster_spec: RayClusterSpec | None = None


class RayJobStatus(Struct, frozen=True, rename="camel"):
    """How the job's cluster is: `Running`, `Complete`, `Failed`."""

    job_deployment_status: str | None = None


class RayJob(TrainingWorkload, frozen=True):
    """A job on a Ray cluster of its own, or on one that is there."""

    resource = Resource("ray.io", "v1", "rayjobs", "RayJob", namespaced=True, also=("v1alpha1",))
    stands_in = True

    spec: RayJobSpec = RayJobSpec()
    status: RayJobStatus = RayJobStatus()

    @property
    def is_suspended(self) -> bool:
        """Whether it waits in a queue."""
        return bool(self.spec.suspend)

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return self.status.job_deployment_status in {"Complete", "Failed"}

    def parts(self) -> Iterator[Part]:
        """Those of the cluster that is made for it."""
        spec = self.spec.ray_cluster_spec
        return spec.parts("spec.rayClusterSpec") if spec else iter(())


class RayServiceSpec(Struct, frozen=True):
    """A cluster that serves models."""

    ray_cluster_spec: RayClusterSpec = field(default=RayClusterSpec(), name="rayClusterConfig")


class RayService(Workload, frozen=True):
    """Models that Ray serves."""

    resource = Resource("ray.io", "v1", "rayservices", "RayService", namespaced=True, also=("v1alpha1",))
    stands_in = True

    spec: RayServiceSpec = RayServiceSpec()

    def parts(self) -> Iterator[Part]:
        """Those of its cluster."""
        return self.spec.ray_cluster_spec.parts("spec.rayClusterConfig")
