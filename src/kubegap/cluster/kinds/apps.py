"""Deployments, StatefulSets and DaemonSets. Source: `k8s.io/api` `apps/v1/types.go` at Kubernetes 1.37."""

from collections.abc import Iterator

from msgspec import Struct

from kubegap.cluster.fields import Condition, LabelSelector, PodTemplate, TemplateMetadata
from kubegap.cluster.kinds.workload import Part, Workload, wanted
from kubegap.cluster.objects import Resource

_SPEC = "spec.template.spec"


class RollingUpdate(Struct, frozen=True, rename="camel"):
    """How many pods a rollout may add and miss at a time, as a number or `25%`; both are 25 % where a Deployment is silent.

    `partition`: the pods of a StatefulSet below this number stay as they are.
    """

    max_surge: int | str | None = None
    max_unavailable: int | str | None = None
    partition: int | None = None


class UpdateStrategy(Struct, frozen=True, rename="camel"):
    """`RollingUpdate` where nothing is said, `Recreate` (Deployment) or `OnDelete` (StatefulSet, DaemonSet)."""

    type: str | None = None
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(Struct, frozen=True, rename="camel"):
    """What a Deployment wants."""

    replicas: int | None = None
    strategy: UpdateStrategy | None = None
    template: PodTemplate = PodTemplate()


class ReplicaStatus(Struct, frozen=True, rename="camel"):
    """How far a Deployment or StatefulSet is; `observed_generation` behind the object's own means not looked at yet."""

    observed_generation: int | None = None
    replicas: int | None = None
    updated_replicas: int | None = None
    conditions: list[Condition] | None = None


class Deployment(Workload, frozen=True):
    """Pods that are all alike and may come and go."""

    resource = Resource("apps", "v1", "deployments", "Deployment", namespaced=True)

    spec: DeploymentSpec = DeploymentSpec()
    status: ReplicaStatus = ReplicaStatus()

    def parts(self) -> Iterator[Part]:
        """Its one template."""
        yield Part("", _SPEC, self.spec.template, wanted(self.spec.replicas))


class ClaimTemplate(Struct, frozen=True):
    """A volume that every pod of a StatefulSet gets for itself."""

    metadata: TemplateMetadata = TemplateMetadata()


class StatefulSetSpec(Struct, frozen=True, rename="camel"):
    """What a StatefulSet wants."""

    replicas: int | None = None
    update_strategy: UpdateStrategy | None = None
    volume_claim_templates: list[ClaimTemplate] | None = None
    template: PodTemplate = PodTemplate()


class StatefulSet(Workload, frozen=True):
    """Pods that each keep a name and, often, a volume."""

    resource = Resource("apps", "v1", "statefulsets", "StatefulSet", namespaced=True)

    spec: StatefulSetSpec = StatefulSetSpec()
    status: ReplicaStatus = ReplicaStatus()

    def parts(self) -> Iterator[Part]:
        """Its one template."""
        yield Part("", _SPEC, self.spec.template, wanted(self.spec.replicas))


class DaemonSetSpec(Struct, frozen=True, rename="camel"):
    """What a DaemonSet wants on every node."""

    selector: LabelSelector | None = None
    update_strategy: UpdateStrategy | None = None
    template: PodTemplate = PodTemplate()


class DaemonSetStatus(Struct, frozen=True, rename="camel"):
    """On how many nodes it should run, and does."""

    observed_generation: int | None = None
    desired_number_scheduled: int | None = None
    updated_number_scheduled: int | None = None
    conditions: list[Condition] | None = None


class DaemonSet(Workload, frozen=True):
    """A pod on every node that fits."""

    resource = Resource("apps", "v1", "daemonsets", "DaemonSet", namespaced=True)

    spec: DaemonSetSpec = DaemonSetSpec()
    status: DaemonSetStatus = DaemonSetStatus()

    def parts(self) -> Iterator[Part]:
        """Its one template; the nodes decide how many pods there are."""
        yield Part("", _SPEC, self.spec.template, self.status.desired_number_scheduled)
