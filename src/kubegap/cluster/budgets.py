"""PodDisruptionBudgets: which one guards a pod."""

from collections import defaultdict
from collections.abc import Mapping

from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Pod, PodDisruptionBudget
from kubegap.cluster.selectors import selects
from kubegap.cluster.snapshot import Snapshot


def budget_of(snapshot: Snapshot, pod: Pod) -> PodDisruptionBudget | None:
    """The first budget that guards a pod."""
    budgets = _by_namespace(snapshot).get(pod.namespace, ())
    return next((budget for budget in budgets if guards(budget, pod)), None)


def guards(budget: PodDisruptionBudget, pod: Pod) -> bool:
    """Whether a budget's selector picks a pod of its namespace; no selector picks nothing, an empty one all."""
    return budget.spec.selector is not None and selects(budget.spec.selector, pod.labels)


@indexed
def _by_namespace(snapshot: Snapshot) -> Mapping[str | None, list[PodDisruptionBudget]]:
    found: dict[str | None, list[PodDisruptionBudget]] = defaultdict(list)
    for budget in snapshot.of(PodDisruptionBudget):
        found[budget.namespace].append(budget)
    return found
