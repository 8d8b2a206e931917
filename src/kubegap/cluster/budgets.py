"""PodDisruptionBudgets: which ones guard a pod, which pods one guards, and how many pods a share is."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kubegap.cluster.evidence import Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Pod, PodDisruptionBudget
from kubegap.cluster.selectors import selects
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates
from kubegap.cluster.workloads import has_ended, pods_by_namespace

# A namespace, and a label that a budget of it asks for.
_Place = tuple[str | None, tuple[str, str] | None]


def budget_of(snapshot: Snapshot, pod: Pod) -> PodDisruptionBudget | None:
    """The first budget that guards a pod."""
    return next(iter(budgets_for(snapshot, pod.namespace, pod.labels)), None)


def budgets_for(snapshot: Snapshot, namespace: str | None, labels: Mapping[str, str]) -> list[PodDisruptionBudget]:
    """All budgets that guard pods with these labels; more than one, and no eviction of them ever succeeds."""
    index = _by_label(snapshot)
    places = [(namespace, None), *((namespace, label) for label in labels.items())]
    return [budget for place in places for budget in index.get(place, ()) if guards(budget, labels)]


def guards(budget: PodDisruptionBudget, labels: Mapping[str, str]) -> bool:
    """Whether a budget's selector picks a pod of its namespace; no selector picks nothing, an empty one all."""
    return budget.spec.selector is not None and selects(budget.spec.selector, labels)


def guarded_by(snapshot: Snapshot, budget: PodDisruptionBudget) -> list[Pod]:
    """The pods that a budget guards and that have not ended."""
    pods = pods_by_namespace(snapshot).get(budget.namespace, ())
    return [pod for pod in pods if guards(budget, pod.labels) and not has_ended(pod)]


def templates_under(snapshot: Snapshot, budget: PodDisruptionBudget) -> list[Template]:
    """The workloads whose pods a budget guards, told by the labels of their templates. Reads the group `workloads`."""
    return _templates(snapshot).get((budget.namespace, budget.name), [])


def never_allows(budget: PodDisruptionBudget, total: int) -> bool:
    """Whether its numbers forbid every eviction among so many pods, even while all of them are healthy."""
    least = count_of(budget.spec.min_available, total, round_up=True)
    most = count_of(budget.spec.max_unavailable, total, round_up=True)
    return most == 0 or (least is not None and least >= total)


@indexed
def overlaps(snapshot: Snapshot) -> Mapping[Subject, Sequence[Subject]]:
    """Budgets that pick pods of other budgets too, and these; each pair once, under the one that meets most others.

    No eviction of such a pod ever succeeds. Reads the group `workloads`.
    """
    meets: dict[Subject, set[Subject]] = defaultdict(set)
    for template in templates(snapshot):
        budgets = {Subject.of(budget) for budget in budgets_for(snapshot, template.namespace, template.labels)}
        for budget in budgets if len(budgets) > 1 else ():
            meets[budget] |= budgets - {budget}
    told: dict[Subject, Sequence[Subject]] = {}
    heard: set[Subject] = set()
    for budget in sorted(meets, key=lambda one: (-len(meets[one]), one)):
        if budget not in heard:
            told[budget] = sorted(meets[budget])
            heard |= {budget, *meets[budget]}
    return told


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
def _by_label(snapshot: Snapshot) -> Mapping[_Place, list[PodDisruptionBudget]]:
    """Each budget once, under the first label that it asks for, or under None."""
    found: dict[_Place, list[PodDisruptionBudget]] = defaultdict(list)
    for budget in snapshot.of(PodDisruptionBudget):
        labels = budget.spec.selector.match_labels if budget.spec.selector else None
        found[budget.namespace, next(iter((labels or {}).items()), None)].append(budget)
    return found


@indexed
def _templates(snapshot: Snapshot) -> Mapping[tuple[str | None, str], list[Template]]:
    found: dict[tuple[str | None, str], list[Template]] = defaultdict(list)
    for template in templates(snapshot):
        for budget in budgets_for(snapshot, template.namespace, template.labels):
            found[budget.namespace, budget.name].append(template)
    return found
