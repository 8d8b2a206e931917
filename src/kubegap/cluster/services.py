"""Services: what stands behind one, and which ones stand in front of a pod."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from kubegap.cluster.fields import ServiceReference
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import EndpointSlice, Pod, Service
from kubegap.cluster.service_fields import Endpoint
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import pods_by_namespace

_SERVICE_NAME = "kubernetes.io/service-name"
_FROM_OUTSIDE = {"LoadBalancer", "NodePort"}


class Backends(Struct, frozen=True):
    """The backends of one Service: the pods of all, the ready ones, and the nodes of the ready ones, each once."""

    pods: frozenset[str] = frozenset()
    ready: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()


def backends_of(snapshot: Snapshot, service: ServiceReference | None) -> Backends | None:
    """The backends of a Service; None for a URL, or when the endpoint slices were not fully read."""
    if service is None or not snapshot.has(EndpointSlice):
        return None
    endpoints = _endpoints(snapshot).get((service.namespace, service.name), [])
    ready = [endpoint for endpoint in endpoints if _is_ready(endpoint)]
    return Backends(
        pods=frozenset(endpoint.target_ref.name for endpoint in endpoints if endpoint.target_ref),
        ready=frozenset(_identity(endpoint) for endpoint in ready),
        nodes=frozenset(endpoint.node_name for endpoint in ready if endpoint.node_name),
    )


def services_of(snapshot: Snapshot, pod: Pod) -> Iterator[Service]:
    """The Services whose selector picks a pod."""
    return services_for(snapshot, pod.namespace, pod.labels)


def services_for(snapshot: Snapshot, namespace: str | None, labels: Mapping[str, str]) -> Iterator[Service]:
    """The Services whose selector picks pods with these labels, as those of a template."""
    index = _services_by_label(snapshot)
    for label in labels.items():
        for service in index.get((namespace, *label), ()):
            if (service.spec.selector or {}).items() <= labels.items():
                yield service


def service_named(snapshot: Snapshot, reference: ServiceReference) -> Service | None:
    """The Service that something refers to; None where there is none."""
    return _services_by_name(snapshot).get((reference.namespace, reference.name))


def pods_behind(snapshot: Snapshot, service: Service) -> list[Pod]:
    """The pods that the selector of a Service picks, ready or not; none when it has no selector."""
    wanted = (service.spec.selector or {}).items()
    there = pods_by_namespace(snapshot).get(service.namespace, ())
    return [pod for pod in there if wanted and wanted <= pod.labels.items()]


def is_open_to_outside(service: Service) -> bool:
    """Whether traffic from outside the cluster comes in through it."""
    return service.spec.type in _FROM_OUTSIDE


@indexed
def _endpoints(snapshot: Snapshot) -> Mapping[tuple[str | None, str], list[Endpoint]]:
    found: dict[tuple[str | None, str], list[Endpoint]] = defaultdict(list)
    for part in snapshot.of(EndpointSlice):
        found[part.namespace, part.labels.get(_SERVICE_NAME, "")] += part.endpoints or ()
    return found


@indexed
def _services_by_label(snapshot: Snapshot) -> Mapping[tuple[str | None, str, str], list[Service]]:
    """Each Service once, under the first label that it asks for."""
    found: dict[tuple[str | None, str, str], list[Service]] = defaultdict(list)
    for service in snapshot.of(Service):
        for key, value in list((service.spec.selector or {}).items())[:1]:
            found[service.namespace, key, value].append(service)
    return found


@indexed
def _services_by_name(snapshot: Snapshot) -> Mapping[tuple[str | None, str], Service]:
    return {(service.namespace, service.name): service for service in snapshot.of(Service)}


def _is_ready(endpoint: Endpoint) -> bool:
    return endpoint.conditions is None or endpoint.conditions.ready is not False


def _identity(endpoint: Endpoint) -> str:
    """A pod stands in one slice per address family, so it is counted by its name and not by its address."""
    if endpoint.target_ref and endpoint.target_ref.name:
        return endpoint.target_ref.name
    return ",".join(endpoint.addresses or ())
