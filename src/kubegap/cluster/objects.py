"""Kubernetes objects as typed records that hold only the fields that checks read.

Every field may be absent or null, as it may in the API; properties give the empty value instead. Adding a kind is
adding a class here: `RESOURCES` finds it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Literal

from msgspec import Struct


class Resource(Struct, frozen=True, order=True):
    """Where the API serves a kind, which is also what a role has to grant."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool

    @property
    def api_version(self) -> str:
        """As objects write it: `v1`, `discovery.k8s.io/v1`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def path(self) -> str:
        """As pages of checks write it: `v1/pods`, `discovery.k8s.io/v1/endpointslices`."""
        return f"{self.api_version}/{self.plural}"

    @property
    def grant(self) -> str:
        """What a role must allow to read it: `get, list pods`, `get, list endpointslices.discovery.k8s.io`."""
        return f"get, list {self.plural}.{self.group}" if self.group else f"get, list {self.plural}"


class Metadata(Struct, frozen=True, rename="camel"):
    """The part that all objects share."""

    name: str = ""
    generate_name: str | None = None
    namespace: str | None = None
    uid: str | None = None
    resource_version: str | None = None
    creation_timestamp: datetime | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None


class KubernetesObject(Struct, frozen=True, rename="camel", kw_only=True):
    """What every kind below has; `resource` says where the API serves it."""

    resource: ClassVar[Resource]
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


class Requirement(Struct, frozen=True):
    """One expression of a label selector."""

    key: str
    operator: str
    values: list[str] | None = None


class LabelSelector(Struct, frozen=True, rename="camel"):
    """`metav1.LabelSelector`; the rules are in `selectors`."""

    match_labels: dict[str, str] | None = None
    match_expressions: list[Requirement] | None = None


class Rule(Struct, frozen=True, rename="camel"):
    """Which requests a webhook asks for; the rules of matching are in `admission`."""

    operations: list[str] | None = None
    api_groups: list[str] | None = None
    api_versions: list[str] | None = None
    resources: list[str] | None = None
    scope: str | None = None


class MatchCondition(Struct, frozen=True):
    """A CEL expression that must hold for the webhook to be called."""

    name: str = ""
    expression: str = ""


class ServiceReference(Struct, frozen=True):
    """The Service behind a webhook."""

    namespace: str = ""
    name: str = ""


class ClientConfig(Struct, frozen=True):
    """How the API server reaches a webhook: a Service in the cluster, or a URL."""

    service: ServiceReference | None = None
    url: str | None = None


class Webhook(Struct, frozen=True, rename="camel"):
    """One webhook of a configuration, validating or mutating: the fields read are the same."""

    name: str = ""
    client_config: ClientConfig = ClientConfig()
    rules: list[Rule] | None = None
    failure_policy: Literal["Fail", "Ignore"] | None = None
    match_policy: Literal["Exact", "Equivalent"] | None = None
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    match_conditions: list[MatchCondition] | None = None


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


class Namespace(KubernetesObject, frozen=True):
    """A namespace; its labels are what selectors look at."""

    resource = Resource("", "v1", "namespaces", "Namespace", namespaced=False)


class EndpointConditions(Struct, frozen=True):
    """Whether traffic may go to an endpoint; an unknown `ready` counts as ready, as the API says."""

    ready: bool | None = None


class ObjectReference(Struct, frozen=True):
    """The pod behind an endpoint."""

    kind: str = ""
    name: str = ""


class Endpoint(Struct, frozen=True, rename="camel"):
    """One backend of a Service."""

    addresses: list[str] | None = None
    conditions: EndpointConditions | None = None
    node_name: str | None = None
    target_ref: ObjectReference | None = None


class EndpointSlice(KubernetesObject, frozen=True):
    """A part of the backends of a Service, named by the label `kubernetes.io/service-name`."""

    resource = Resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", namespaced=True)

    endpoints: list[Endpoint] | None = None


class Pod(KubernetesObject, frozen=True):
    """A pod; so far only its labels are read."""

    resource = Resource("", "v1", "pods", "Pod", namespaced=True)


class NodeSpec(Struct, frozen=True, rename={"provider_id": "providerID"}):
    """Who made the machine: `aws:///eu-west-1a/i-0abc`, `kind://docker/kind/kind-control-plane`."""

    provider_id: str | None = None


class NodeInfo(Struct, frozen=True, rename="camel"):
    """The kubelet's version, whose suffix names the provider: `v1.33.5-eks-113cf36`."""

    kubelet_version: str = ""


class NodeStatus(Struct, frozen=True, rename="camel"):
    """What the kubelet reports."""

    node_info: NodeInfo | None = None


class Node(KubernetesObject, frozen=True):
    """A machine of the cluster."""

    resource = Resource("", "v1", "nodes", "Node", namespaced=False)

    spec: NodeSpec | None = None
    status: NodeStatus | None = None


def _leaves(kind: type[KubernetesObject]) -> Sequence[type[KubernetesObject]]:
    """The kinds below one: those that the API serves."""
    below = kind.__subclasses__()
    return [leaf for child in below for leaf in _leaves(child)] if below else [kind]


RESOURCES: Mapping[str, type[KubernetesObject]] = {kind.resource.path: kind for kind in _leaves(KubernetesObject)}
