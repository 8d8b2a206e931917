"""PodDisruptionBudgets: which ones guard a pod, which pods one guards, and how many pods a share is."""

from collections import defaultdict
from collections.abc import Mapping

from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Pod, PodDisruptionBudget
from kubegap.cluster.selectors import selects
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, pods_by_namespace


def budget_of(snapshot: Snapshot, pod: Pod) -> PodDisruptionBudget | None:
    """The first budget that guards a pod."""
    return next(iter(budgets_for(snapshot, pod.namespace, pod.labels)), None)


def budgets_for(snapshot: Snapshot, namespace: str | None, labels: Mapping[str, str]) -> list[PodDisruptionBudget]:
    """All budgets that guard pods with these labels; more than one, and no eviction of them ever succeeds."""
    return [budget for budget in _by_namespace(snapshot).get(namespace, ()) if guards(budget, labels)]


def guards(budget: PodDisruptionBudget, labels: Mapping[str, str]) -> bool:
    """Whether a budget's selector picks a pod of its namespace; no selector picks nothing, an empty one all."""
    return budget.spec.selector is not None and selects(budget.spec.selector, labels)


def guarded_by(snapshot: Snapshot, budget: PodDisruptionBudget) -> list[Pod]:
    """The pods that a budget guards and that have not ended."""
    pods = pods_by_namespace(snapshot).get(budget.namespace, ())
    return [pod for pod in pods if guards(budget, pod.labels) and not has_ended(pod)]


def count_of(share: int | str | None, total: int, *, round_up: bool) -> int | None:
    """A number of pods that is written as a number or as a share of all (`25%`); None where it is neither.

    Budgets and `maxSurge` round shares up, `maxUnavailable` of a rollout down.
    """
    if isinstance(share, int):
        return share
    digits = (share or "").removesuffix("%")
    if share is None or digits == share or not (digits.isascii() and digits.isdigit()):
        return None
    part = int(digits) * total
    return -(-part // 100) if round_up else part // 100


@indexed
def _by_namespace(snapshot: Snapshot) -> Mapping[str | None, list[PodDisruptionBudget]]:
    found: dict[str | None, list[PodDisruptionBudget]] = defaultdict(list)
    for budget in snapshot.of(PodDisruptionBudget):
        found[budget.namespace].append(budget)
    return found
