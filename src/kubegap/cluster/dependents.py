"""What would be missed with a workload: who sends traffic to it, and which parts of the API lean on it.

Each question says which kinds a pair has to read for it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kubegap.cluster.fields import ServiceReference
from kubegap.cluster.hooks import conversions, webhooks
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.extension import APIService
from kubegap.cluster.kinds.routing import BackendReference, HTTPRoute, Ingress, IngressBackend
from kubegap.cluster.objects import Service
from kubegap.cluster.scaling import wanted_replicas
from kubegap.cluster.services import is_open_to_outside, services_for
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates

_Name = tuple[str | None, str]


def services_before(snapshot: Snapshot, template: Template) -> list[Service]:
    """The Services that send traffic to a workload. Reads `v1/services`."""
    return list(services_for(snapshot, template.namespace, template.labels))


def is_routed(snapshot: Snapshot, services: Iterable[Service]) -> bool:
    """Whether an Ingress or HTTPRoute leads to one of the Services.

    Reads `networking.k8s.io/v1/ingresses` and `gateway.networking.k8s.io/v1/httproutes`.
    """
    return not _routed(snapshot).isdisjoint(map(_name, services))


def is_behind_webhook(snapshot: Snapshot, services: Iterable[Service]) -> bool:
    """Whether the API server asks one of the Services before it writes. Reads both kinds of webhook configurations."""
    return not _webhooks(snapshot).isdisjoint(map(_name, services))


def is_behind_conversion(snapshot: Snapshot, services: Iterable[Service]) -> bool:
    """Whether one of the Services translates custom resources. Reads `apiextensions.k8s.io/v1/customresourcedefinitions`."""
    return not _conversions(snapshot).isdisjoint(map(_name, services))


def is_behind_api(snapshot: Snapshot, services: Iterable[Service]) -> bool:
    """Whether one of the Services answers a part of the API. Reads `apiregistration.k8s.io/v1/apiservices`."""
    return not _apis(snapshot).isdisjoint(map(_name, services))


def ties_of(snapshot: Snapshot, services: Sequence[Service]) -> list[str]:
    """What leads to one of the Services: `webhook`, `conversion`, `api`, `route`, `outside`. Reads all of the above."""
    asks = {"webhook": is_behind_webhook, "conversion": is_behind_conversion, "api": is_behind_api, "route": is_routed}
    found = [name for name, leads in asks.items() if leads(snapshot, services)]
    return [*found, *(["outside"] if any(map(is_open_to_outside, services)) else [])]


def wanted_behind(snapshot: Snapshot, service: Service) -> int:
    """Pods that all workloads behind a Service want together, such as a stable one and a canary.

    Reads `v1/services` and `autoscaling/v2/horizontalpodautoscalers`.
    """
    return _wanted(snapshot).get(_name(service), 0)


@indexed
def _wanted(snapshot: Snapshot) -> Mapping[_Name, int]:
    found: Counter[_Name] = Counter()
    for template in templates(snapshot):
        for service in services_before(snapshot, template):
            found[_name(service)] += wanted_replicas(snapshot, template)
    return found


def _name(service: Service) -> _Name:
    return service.namespace, service.name


@indexed
def _routed(snapshot: Snapshot) -> frozenset[_Name]:
    ingresses = ((one.namespace, name) for one in snapshot.of(Ingress) for name in _behind(one))
    routes = ((ref.namespace or one.namespace, ref.name) for one in snapshot.of(HTTPRoute) for ref in _backends(one))
    return frozenset([*ingresses, *routes])


def _behind(ingress: Ingress) -> Iterator[str]:
    """The Services that an Ingress leads to."""
    paths = (path for rule in ingress.spec.rules or () if rule.http for path in rule.http.paths or ())
    backends: list[IngressBackend | None] = [ingress.spec.default_backend, *(path.backend for path in paths)]
    return (backend.service.name for backend in backends if backend and backend.service)


def _backends(route: HTTPRoute) -> Iterator[BackendReference]:
    references = (reference for rule in route.spec.rules or () for reference in rule.backend_refs or ())
    return (reference for reference in references if reference.kind in {None, "Service"})


@indexed
def _webhooks(snapshot: Snapshot) -> frozenset[_Name]:
    return _named(hook.config.service for hook in webhooks(snapshot))


@indexed
def _conversions(snapshot: Snapshot) -> frozenset[_Name]:
    return _named(hook.config.service for hook in conversions(snapshot))


@indexed
def _apis(snapshot: Snapshot) -> frozenset[_Name]:
    return _named(one.spec.service for one in snapshot.of(APIService))


def _named(references: Iterable[ServiceReference | None]) -> frozenset[_Name]:
    return frozenset((one.namespace, one.name) for one in references if one)
