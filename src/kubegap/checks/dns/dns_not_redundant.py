"""Cluster DNS that one lost pod, node, zone or drain takes away."""

from collections.abc import Iterator
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Evidence, Fact, Finding, Message, Severity, State
from kubegap.cluster.budgets import budget_of
from kubegap.cluster.dns import Dns, dns_of, dns_services, is_outside_pods
from kubegap.cluster.objects import Node, PodDisruptionBudget, Service
from kubegap.cluster.placing import is_spot, zones_of
from kubegap.cluster.providers import is_for_development, is_owned_by_provider
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import is_younger, runs_on_every_node

PRIORITIES = {"system-cluster-critical", "system-node-critical"}
SEVERITIES = {"down": Severity.CRITICAL, "single": Severity.CRITICAL, "one-node": Severity.HIGH}
SETTINGS = {"no-budget", "no-priority"}


def find(cluster: Snapshot, settling: timedelta) -> Iterator[Finding | Answer]:
    """One finding for what answers DNS, with everything that it would not survive."""
    inside = [service for service in dns_services(cluster) if not guard_outside_pods(cluster, service)]
    if not inside:
        yield Answer(State.NOT_APPLICABLE, Message("outside-pods"))
    for dns in {dns.owner: dns for service in inside if (dns := dns_of(cluster, service))}.values():
        keys = [*_thin(cluster, dns, settling), *_unguarded(cluster, dns)]
        if keys:
            yield _finding(dns, keys, is_dev=guard_development(cluster))


def guard_outside_pods(cluster: Snapshot, service: Service) -> bool:
    """The provider answers DNS outside of pods, as Cloud DNS of GKE and Auto Mode of EKS do."""
    return is_outside_pods(cluster, service)


def guard_settling(cluster: Snapshot, dns: Dns, settling: timedelta) -> bool:
    """A pod that is not ready yet was made a moment ago, so its count is about to change."""
    return any(is_younger(pod, settling, cluster) for pod in dns.pods if pod not in dns.ready)


def guard_cluster_in_one_zone(cluster: Snapshot) -> bool:
    """There is no second zone to spread to, or nobody labelled the zones."""
    return len(zones_of(cluster.of(Node))) < 2


def guard_on_every_node(dns: Dns) -> bool:
    """A DaemonSet runs wherever there is a node; evictions and budgets do not apply to it."""
    return runs_on_every_node(dns.owner)


def guard_provider_owned(cluster: Snapshot, dns: Dns) -> bool:
    """The provider would undo a change of priority or budget."""
    return is_owned_by_provider(dns.service, cluster.provider)


def guard_development(cluster: Snapshot) -> bool:
    """A cluster of one node, or on somebody's own machine, cannot be redundant."""
    return is_for_development(cluster.of(Node))


def _thin(cluster: Snapshot, dns: Dns, settling: timedelta) -> Iterator[str]:
    """What is missing right now."""
    is_settled = not guard_settling(cluster, dns, settling)
    if len(dns.ready) < 2:
        yield from ["single" if dns.ready else "down"] if is_settled else []
    elif len({pod.spec.node_name for pod in dns.ready}) == 1:
        yield "one-node"
    elif len(zones_of(dns.nodes)) == 1 and not guard_cluster_in_one_zone(cluster):
        yield "one-zone"
    if dns.nodes and all(map(is_spot, dns.nodes)):
        yield "spot"
    if 1 < len(dns.ready) < len(dns.pods) and is_settled:
        yield "short"


def _unguarded(cluster: Snapshot, dns: Dns) -> Iterator[str]:
    """What would let a drain or a busy node take DNS away."""
    if not dns.pods or guard_on_every_node(dns) or guard_provider_owned(cluster, dns):
        return
    if cluster.has(PodDisruptionBudget) and not budget_of(cluster, dns.pods[0]):
        yield "no-budget"
    if dns.pods[0].spec.priority_class_name not in PRIORITIES:
        yield "no-priority"


def _finding(dns: Dns, keys: list[str], *, is_dev: bool) -> Finding:
    facts: dict[str, Fact] = {
        "service": f"{dns.service.namespace}/{dns.service.name}",
        "ready": len(dns.ready),
        "pods": len(dns.pods),
    }
    severity = Severity.INFO if is_dev else Severity.worst(SEVERITIES.get(key, Severity.MEDIUM) for key in keys)
    return Finding(
        subject=dns.owner,
        severity=severity,
        confidence=Confidence.CONFIG if SETTINGS.issuperset(keys) else Confidence.OBSERVED,
        messages=tuple(Message(key, facts) for key in [*keys, *(["development"] if is_dev else [])]),
        evidence=tuple(_evidence(dns, keys)),
        members=tuple(sorted(pod.name for pod in dns.pods)),
    )


def _evidence(dns: Dns, keys: list[str]) -> Iterator[Evidence]:
    name = dns.service.shown
    yield Evidence(name, "ready-endpoints", f"{len(dns.ready)} / {len(dns.pods)}", ">= 2")
    yield Evidence(name, "endpoint-nodes", ", ".join(sorted(node.name for node in dns.nodes)) or None, ">= 2")
    if zones := zones_of(dns.nodes):
        yield Evidence(name, "endpoint-zones", ", ".join(sorted(zones)))
    if "no-budget" in keys:
        yield Evidence(name, "pod-disruption-budget", None, "maxUnavailable: 1")
    if "no-priority" in keys:
        priority = dns.pods[0].spec.priority_class_name
        yield Evidence(dns.pods[0].shown, "spec.priorityClassName", priority, "system-cluster-critical")
