"""Serving workloads of several replicas that no PodDisruptionBudget keeps from going all at once."""

from collections.abc import Iterator, Sequence

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.budgets import budgets_for
from kubegap.cluster.dependents import services_before, ties_of
from kubegap.cluster.dns import is_dns
from kubegap.cluster.fields import LabelSelector
from kubegap.cluster.growth import movers
from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import Node, PodDisruptionBudget, Service
from kubegap.cluster.providers import is_for_development, is_made_by_operator, is_run_by_provider
from kubegap.cluster.scaling import autoscaler_of, is_leader_elected, wanted_replicas
from kubegap.cluster.selectors import written
from kubegap.cluster.snapshot import Origin, Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

Services = Sequence[Service]


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each workload; without a list of budgets only for manifests, which may well be all there is."""
    if not cluster.has(PodDisruptionBudget) and cluster.source.origin is not Origin.MANIFESTS:
        return
    for subject, parts in templates_by_subject(cluster).items():
        unguarded = [part for part in parts if _is_unguarded(cluster, part) and not _is_meant(cluster, part)]
        if unguarded:
            yield _finding(cluster, subject, unguarded)


def guard_batch(template: Template) -> bool:
    """Pods that run to an end are started again; nobody calls them."""
    return template.is_batch


def guard_on_every_node(template: Template) -> bool:
    """A drain leaves DaemonSets and static pods alone."""
    return template.is_on_every_node


def guard_not_wanted(template: Template) -> bool:
    """Scaled to none or suspended, whatever an autoscaler would keep."""
    return template.is_suspended


def guard_dns(services: Services) -> bool:
    """Cluster DNS has a check of its own that asks for its budget."""
    return any(map(is_dns, services))


def guard_provider_owned(cluster: Snapshot, template: Template) -> bool:
    """The provider looks after its own pods and would undo what others add."""
    return is_run_by_provider(template, cluster.provider)


def guard_operator(template: Template) -> bool:
    """An operator knows better than a budget when its pods may go."""
    return is_made_by_operator(template)


def guard_stands_by(cluster: Snapshot, template: Template, services: Services) -> bool:
    """One replica leads and the others wait, so that nobody is served by all of them."""
    return is_leader_elected(cluster, template) and not ties_of(cluster, services)


def guard_development(cluster: Snapshot) -> bool:
    """A cluster on somebody's own machine, or of one node, is not emptied node by node."""
    return is_for_development(cluster.of(Node))


def _is_unguarded(cluster: Snapshot, template: Template) -> bool:
    """Several replicas that somebody calls, and no budget over them."""
    is_called = bool(services_before(cluster, template)) or is_system_namespace(template.namespace or "")
    is_several = is_called and wanted_replicas(cluster, template) > 1
    return is_several and not budgets_for(cluster, template.namespace, template.labels)


def _is_meant(cluster: Snapshot, template: Template) -> bool:
    services = services_before(cluster, template)
    by_kind = guard_batch(template) or guard_on_every_node(template) or guard_operator(template)
    elsewhere = guard_dns(services) or guard_provider_owned(cluster, template)
    return by_kind or elsewhere or guard_not_wanted(template) or guard_stands_by(cluster, template, services)


def _finding(cluster: Snapshot, subject: Subject, parts: list[Template]) -> Finding:
    services = [service for part in parts for service in services_before(cluster, part)]
    ties, moving, is_dev = ties_of(cluster, services), movers(cluster), guard_development(cluster)
    severity = Severity.HIGH if ties or moving else Severity.MEDIUM
    severity = severity if services else Severity.LOW
    facts: dict[str, Fact] = {"replicas": max(wanted_replicas(cluster, part) for part in parts), "ties": tuple(ties)}
    is_whole = cluster.has(PodDisruptionBudget)
    hints = {"ties": ties, "movers": moving, "development": is_dev, "manifests": not is_whole}
    return Finding(
        subject=subject,
        severity=Severity.INFO if is_dev else severity,
        confidence=Confidence.CONFIG if is_whole else Confidence.HEURISTIC,
        messages=tuple(
            Message(key, {**facts, "movers": moving}) for key in ["no-budget", *(key for key in hints if hints[key])]
        ),
        evidence=tuple(_evidence(cluster, parts, services)),
        members=tuple(sorted(pod.name for part in parts for pod in part.pods)),
    )


def _evidence(cluster: Snapshot, parts: list[Template], services: Services) -> Iterator[Evidence]:
    for part in parts:
        yield Evidence(part.place, part.replicas_path, str(part.replicas))
        if autoscaler := autoscaler_of(cluster, part.owner):
            yield Evidence(autoscaler.shown, "spec.minReplicas", str(autoscaler.spec.min_replicas or 1))
        yield Evidence(part.place, "PodDisruptionBudget of its pods", None, "maxUnavailable: 1")
    for service in services:
        selector = LabelSelector(match_labels=service.spec.selector)
        yield Evidence(service.shown, "spec.selector", written(selector))
