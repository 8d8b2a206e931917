"""Containers that get traffic from a Service and have no readiness probe."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from msgspec import Struct

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.containers import Container, ContainerStatus
from kubegap.cluster.dependents import services_before
from kubegap.cluster.duties import duties_of
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.objects import Node, Pod, Service
from kubegap.cluster.programs import Program, program_of
from kubegap.cluster.providers import is_for_development, is_run_by_provider
from kubegap.cluster.requests import is_sidecar, running_containers
from kubegap.cluster.service_fields import ServicePort
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

CALLED_FROM_FAR = {"dns", "webhook", "conversion", "api", "outside", "route"}
WORSE = {Severity.LOW: Severity.MEDIUM, Severity.MEDIUM: Severity.HIGH}
PODS_SHOWN = 3
Target = int | str


class Unprobed(Struct, frozen=True):
    """A container without a readiness probe, its workload, and what sends it traffic."""

    template: Template
    container: Container
    targets: Mapping[Target, Service]


def find(cluster: Snapshot, recent: timedelta) -> Iterator[Finding]:
    """One finding for each workload of which a serving container has no readiness probe."""
    for subject, parts in templates_by_subject(cluster).items():
        if found := [one for template in parts for one in _unprobed(cluster, template)]:
            yield _finding(cluster, subject, found, recent)


def guard_provider_owned(cluster: Snapshot, template: Template) -> bool:
    """The provider or installer set it so, and would set it so again."""
    return is_run_by_provider(template, cluster.provider)


def guard_not_wanted(template: Template) -> bool:
    """Suspended, or scaled to none."""
    return template.is_suspended


def guard_batch(template: Template) -> bool:
    """Pods that run to an end find each other through a Service, and nobody else calls them."""
    return template.is_batch


def guard_readiness_gate(spec: PodSpec) -> bool:
    """Somebody outside of the pod, such as a load balancer's controller, says when it is ready."""
    return bool(spec.readiness_gates)


def guard_sends_to_unready(service: Service) -> bool:
    """The Service is there to find pods and names those that are not ready too."""
    return bool(service.spec.publish_not_ready_addresses)


def guard_metrics_port(port: ServicePort) -> bool:
    """Only monitoring asks this port, and asks again."""
    return "metrics" in (port.name or "")


def guard_serves_nothing(running: Sequence[Container], container: Container, targets: Iterable[Target]) -> bool:
    """No Service sends traffic to it, as with sidecars; ports need not be declared where a container stands alone."""
    owners = [one for one in running if _listens(one, targets)]
    alone = [one for one in running if not is_sidecar(one) and program_of(one.image or "") is not Program.MESH_PROXY]
    return container not in (owners or (alone if len(alone) == 1 else ()))


def guard_development(cluster: Snapshot) -> bool:
    """On a cluster of one node or on somebody's own machine a gap is short and hurts nobody."""
    return is_for_development(cluster.of(Node))


def _unprobed(cluster: Snapshot, template: Template) -> Iterator[Unprobed]:
    if guard_provider_owned(cluster, template) or guard_not_wanted(template) or guard_batch(template):
        return
    targets = _targets(services_before(cluster, template))
    if not targets or guard_readiness_gate(spec := template.running_spec):
        return
    running = running_containers(spec)
    for container in running:
        if container.readiness_probe is None and not guard_serves_nothing(running, container, targets):
            own = {target: service for target, service in targets.items() if _listens(container, [target])}
            yield Unprobed(template, container, own or targets)


def _targets(services: Iterable[Service]) -> dict[Target, Service]:
    """The ports of pods that Services send traffic to, by number or name."""
    called = [service for service in services if not guard_sends_to_unready(service)]
    ports = [(port, service) for service in called for port in service.spec.ports or () if not guard_metrics_port(port)]
    return {port.port if port.target_port is None else port.target_port: service for port, service in ports}


def _listens(container: Container, targets: Iterable[Target]) -> bool:
    own = {name for port in container.ports or () for name in (port.name, port.container_port)}
    return not own.isdisjoint(targets)


def _finding(cluster: Snapshot, subject: Subject, found: Sequence[Unprobed], recent: timedelta) -> Finding:
    ties = [word for one in found for word in duties_of(cluster, one.template) if word in CALLED_FROM_FAR]
    died = [pair for one in found for pair in _died(cluster, one, recent)]
    severity = Severity.MEDIUM if ties else Severity.LOW
    facts: dict[str, Fact] = {
        "containers": tuple(dict.fromkeys(f"`{one.container.name}`" for one in found)),
        "services": tuple(dict.fromkeys(f"`{service.name}`" for one in found for service in one.targets.values())),
        "ties": tuple(dict.fromkeys(ties)),
        "pods": len({pod.name for pod, _ in died}),
    }
    is_dev = guard_development(cluster)
    notes = {"called": ties, "died": died, "development": is_dev}
    return Finding(
        subject=subject,
        severity=Severity.INFO if is_dev else WORSE[severity] if died else severity,
        confidence=Confidence.OBSERVED if died else Confidence.CONFIG,
        messages=tuple(Message(key, facts) for key in ["no-probe", *(key for key, said in notes.items() if said)]),
        evidence=tuple(_evidence(found, died)),
        members=tuple(dict.fromkeys(one.container.name for one in found)),
    )


def _died(cluster: Snapshot, one: Unprobed, recent: timedelta) -> Iterator[tuple[Pod, ContainerStatus]]:
    """The pods in which the container ended not long ago, or is being started over and over."""
    for pod in one.template.pods:
        for status in pod.status.container_statuses or ():
            last = status.last_state.terminated if status.last_state else None
            if status.name == one.container.name and last and cluster.is_recent(last.finished_at, recent):
                yield pod, status


def _evidence(found: Sequence[Unprobed], died: Sequence[tuple[Pod, ContainerStatus]]) -> Iterator[Evidence]:
    for one in found:
        path = f"{one.template.path_of(one.container)}.readinessProbe"
        yield Evidence(one.template.place, path, None, "httpGet, grpc, exec, tcpSocket")
        for target, service in one.targets.items():
            yield Evidence(service.shown, "spec.ports.targetPort", str(target))
    for pod, status in died[:PODS_SHOWN]:
        yield Evidence(pod.shown, f"status.containerStatuses[{status.name}].restartCount", str(status.restart_count))
