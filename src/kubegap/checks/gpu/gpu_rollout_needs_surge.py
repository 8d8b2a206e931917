"""GPU services whose update adds a pod before it takes one away, where no GPU is left for it."""

from collections.abc import Iterator
from datetime import timedelta

from kubegap.checks.model import Confidence, Evidence, Finding, Message, Severity, Subject
from kubegap.cluster.capacity import most_room
from kubegap.cluster.gpus import is_accelerator
from kubegap.cluster.growth import Growth, growth_of
from kubegap.cluster.kinds.apps import Deployment
from kubegap.cluster.kinds.workload import wanted
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.requests import Amounts, requested
from kubegap.cluster.rollouts import deadlocked, missed_by, rolling_update_of
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates
from kubegap.cluster.workloads import condition, is_younger

SEVERITIES = {"stuck": Severity.HIGH, "no-room": Severity.MEDIUM, "unseen": Severity.INFO}


def find(cluster: Snapshot, patience: timedelta) -> Iterator[Finding]:
    """One finding for each workload, by the first of its templates that has the pattern."""
    told: set[Subject] = set()
    for template in templates(cluster):
        stuck = _stuck(cluster, template, patience)
        if template.subject not in told and (key := "stuck" if stuck else _lack(cluster, template)):
            told.add(template.subject)
            yield _finding(cluster, template, key, stuck)


def guard_just_begun(cluster: Snapshot, pod: Pod, patience: timedelta) -> bool:
    """GPUs that others give back, or a node that is being made, take some minutes."""
    return is_younger(pod, patience, cluster)


def guard_scaled_to_none(template: Template) -> bool:
    """No pod is wanted, so an update has nothing to replace."""
    return template.is_suspended


def guard_gives_first(deployment: Deployment) -> bool:
    """The update may take an old pod away first, and the new one gets its GPUs."""
    return missed_by(deployment) > 0


def guard_nothing_runs(template: Template) -> bool:
    """None of its pods has a node, so it lacks GPUs with or without an update."""
    return not any(pod.spec.node_name for pod in template.pods)


def guard_finds_room(cluster: Snapshot, template: Template) -> bool:
    """Some node has GPUs for one more pod. One is enough: when it is ready an old pod goes, and so on."""
    spec = template.running_spec
    return all(most_room(cluster, spec, name)[0] >= size for name, size in _gpus(template).items())


def guard_grows(cluster: Snapshot) -> bool:
    """Somebody adds nodes when pods wait."""
    return growth_of(cluster) is Growth.SEEN


def _stuck(cluster: Snapshot, template: Template, patience: timedelta) -> list[Pod]:
    """Its pods of a new version that wait for GPUs while those of an older one hold a node."""
    waits = [pod for pod in deadlocked(cluster).get(template.subject, ()) if pod in template.pods]
    return [pod for pod in waits if not guard_just_begun(cluster, pod, patience)]


def _lack(cluster: Snapshot, template: Template) -> str | None:
    """The message for an update that would stand still, or may where no node was read."""
    deployment = template.source
    if not isinstance(deployment, Deployment) or not _gpus(template):
        return None
    if guard_scaled_to_none(template) or guard_gives_first(deployment):
        return None
    if not cluster.of(Node):
        return "unseen"
    excused = guard_nothing_runs(template) or guard_finds_room(cluster, template) or guard_grows(cluster)
    return None if excused else "no-room"


def _gpus(template: Template) -> Amounts:
    return {name: size for name, size in requested(template.running_spec).items() if size and is_accelerator(name)}


def _finding(cluster: Snapshot, template: Template, key: str, stuck: list[Pod]) -> Finding:
    is_hidden = key == "no-room" and growth_of(cluster) is Growth.HIDDEN
    is_made = template.subject != template.owner
    notes = [*(["growth-hidden"] if is_hidden else []), *(["made"] if is_made else [])]
    holding = [pod.name for pod in template.pods if pod.spec.node_name]
    facts = {"gpus": sum(_gpus(template).values()), "waiting": len(stuck), "holding": len(holding)}
    severity = SEVERITIES[key]
    return Finding(
        subject=template.subject,
        severity=severity.milder if is_hidden else severity,
        confidence=Confidence.OBSERVED if stuck else Confidence.CONFIG,
        messages=tuple(Message(one, {**facts, "owner": template.subject.kind}) for one in [key, *notes]),
        evidence=(*_asked(cluster, template), *_written(template), *_told(stuck)),
        members=tuple(sorted([*holding, *(pod.name for pod in stuck)])),
    )


def _asked(cluster: Snapshot, template: Template) -> Iterator[Evidence]:
    for name, size in _gpus(template).items():
        yield Evidence(template.place, f'{template.part.path}.containers[*].resources.limits["{name}"]', str(size))
        free, node = most_room(cluster, template.running_spec, name)
        if node:
            yield Evidence(f"Node/{node}", f'status.allocatable["{name}"] - requests', str(free), f">= {size}")


def _written(template: Template) -> Iterator[Evidence]:
    if isinstance(template.source, Deployment):
        rolling, place = rolling_update_of(template.source), template.place
        surge, missed = (None if one is None else str(one) for one in (rolling.max_surge, rolling.max_unavailable))
        yield Evidence(place, "spec.replicas", str(wanted(template.source.spec.replicas)))
        yield Evidence(place, "spec.strategy.rollingUpdate.maxSurge", surge, "0")
        yield Evidence(place, "spec.strategy.rollingUpdate.maxUnavailable", missed, "1")


def _told(stuck: list[Pod]) -> Iterator[Evidence]:
    for pod in stuck[:1]:
        found = condition(pod.status.conditions, "PodScheduled")
        yield Evidence(pod.shown, "status.conditions[PodScheduled].message", found.message if found else None)
