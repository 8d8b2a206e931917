"""What pods ask for, added up as the scheduler does it.

Source: `k8s.io/component-helpers` `resource/helpers.go` (`PodRequests`) at Kubernetes 1.37. CPU is in thousandths of a
core, memory in bytes, all else in pieces. A limit without a request is a request, as the API server writes it into pods.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kubegap.cluster.containers import Container, Quantity, ResourceRequirements
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.policy import LimitRange
from kubegap.cluster.objects import Pod
from kubegap.cluster.quantities import amount
from kubegap.cluster.snapshot import Snapshot

Amounts = Mapping[str, int]

# What can be asked for on the level of the pod, and then counts in place of its containers.
_OF_PODS = ("cpu", "memory")
_HUGE_PAGES = "hugepages-"


def is_sidecar(container: Container) -> bool:
    """Whether an init container goes on running beside the others."""
    return container.restart_policy == "Always"


def running_containers(spec: PodSpec) -> list[Container]:
    """The containers that run all the time: sidecars and the others, but not those that only prepare."""
    return [*filter(is_sidecar, spec.init_containers or ()), *(spec.containers or ())]


def requests_of(resources: ResourceRequirements | None) -> Amounts:
    """What one container or pod as a whole asks for."""
    if resources is None:
        return {}
    return amounts({**(resources.limits or {}), **(resources.requests or {})})


def amounts(quantities: Mapping[str, Quantity] | None) -> Amounts:
    """Quantities in the units of this module."""
    return {name: amount(name, quantity) for name, quantity in (quantities or {}).items()}


def requested(spec: PodSpec) -> Amounts:
    """What a pod takes from a node: its containers together, or the hungriest moment of its start, and its overhead."""
    running = added(requests_of(one.resources) for one in running_containers(spec))
    found = _most(running, _at_start(spec))
    whole = requests_of(spec.resources)
    found |= {name: size for name, size in whole.items() if name in _OF_PODS or name.startswith(_HUGE_PAGES)}
    return added([found, amounts(spec.overhead)])


def limit_of(spec: PodSpec, resource: str) -> int | None:
    """The most of a resource that the running containers may use together; None where one of them has no limit."""
    if spec.resources and resource in (spec.resources.limits or {}):
        return amounts(spec.resources.limits)[resource]
    limits = [amounts(one.resources.limits if one.resources else None) for one in running_containers(spec)]
    return sum(limit[resource] for limit in limits) if all(resource in limit for limit in limits) else None


def defaults_in(snapshot: Snapshot, namespace: str | None) -> frozenset[str]:
    """The resources that new containers of a namespace ask for where they do not say so. Reads `v1/limitranges`."""
    return _defaults(snapshot).get(namespace, frozenset())


def requested_by(snapshot: Snapshot, pod: Pod) -> Amounts:
    """The same for a pod of the snapshot, added up once for all pods that are alike."""
    spec, known = pod.spec, _known(snapshot)
    parts = (spec.init_containers, spec.containers, spec.resources, spec.overhead)
    key = tuple(map(id, parts))
    if key not in known:
        # The parts are kept with the answer, so that their ids cannot come to mean something else.
        known[key] = (parts, requested(spec))
    return known[key][1]


def added(many: Iterable[Amounts]) -> dict[str, int]:
    """The sum of amounts."""
    total: dict[str, int] = {}
    for one in many:
        for name, size in one.items():
            total[name] = total.get(name, 0) + size
    return total


def _at_start(spec: PodSpec) -> dict[str, int]:
    """The most that is taken while init containers run one after the other beside the sidecars that are already there."""
    most: dict[str, int] = {}
    beside: dict[str, int] = {}
    for container in spec.init_containers or ():
        together = added([beside, requests_of(container.resources)])
        most = _most(most, together)
        beside = together if is_sidecar(container) else beside
    return most


def _most(first: Amounts, second: Amounts) -> dict[str, int]:
    return {name: max(first.get(name, 0), second.get(name, 0)) for name in first.keys() | second.keys()}


@indexed
def _defaults(snapshot: Snapshot) -> Mapping[str | None, frozenset[str]]:
    """A default limit is a default request too."""
    found: dict[str | None, frozenset[str]] = {}
    for one in snapshot.of(LimitRange):
        limits = [limit for limit in one.spec.limits or () if limit.type == "Container"]
        asked = (name for limit in limits for name in {**(limit.default or {}), **(limit.default_request or {})})
        found[one.namespace] = found.get(one.namespace, frozenset()).union(asked)
    return found


@indexed
def _known(_: Snapshot) -> dict[tuple[int, ...], tuple[Any, Amounts]]:
    return {}
