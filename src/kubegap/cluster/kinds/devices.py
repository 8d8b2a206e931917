"""Claims for devices through dynamic resource allocation.

Source: `k8s.io/api` `resource/v1` and `resource/v1beta1` at Kubernetes 1.37. Before v1 a request held what now stands in
`exactly`; both are read.
"""

from msgspec import Struct

from kubegap.cluster.objects import KubernetesObject, Resource

_BEFORE = ("v1beta2", "v1beta1")


class DeviceRequest(Struct, frozen=True, rename="camel"):
    """Devices of one class: `count` of them, or `All` of a node."""

    device_class_name: str = ""
    allocation_mode: str | None = None
    count: int | None = None


class Request(Struct, frozen=True, rename="camel"):
    """A request, or several of which the first that can be had counts."""

    exactly: DeviceRequest | None = None
    first_available: list[DeviceRequest] | None = None
    device_class_name: str = ""
    allocation_mode: str | None = None
    count: int | None = None

    @property
    def first(self) -> DeviceRequest:
        """What is asked for, the best case where there are several."""
        alternatives = self.first_available or [DeviceRequest(self.device_class_name, self.allocation_mode, self.count)]
        return self.exactly or alternatives[0]


class DeviceClaim(Struct, frozen=True):
    """All requests of a claim."""

    requests: list[Request] | None = None


class ResourceClaimSpec(Struct, frozen=True):
    """The devices that are asked for."""

    devices: DeviceClaim = DeviceClaim()


class ResourceClaim(KubernetesObject, frozen=True):
    """Devices that pods share or one pod has."""

    resource = Resource("resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", namespaced=True, also=_BEFORE)

    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplateSpec(Struct, frozen=True):
    """What the claims of pods are made from."""

    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(KubernetesObject, frozen=True):
    """A claim that every pod gets for itself."""

    resource = Resource(
        "resource.k8s.io", "v1", "resourceclaimtemplates", "ResourceClaimTemplate", namespaced=True, also=_BEFORE
    )

    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()
