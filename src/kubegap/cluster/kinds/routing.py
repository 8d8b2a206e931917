"""Kinds that bring traffic in from outside, and the addresses of Services.

Source: `k8s.io/api` `networking/v1` at Kubernetes 1.37, `sigs.k8s.io/gateway-api` `apis/v1` at 1.4.
"""

from msgspec import Struct

from kubegap.cluster.objects import KubernetesObject, Resource


class IngressService(Struct, frozen=True):
    """The Service that a rule sends traffic to, by its name."""

    name: str = ""


class IngressBackend(Struct, frozen=True):
    """Where traffic goes; backends that are no Service are not read."""

    service: IngressService | None = None


class IngressPath(Struct, frozen=True):
    """One path of a rule; only where it goes."""

    backend: IngressBackend = IngressBackend()


class IngressHttp(Struct, frozen=True):
    """The paths of a rule."""

    paths: list[IngressPath] | None = None


class IngressRule(Struct, frozen=True):
    """What happens to requests for a host."""

    http: IngressHttp | None = None


class IngressSpec(Struct, frozen=True, rename="camel"):
    """Rules, and what happens to all else."""

    default_backend: IngressBackend | None = None
    rules: list[IngressRule] | None = None


class Ingress(KubernetesObject, frozen=True):
    """A way from outside to Services, by host and path."""

    resource = Resource("networking.k8s.io", "v1", "ingresses", "Ingress", namespaced=True)

    spec: IngressSpec = IngressSpec()


class BackendReference(Struct, frozen=True):
    """Where a route sends traffic: a Service, unless `kind` says otherwise, of the route's namespace, unless named."""

    kind: str | None = None
    namespace: str | None = None
    name: str = ""


class HTTPRouteRule(Struct, frozen=True, rename="camel"):
    """Where some requests go."""

    backend_refs: list[BackendReference] | None = None


class HTTPRouteSpec(Struct, frozen=True):
    """The rules of a route."""

    rules: list[HTTPRouteRule] | None = None


class HTTPRoute(KubernetesObject, frozen=True):
    """A way from a Gateway to Services."""

    resource = Resource(
        "gateway.networking.k8s.io", "v1", "httproutes", "HTTPRoute", namespaced=True, also=("v1beta1",)
    )

    spec: HTTPRouteSpec = HTTPRouteSpec()


class ServiceCIDRSpec(Struct, frozen=True):
    """Ranges that Services get their addresses from."""

    cidrs: list[str] | None = None


class ServiceCIDR(KubernetesObject, frozen=True):
    """The addresses of Services; served since Kubernetes 1.31 in beta, 1.33 in v1."""

    resource = Resource("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", namespaced=False, also=("v1beta1",))

    spec: ServiceCIDRSpec = ServiceCIDRSpec()
