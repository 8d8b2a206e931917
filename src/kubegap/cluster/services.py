"""What stands behind a Service: how many ready backends, on which nodes."""

from collections.abc import Iterator

from msgspec import Struct

from kubegap.cluster.objects import Endpoint, EndpointSlice, ServiceReference
from kubegap.cluster.snapshot import Snapshot

_SERVICE_NAME = "kubernetes.io/service-name"


class Backends(Struct, frozen=True):
    """The backends of one Service: the pods of all, the ready ones, and the nodes of the ready ones, each once."""

    pods: frozenset[str] = frozenset()
    ready: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()


def backends_of(snapshot: Snapshot, service: ServiceReference | None) -> Backends | None:
    """The backends of a Service; None for a URL, or when the endpoint slices were not fully read."""
    if service is None or not snapshot.has(EndpointSlice):
        return None
    endpoints = list(_endpoints(snapshot, service))
    ready = [endpoint for endpoint in endpoints if _is_ready(endpoint)]
    return Backends(
        pods=frozenset(endpoint.target_ref.name for endpoint in endpoints if endpoint.target_ref),
        ready=frozenset(_identity(endpoint) for endpoint in ready),
        nodes=frozenset(endpoint.node_name for endpoint in ready if endpoint.node_name),
    )


def _endpoints(snapshot: Snapshot, service: ServiceReference) -> Iterator[Endpoint]:
    for part in snapshot.of(EndpointSlice):
        if part.namespace == service.namespace and part.labels.get(_SERVICE_NAME) == service.name:
            yield from part.endpoints or ()


def _is_ready(endpoint: Endpoint) -> bool:
    return endpoint.conditions is None or endpoint.conditions.ready is not False


def _identity(endpoint: Endpoint) -> str:
    """A pod stands in one slice per address family, so it is counted by its name and not by its address."""
    if endpoint.target_ref and endpoint.target_ref.name:
        return endpoint.target_ref.name
    return ",".join(endpoint.addresses or ())
