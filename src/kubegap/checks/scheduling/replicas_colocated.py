"""Workloads whose ready replicas all stand on one node, in one zone, or on nodes that are about to go."""

from collections.abc import Iterator
from datetime import timedelta

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.exposure import Role, is_held_by_volume, role_of
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.placing import (
    HOSTNAME,
    ZONE,
    is_cordoned,
    nodes_by_name,
    nodes_for,
    spread_rules,
    zone_of,
    zones_of,
)
from kubegap.cluster.providers import is_for_development
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, is_batch, is_ready, is_younger, runs_on_every_node, workloads

Pods = tuple[Pod, ...]
LOW = {Role.SERVICE: Severity.MEDIUM, Role.NONE: Severity.LOW}


def find(cluster: Snapshot, settling: timedelta) -> Iterator[Finding]:
    """One finding for each workload with two or more ready replicas in one place."""
    for owner, pods in workloads(cluster).items():
        ready = tuple(pod for pod in pods if is_ready(pod) and pod.spec.node_name)
        if len(ready) < 2:
            continue
        place = _place(cluster, ready)
        if place and not _is_meant(cluster, owner, pods, settling):
            yield _finding(cluster, owner, ready, place)


def guard_runs_on_every_node(owner: Subject) -> bool:
    """DaemonSets and static pods stand where the nodes are; nobody spreads them."""
    return runs_on_every_node(owner)


def guard_batch(owner: Subject, pods: Pods) -> bool:
    """Pods that run to an end are started again elsewhere, and gangs like to stand together."""
    return is_batch(owner, pods[0])


def guard_settling(cluster: Snapshot, pods: Pods, settling: timedelta) -> bool:
    """A rollout or a move is under way: some pod was made a moment ago."""
    return any(is_younger(pod, settling, cluster) for pod in pods if not has_ended(pod))


def guard_nowhere_else(cluster: Snapshot, pods: Pods) -> bool:
    """Selectors, affinity and taints leave the pods one node."""
    return len(nodes_for(cluster, pods[0].spec)) < 2


def guard_one_zone_allowed(cluster: Snapshot, pods: Pods) -> bool:
    """The nodes that the pods may run on are in one zone, or nobody labelled the zones."""
    return len(zones_of(nodes_for(cluster, pods[0].spec))) < 2


def guard_held_by_volume(cluster: Snapshot, pods: Pods) -> bool:
    """Volumes that were made in one zone hold the pods there."""
    return any(is_held_by_volume(cluster, pod) for pod in pods)


def guard_development(cluster: Snapshot) -> bool:
    """A cluster on somebody's own machine cannot lose a node on its own."""
    return is_for_development(cluster.of(Node))


def _is_meant(cluster: Snapshot, owner: Subject, pods: Pods, settling: timedelta) -> bool:
    return guard_runs_on_every_node(owner) or guard_batch(owner, pods) or guard_settling(cluster, pods, settling)


def _place(cluster: Snapshot, ready: Pods) -> str | None:
    """The message for where the replicas stand, if that is one place and they could stand elsewhere."""
    nodes = [nodes_by_name(cluster).get(pod.spec.node_name or "") for pod in ready]
    if all(map(is_cordoned, nodes)):
        return "cordoned"
    if len({pod.spec.node_name for pod in ready}) == 1:
        return None if guard_nowhere_else(cluster, ready) else "one-node"
    in_one_zone = len(zones_of(nodes)) == 1 and not guard_one_zone_allowed(cluster, ready)
    return "one-zone" if in_one_zone and not guard_held_by_volume(cluster, ready) else None


def _finding(cluster: Snapshot, owner: Subject, ready: Pods, place: str) -> Finding:
    role, rules, is_dev = role_of(cluster, owner, ready[0]), spread_rules(ready[0].spec), guard_development(cluster)
    severity = LOW.get(role, Severity.HIGH)
    severity = severity.milder if place == "one-zone" else severity
    facts: dict[str, Fact] = {"pods": len(ready), "nodes": tuple(sorted({f"`{pod.spec.node_name}`" for pod in ready}))}
    hints = [*(["role"] if role in Role.needed_by_others() else []), *([] if rules else ["no-rule"])]
    return Finding(
        subject=owner,
        severity=Severity.INFO if is_dev else severity,
        confidence=Confidence.OBSERVED,
        messages=tuple(
            Message(key, {**facts, "role": (role.value,)})
            for key in [place, *hints, *(["development"] if is_dev else [])]
        ),
        evidence=tuple(_evidence(cluster, ready, rules)),
        members=tuple(sorted(pod.name for pod in ready)),
    )


def _evidence(cluster: Snapshot, ready: Pods, rules: str | None) -> Iterator[Evidence]:
    for name in sorted({pod.spec.node_name or "" for pod in ready}):
        there = ", ".join(sorted(pod.name for pod in ready if pod.spec.node_name == name))
        node = nodes_by_name(cluster).get(name)
        yield Evidence(f"Node/{name}", "ready-replicas", there)
        if is_cordoned(node):
            yield Evidence(f"Node/{name}", "spec.unschedulable", "true", "false")
        elif zone := zone_of(node):
            yield Evidence(f"Node/{name}", f'metadata.labels["{ZONE}"]', zone)
    yield Evidence(ready[0].shown, "topologySpreadConstraints, podAntiAffinity", rules, f"{HOSTNAME}, {ZONE}")
