"""Default priorities that push out what runs already, and shared programs without a priority of their own."""

from collections.abc import Iterator, Sequence

from kubegap.checks.model import Answer, Confidence, Evidence, Finding, Message, Severity, State, Subject
from kubegap.cluster import capacity
from kubegap.cluster.kinds.policy import PriorityClass
from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.programs import Program, programs_of
from kubegap.cluster.providers import is_for_development
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates

# Priorities from here on are the system's own.
SYSTEM = 1_000_000_000
SHARED = {Program.NETWORK, Program.DNS, Program.STORAGE, Program.INGRESS, Program.POLICY, Program.NODE_AUTOSCALER}
SHOWN = 3


def find(cluster: Snapshot) -> Iterator[Finding | Answer]:
    """One finding for a default class that outranks what runs, and one for each workload of the wrong rank."""
    if guard_development(cluster):
        yield Answer(State.NOT_APPLICABLE, Message("development"))
        return
    running = [template for template in templates(cluster) if template.pods and not template.is_suspended]
    for default in cluster.of(PriorityClass):
        if default.global_default and (outranked := _outranked(default, running)):
            yield _default(default, outranked)
    waiting = {pod.metadata.uid or pod.shown: pod for pod in capacity.waiting(cluster)}
    for template in running:
        if guard_has_rank(template):
            if template.is_batch and not guard_system_namespace(template) and _rank(template) >= SYSTEM:
                yield _batch(template)
        elif left := [pod for pod in template.pods if (pod.metadata.uid or pod.shown) in waiting]:
            if template.is_on_every_node:
                yield _agent(template, left)
        elif programs := SHARED & programs_of(template.spec):
            yield _shared(cluster, template, tuple(sorted(programs)))


def guard_development(cluster: Snapshot) -> bool:
    """On a cluster of one node, or on somebody's own machine, nobody competes."""
    return is_for_development(cluster.of(Node))


def guard_never_preempts(default: PriorityClass) -> bool:
    """Pods of the class wait their turn and push nobody out."""
    return default.preemption_policy == "Never"


def guard_chose_to_give_way(template: Template) -> bool:
    """Its owner names a class itself, and so knows that others go first."""
    return template.source is not None and bool(template.spec.priority_class_name)


def guard_batch(template: Template) -> bool:
    """Work that runs to an end can be started again."""
    return template.is_batch


def guard_has_rank(template: Template) -> bool:
    """Its pods have a priority above nothing, named or given by admission, as static pods are."""
    return _rank(template) > 0


def guard_system_namespace(template: Template) -> bool:
    """The system may use its own ranks."""
    return is_system_namespace(template.namespace or "")


def guard_single_rank(cluster: Snapshot) -> bool:
    """No user of the cluster has a rank, so that nothing but the system can push anything out."""
    return not any(0 < item.value < SYSTEM for item in cluster.of(PriorityClass))


def _rank(template: Template) -> int:
    return capacity.rank_of(template.pods)


def _outranked(default: PriorityClass, running: Sequence[Template]) -> list[Template]:
    """Services that began before the default did, and so rank below every pod that names nothing."""
    if guard_never_preempts(default):
        return []
    below = [template for template in running if 0 <= _rank(template) < default.value]
    return [template for template in below if not guard_batch(template) and not guard_chose_to_give_way(template)]


def _default(default: PriorityClass, outranked: Sequence[Template]) -> Finding:
    return Finding(
        subject=Subject.of(default),
        severity=Severity.HIGH,
        confidence=Confidence.CONFIG,
        messages=(Message("default", {"value": default.value, "workloads": len(outranked)}),),
        evidence=(
            Evidence(default.shown, "globalDefault", "true"),
            Evidence(default.shown, "value", str(default.value)),
            *(_evidence(template) for template in outranked[:SHOWN]),
        ),
        members=tuple(template.subject.shown for template in outranked),
    )


def _agent(template: Template, left: Sequence[Pod]) -> Finding:
    """A program that is meant for every node and has lost the race for room on some."""
    return Finding(
        subject=template.subject,
        severity=Severity.CRITICAL if any(map(capacity.is_vital, left)) else Severity.MEDIUM,
        confidence=Confidence.OBSERVED,
        messages=(Message("agent", {"pods": len(left), "wanted": len(template.pods)}),),
        evidence=(_evidence(template),),
        members=tuple(pod.shown for pod in left),
    )


def _shared(cluster: Snapshot, template: Template, programs: tuple[str, ...]) -> Finding:
    alone = guard_single_rank(cluster)
    return Finding(
        subject=template.subject,
        severity=Severity.INFO if alone else Severity.MEDIUM,
        confidence=Confidence.HEURISTIC,
        messages=(Message("shared", {"programs": programs}), *([Message("alone")] if alone else [])),
        evidence=(_evidence(template),),
    )


def _batch(template: Template) -> Finding:
    return Finding(
        subject=template.subject,
        severity=Severity.MEDIUM,
        confidence=Confidence.CONFIG,
        messages=(Message("batch"),),
        evidence=(_evidence(template),),
    )


def _evidence(template: Template) -> Evidence:
    return Evidence(template.place, f"{template.part.path}.priorityClassName", template.spec.priority_class_name)
