"""Claims for volumes. Source: `k8s.io/api` `core/v1/types.go` at Kubernetes 1.37."""

from msgspec import Struct

from kubegap.cluster.objects import KubernetesObject, Resource


class ClaimSpec(Struct, frozen=True, rename="camel"):
    """How a volume may be used."""

    access_modes: list[str] | None = None


class PersistentVolumeClaim(KubernetesObject, frozen=True):
    """A wish for a volume."""

    resource = Resource("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", namespaced=True)

    spec: ClaimSpec = ClaimSpec()
