"""Kinds that extend the API, and leases that say who leads.

Source: `k8s.io/apiextensions-apiserver` `pkg/apis/apiextensions/v1`, `k8s.io/kube-aggregator`
`pkg/apis/apiregistration/v1` and `k8s.io/api` `coordination/v1` at Kubernetes 1.37.
"""

from msgspec import Struct

from kubegap.cluster.fields import ClientConfig, Condition, ServiceReference
from kubegap.cluster.objects import KubernetesObject, Resource


class ConversionWebhook(Struct, frozen=True, rename="camel"):
    """Who translates between versions."""

    client_config: ClientConfig | None = None


class Conversion(Struct, frozen=True):
    """How objects of one version become another: `None` (only the name changes) or `Webhook`."""

    strategy: str = "None"
    webhook: ConversionWebhook | None = None


class DefinitionVersion(Struct, frozen=True):
    """One version; its schema is never read."""

    name: str = ""
    served: bool = False


class DefinitionSpec(Struct, frozen=True):
    """The versions of a kind and who translates between them."""

    conversion: Conversion | None = None
    versions: list[DefinitionVersion] | None = None


class DefinitionStatus(Struct, frozen=True, rename="camel"):
    """Versions in which objects are still stored."""

    stored_versions: list[str] | None = None
    conditions: list[Condition] | None = None


class CustomResourceDefinition(KubernetesObject, frozen=True):
    """A kind that somebody added to the API."""

    resource = Resource(
        "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", namespaced=False
    )

    spec: DefinitionSpec = DefinitionSpec()
    status: DefinitionStatus = DefinitionStatus()


class APIServiceSpec(Struct, frozen=True):
    """Who answers for a version of a group; None where the API server does so itself."""

    service: ServiceReference | None = None


class APIService(KubernetesObject, frozen=True):
    """A part of the API that may be answered by a server of its own."""

    resource = Resource("apiregistration.k8s.io", "v1", "apiservices", "APIService", namespaced=False)

    spec: APIServiceSpec = APIServiceSpec()


class LeaseSpec(Struct, frozen=True, rename="camel"):
    """Who holds it."""

    holder_identity: str | None = None


class Lease(KubernetesObject, frozen=True):
    """Who leads, or, in `kube-node-lease`, that a node lives."""

    resource = Resource("coordination.k8s.io", "v1", "leases", "Lease", namespaced=True)

    spec: LeaseSpec = LeaseSpec()
