"""PodDisruptionBudgets that keep nodes from ever being emptied."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.budgets import guarded_by, never_allows, overlaps, templates_under
from kubegap.cluster.dependents import services_before, ties_of
from kubegap.cluster.growth import is_leaving, leave_marks
from kubegap.cluster.objects import Node, Pod, PodDisruptionBudget
from kubegap.cluster.placing import is_cordoned, nodes_by_name
from kubegap.cluster.providers import is_owned_by_provider
from kubegap.cluster.scaling import wanted_replicas
from kubegap.cluster.selectors import written
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import templates, templates_of
from kubegap.cluster.workloads import condition, controller_of, is_younger, owner_of

Budget = PodDisruptionBudget
Pods = Sequence[Pod]
ALLOWED = "DisruptionAllowed"
# Groups whose admission webhook answers an eviction by moving the pod itself.
MOVES_ITS_PODS = ("kubevirt.io",)


def find(cluster: Snapshot, settling: timedelta, stuck: timedelta) -> Iterator[Finding]:
    """One finding for each budget; of budgets over the same pods only the widest speaks of that."""
    for budget in cluster.of(Budget):
        others = overlaps(cluster).get(Subject.of(budget), ())
        keys = [*(["overlapping"] if others else []), *_blocking(cluster, budget, stuck)]
        pods = guarded_by(cluster, budget) if keys else []
        if keys and not _is_meant(cluster, budget, pods, settling):
            yield _finding(cluster, budget, pods, keys, others)


def guard_young(cluster: Snapshot, budget: Budget, settling: timedelta) -> bool:
    """The budget was made a moment ago, or its controller has not looked at its last change."""
    seen, wanted = budget.status.observed_generation, budget.metadata.generation
    return is_younger(budget, settling, cluster) or (seen is not None and wanted is not None and seen < wanted)


def guard_nothing_wanted(total: int) -> bool:
    """The workload is scaled to none, so there is nothing to evict."""
    return total == 0


def guard_recent_trouble(cluster: Snapshot, budget: Budget, stuck: timedelta) -> bool:
    """Pods became unhealthy a moment ago, as in a rollout or a restart, or nobody knows when."""
    since = condition(budget.status.conditions, ALLOWED)
    return since is None or since.last_transition_time is None or cluster.is_recent(since.last_transition_time, stuck)


def guard_unhealthy_may_go(budget: Budget) -> bool:
    """The budget lets unhealthy pods be evicted, so they hold up no drain."""
    return budget.spec.unhealthy_pod_eviction_policy == "AlwaysAllow"


def guard_batch(cluster: Snapshot, pods: Pods) -> bool:
    """Pods that run to an end are protected until then, and the drain goes on by itself."""
    return bool(pods) and all(any(one.is_batch for one in templates_of(cluster, pod)) for pod in pods)


def guard_on_every_node(cluster: Snapshot, budget: Budget) -> bool:
    """A drain leaves the pods of DaemonSets where they are."""
    guarded = templates_under(cluster, budget)
    return bool(guarded) and all(template.is_on_every_node for template in guarded)


def guard_operator_moves(cluster: Snapshot, budget: Budget, pods: Pods) -> bool:
    """An operator guards one of several pods of its own and moves its role, or the pod itself, when a drain comes."""
    maker = controller_of(budget)
    if maker is None:
        return False
    owners = {owner_of(pod) for pod in pods}
    theirs = sum(len(template.pods) for template in templates(cluster) if template.owner in owners)
    return maker.api_version.partition("/")[0] in MOVES_ITS_PODS or theirs > len(pods)


def guard_provider_owned(cluster: Snapshot, budget: Budget) -> bool:
    """The provider made the budget and would put it back."""
    return is_owned_by_provider(budget, cluster.provider)


def _is_meant(cluster: Snapshot, budget: Budget, pods: Pods, settling: timedelta) -> bool:
    by_pods = (
        guard_batch(cluster, pods)
        or guard_on_every_node(cluster, budget)
        or guard_operator_moves(cluster, budget, pods)
    )
    return by_pods or guard_young(cluster, budget, settling)


def _total(cluster: Snapshot, budget: Budget) -> int:
    """Pods that should be there, also while some are missing and where no controller has counted."""
    known = (template for template in templates_under(cluster, budget) if template.source)
    wanted = sum(wanted_replicas(cluster, template) for template in known)
    return max(wanted, budget.status.expected_pods or 0)


def _blocking(cluster: Snapshot, budget: Budget, stuck: timedelta) -> list[str]:
    """Why no pod may be evicted, now and as long as nobody changes something."""
    allowed, total = condition(budget.status.conditions, ALLOWED), _total(cluster, budget)
    if allowed and allowed.reason == "SyncFailed":
        return ["unsynced"]
    if guard_nothing_wanted(total):
        return []
    if never_allows(budget, total):
        return ["never", *(["single"] if total == 1 else [])]
    short = allowed is not None and allowed.status == "False" and not guard_recent_trouble(cluster, budget, stuck)
    return ["stuck"] if short and not guard_unhealthy_may_go(budget) else []


def _finding(cluster: Snapshot, budget: Budget, pods: Pods, keys: list[str], others: Sequence[Subject]) -> Finding:
    nodes = _waiting(cluster, pods)
    ties = _ties(cluster, budget) if "single" in keys else []
    is_provider = guard_provider_owned(cluster, budget)
    facts: dict[str, Fact] = {
        "budget": f"{budget.namespace}/{budget.name}",
        "pods": _total(cluster, budget),
        "healthy": budget.status.current_healthy or 0,
        "others": tuple(f"`{one.name}`" for one in others),
        "ties": tuple(ties),
        "nodes": tuple(f"`{node.name}`" for node in nodes),
    }
    hints = [key for key, holds in (("ties", ties), ("waiting", nodes), ("provider-owned", is_provider)) if holds]
    severity = Severity.HIGH if nodes or others or {*ties} - {"api"} else Severity.MEDIUM
    return Finding(
        subject=Subject.of(budget),
        severity=Severity.INFO if is_provider else severity,
        confidence=Confidence.CONFIG if budget.status.expected_pods is None else Confidence.OBSERVED,
        messages=tuple(Message(key, facts) for key in [*keys, *hints]),
        evidence=tuple(_evidence(budget, nodes)),
        members=tuple(sorted(pod.name for pod in pods)),
    )


def _ties(cluster: Snapshot, budget: Budget) -> list[str]:
    """What stands still with the only pod."""
    guarded = templates_under(cluster, budget)
    return ties_of(cluster, [service for template in guarded for service in services_before(cluster, template)])


def _waiting(cluster: Snapshot, pods: Pods) -> list[Node]:
    """The nodes that somebody wants empty while these pods are on them."""
    names = sorted({pod.spec.node_name or "" for pod in pods})
    nodes = [node for name in names if (node := nodes_by_name(cluster).get(name))]
    return [node for node in nodes if is_cordoned(node) or is_leaving(node)]


def _evidence(budget: Budget, nodes: list[Node]) -> Iterator[Evidence]:
    spec, status = budget.spec, budget.status
    numbers = {"spec.minAvailable": spec.min_available, "spec.maxUnavailable": spec.max_unavailable}
    for path, value in numbers.items():
        if value is not None:
            yield Evidence(budget.shown, path, str(value), "maxUnavailable: 1")
    yield Evidence(budget.shown, "spec.selector", written(spec.selector))
    seen = {"expectedPods": status.expected_pods, "desiredHealthy": status.desired_healthy}
    seen |= {"currentHealthy": status.current_healthy, "disruptionsAllowed": status.disruptions_allowed}
    for field, count in seen.items():
        if count is not None:
            yield Evidence(budget.shown, f"status.{field}", str(count))
    for found in status.conditions or ():
        yield Evidence(budget.shown, f"status.conditions[{found.type}].reason", found.reason)
    for node in nodes:
        yield from ([Evidence(node.shown, "spec.unschedulable", "true")] if is_cordoned(node) else leave_marks(node))
