"""Kubernetes objects as typed records that hold only the fields that checks read; their parts are in `fields`.

Properties give the empty value where a field is absent or null. Adding a kind is adding a class in a module of `kinds`:
`resources` finds it.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct, structs

from kubegap.cluster.fields import (
    Condition,
    LabelSelector,
    NodeSelector,
    NodeSpec,
    NodeStatus,
    PodSpec,
    PodStatus,
    Webhook,
)
from kubegap.cluster.service_fields import Endpoint, ServiceSpec

# Where the API server tells its metrics: what is read there has this as its version, and the family's name as its plural.
METRICS = "/metrics"


class Resource(Struct, frozen=True, order=True):
    """Where the API serves a kind, which is also what a role has to grant.

    In `also` are versions in which every field that is read here means the same; the first one that is served is read.
    """

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool
    also: tuple[str, ...] = ()

    @property
    def is_metric(self) -> bool:
        """Whether it is no list of objects but a family of the API server's own metrics."""
        return self.version == METRICS

    @property
    def api_version(self) -> str:
        """As objects write it: `v1`, `discovery.k8s.io/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def path(self) -> str:
        """As pages of checks write it: `v1/pods`, `discovery.k8s.io/v1/endpointslices`."""
        return f"{self.api_version}/{self.plural}"

    @property
    def versions(self) -> tuple["Resource", ...]:
        """The resource in every version that can be read, the preferred one first."""
        return (self, *(structs.replace(self, version=version) for version in self.also))

    @property
    def qualified_name(self) -> str:
        """As kubectl takes it, in whatever version the server prefers: `pods`, `endpointslices.discovery.k8s.io`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def grant(self) -> str:
        """What a role must allow to read it: `get, list pods`, `get, list endpointslices.discovery.k8s.io`, `get /metrics`."""
        if self.is_metric:
            return f"get {METRICS}"
        return f"get, list {self.qualified_name}"


class OwnerReference(Struct, frozen=True, rename="camel"):
    """Who made an object; at most one of its owners is the controller."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    controller: bool | None = None


class ManagedFields(Struct, frozen=True, rename="camel"):
    """Who wrote fields of an object last, when, and in which version of the API."""

    manager: str = ""
    api_version: str = ""
    time: datetime | None = None


class Metadata(Struct, frozen=True, rename="camel"):
    """The part that all objects share."""

    name: str = ""
    generate_name: str | None = None
    namespace: str | None = None
    uid: str | None = None
    resource_version: str | None = None
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None
    generation: int | None = None
    finalizers: list[str] | None = None
    owner_references: list[OwnerReference] | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    managed_fields: list[ManagedFields] | None = None


class KubernetesObject(Struct, frozen=True, rename="camel", kw_only=True):
    """What every kind below has; `resource` says where the API serves it."""

    resource: ClassVar[Resource]
    # Names under which pages of checks ask for several kinds at once, such as `workloads`.
    groups: ClassVar[tuple[str, ...]] = ()
    metadata: Metadata = Metadata()

    @property
    def name(self) -> str:
        """The name, or the prefix of one that the API server will make up."""
        return self.metadata.name or self.metadata.generate_name or ""

    @property
    def namespace(self) -> str | None:
        """The namespace; None for kinds that have none. A manifest that names none lands in `default`."""
        return (self.metadata.namespace or "default") if self.resource.namespaced else None

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels, never None."""
        return self.metadata.labels or {}

    @property
    def annotations(self) -> Mapping[str, str]:
        """The annotations, never None."""
        return self.metadata.annotations or {}

    @property
    def shown(self) -> str:
        """How findings name it: `Namespace/kube-system`, `Pod/opa/opa-7d9f`."""
        return "/".join(part for part in (self.resource.kind, self.namespace, self.name) if part)


class WebhookConfiguration(KubernetesObject, frozen=True):
    """What validating and mutating configurations share."""

    webhooks: list[Webhook] | None = None


class ValidatingWebhookConfiguration(WebhookConfiguration, frozen=True):
    """Webhooks that may refuse a request."""

    resource = Resource(
        "admissionregistration.k8s.io",
        "v1",
        "validatingwebhookconfigurations",
        "ValidatingWebhookConfiguration",
        namespaced=False,
    )


class MutatingWebhookConfiguration(WebhookConfiguration, frozen=True):
    """Webhooks that may change a request."""

    resource = Resource(
        "admissionregistration.k8s.io",
        "v1",
        "mutatingwebhookconfigurations",
        "MutatingWebhookConfiguration",
        namespaced=False,
    )


class NamespaceStatus(Struct, frozen=True):
    """Why a namespace that is being deleted is still there."""

    conditions: list[Condition] | None = None


class Namespace(KubernetesObject, frozen=True):
    """A namespace; its labels are what selectors look at."""

    resource = Resource("", "v1", "namespaces", "Namespace", namespaced=False)

    status: NamespaceStatus = NamespaceStatus()


class EndpointSlice(KubernetesObject, frozen=True):
    """A part of the backends of a Service, named by the label `kubernetes.io/service-name`."""

    resource = Resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", namespaced=True)

    endpoints: list[Endpoint] | None = None


class Service(KubernetesObject, frozen=True):
    """A name and an address for some pods."""

    resource = Resource("", "v1", "services", "Service", namespaced=True)

    spec: ServiceSpec = ServiceSpec()


class Pod(KubernetesObject, frozen=True):
    """A pod."""

    resource = Resource("", "v1", "pods", "Pod", namespaced=True)
    # Pods that nobody owns are workloads too, and others show what their owners made of a template.
    groups = ("workloads",)

    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()


class Node(KubernetesObject, frozen=True):
    """A machine of the cluster."""

    resource = Resource("", "v1", "nodes", "Node", namespaced=False)

    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()


class ClaimReference(Struct, frozen=True):
    """The claim that a volume is bound to."""

    namespace: str = ""
    name: str = ""


class VolumeNodeAffinity(Struct, frozen=True):
    """The nodes that can reach a volume."""

    required: NodeSelector | None = None


class PersistentVolumeSpec(Struct, frozen=True, rename="camel"):
    """Whose a volume is, and from where it can be reached."""

    claim_ref: ClaimReference | None = None
    node_affinity: VolumeNodeAffinity | None = None


class PersistentVolume(KubernetesObject, frozen=True):
    """A volume."""

    resource = Resource("", "v1", "persistentvolumes", "PersistentVolume", namespaced=False)

    spec: PersistentVolumeSpec = PersistentVolumeSpec()


class PodDisruptionBudgetSpec(Struct, frozen=True, rename="camel"):
    """Which pods a budget guards (None picks nothing, `{}` every pod of the namespace), and how: a number or `50%`."""

    selector: LabelSelector | None = None
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    unhealthy_pod_eviction_policy: str | None = None


class PodDisruptionBudgetStatus(Struct, frozen=True, rename="camel"):
    """What the disruption controller made of it."""

    observed_generation: int | None = None
    disruptions_allowed: int | None = None
    current_healthy: int | None = None
    desired_healthy: int | None = None
    expected_pods: int | None = None
    conditions: list[Condition] | None = None


class PodDisruptionBudget(KubernetesObject, frozen=True):
    """How many pods an eviction must leave."""

    resource = Resource("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", namespaced=True)

    spec: PodDisruptionBudgetSpec = PodDisruptionBudgetSpec()
    status: PodDisruptionBudgetStatus = PodDisruptionBudgetStatus()


class ResourceSliceSpec(Struct, frozen=True, rename="camel"):
    """Whose devices a slice offers, and on which node."""

    driver: str = ""
    node_name: str | None = None


class ResourceSlice(KubernetesObject, frozen=True):
    """Devices that a driver offers through dynamic resource allocation."""

    resource = Resource(
        "resource.k8s.io", "v1", "resourceslices", "ResourceSlice", namespaced=False, also=("v1beta2", "v1beta1")
    )

    spec: ResourceSliceSpec = ResourceSliceSpec()
