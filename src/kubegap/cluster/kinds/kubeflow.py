"""Training jobs of Kubeflow.

Source: `github.com/kubeflow/training-operator` `pkg/apis/kubeflow.org/v1` at 1.9.0 (PyTorchJob, TFJob, XGBoostJob,
PaddleJob, JAXJob, MPIJob), `github.com/kubeflow/mpi-operator` `pkg/apis/kubeflow/v2beta1` at July 2026 (MPIJob of its
own operator) and `github.com/kubeflow/trainer` `pkg/apis/trainer/v1alpha1` at August 2026 (TrainJob).
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec import Struct, structs

from kubegap.cluster.containers import Container, ResourceRequirements
from kubegap.cluster.fields import Condition, PodSpec, PodTemplate
from kubegap.cluster.kinds.workload import Part, TrainingWorkload, is_true, wanted
from kubegap.cluster.objects import Resource


class ReplicaSpec(Struct, frozen=True, rename="camel"):
    """The pods of one role; `restart_policy` overrules the template's, and `ExitCode` restarts after 128 and above."""

    replicas: int | None = None
    restart_policy: str | None = None
    template: PodTemplate = PodTemplate()


class RunPolicy(Struct, frozen=True, rename="camel"):
    """When to give up."""

    active_deadline_seconds: int | None = None
    backoff_limit: int | None = None
    suspend: bool | None = None


class ElasticPolicy(Struct, frozen=True, rename="camel"):
    """That PyTorch goes on with fewer workers, and how often it starts anew."""

    max_restarts: int | None = None


class KubeflowJobSpec(Struct, frozen=True, rename="camel"):
    """A job of the training operator; each kind fills the one field with replicas that is its own."""

    run_policy: RunPolicy = RunPolicy()
    elastic_policy: ElasticPolicy | None = None
    pytorch_replica_specs: dict[str, ReplicaSpec] | None = None
    tf_replica_specs: dict[str, ReplicaSpec] | None = None
    xgb_replica_specs: dict[str, ReplicaSpec] | None = None
    paddle_replica_specs: dict[str, ReplicaSpec] | None = None
    jax_replica_specs: dict[str, ReplicaSpec] | None = None
    mpi_replica_specs: dict[str, ReplicaSpec] | None = None


class JobStatus(Struct, frozen=True):
    """`Running`, `Succeeded`, `Failed`."""

    conditions: list[Condition] | None = None


class KubeflowJob(TrainingWorkload, frozen=True):
    """What the jobs of the training operator share."""

    # What the operator takes for a restart policy that nobody wrote.
    default_restart_policy: ClassVar[str] = "Never"

    spec: KubeflowJobSpec = KubeflowJobSpec()
    status: JobStatus = JobStatus()

    @property
    def roles(self) -> Mapping[str, ReplicaSpec]:
        """The replicas by role, such as `Master` and `Worker`."""
        return self._found[1]

    @property
    def is_suspended(self) -> bool:
        """Whether it waits in a queue."""
        return bool(self.spec.run_policy.suspend)

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return is_true(self.status.conditions, "Succeeded", "Failed")

    def parts(self) -> Iterator[Part]:
        """One template for each role."""
        field, roles = self._found
        for role, spec in roles.items():
            yield Part(role, f"spec.{field}.{role}.template.spec", spec.template, wanted(spec.replicas))

    @property
    def _found(self) -> tuple[str, Mapping[str, ReplicaSpec]]:
        for field in structs.fields(KubeflowJobSpec):
            if field.name.endswith("_replica_specs") and (roles := getattr(self.spec, field.name)):
                return field.encode_name, roles
        return "", {}


class PyTorchJob(KubeflowJob, frozen=True):
    """Distributed PyTorch."""

    resource = Resource("kubeflow.org", "v1", "pytorchjobs", "PyTorchJob", namespaced=True)
    default_restart_policy = "OnFailure"


class TFJob(KubeflowJob, frozen=True):
    """Distributed TensorFlow."""

    resource = Resource("kubeflow.org", "v1", "tfjobs", "TFJob", namespaced=True)


class XGBoostJob(KubeflowJob, frozen=True):
    """Distributed XGBoost."""

    resource = Resource("kubeflow.org", "v1", "xgboostjobs", "XGBoostJob", namespaced=True)


class PaddleJob(KubeflowJob, frozen=True):
    """Distributed PaddlePaddle."""

    resource = Resource("kubeflow.org", "v1", "paddlejobs", "PaddleJob", namespaced=True)
    default_restart_policy = "OnFailure"


class JAXJob(KubeflowJob, frozen=True):
    """Distributed JAX."""

    resource = Resource("kubeflow.org", "v1", "jaxjobs", "JAXJob", namespaced=True)


class MPIJob(KubeflowJob, frozen=True):
    """A launcher and the workers that it reaches; of the training operator (v1) or of the MPI operator (v2beta1)."""

    resource = Resource("kubeflow.org", "v1", "mpijobs", "MPIJob", namespaced=True, also=("v2beta1",))


class Trainer(Struct, frozen=True, rename="camel"):
    """What a TrainJob says itself; all else comes from its runtime."""

    image: str | None = None
    num_nodes: int | None = None
    resources_per_node: ResourceRequirements | None = None


class TrainJobSpec(Struct, frozen=True, rename="camel"):
    """A TrainJob."""

    trainer: Trainer | None = None
    suspend: bool | None = None
    active_deadline_seconds: int | None = None


class TrainJob(TrainingWorkload, frozen=True):
    """A training job of Kubeflow Trainer, which makes a JobSet of it."""

    resource = Resource("trainer.kubeflow.org", "v1alpha1", "trainjobs", "TrainJob", namespaced=True)
    stands_in = True

    spec: TrainJobSpec = TrainJobSpec()
    status: JobStatus = JobStatus()

    @property
    def is_suspended(self) -> bool:
        """Whether it waits in a queue."""
        return bool(self.spec.suspend)

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return is_true(self.status.conditions, "Complete", "Failed")

    def parts(self) -> Iterator[Part]:
        """What it says itself of its nodes; nothing where all of it is left to the runtime."""
        trainer = self.spec.trainer
        if trainer and (trainer.resources_per_node or trainer.image):
            node = Container(name="node", image=trainer.image, resources=trainer.resources_per_node)
            yield Part("node", "spec.trainer", PodTemplate(spec=PodSpec(containers=[node])), trainer.num_nodes)
