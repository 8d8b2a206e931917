"""What disruption budgets allow."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tests.silence.objects import Thing
from tests.silence.standing.cluster import Cluster
from tests.silence.standing.pods import is_ready


def count_budgets(cluster: Cluster) -> None:
    """How many of the pods that a budget picks are there, and how many may go."""
    for budget in cluster.of("PodDisruptionBudget"):
        spec, guarded = budget["spec"], [pod for pod in cluster.of("Pod") if _guards(budget, pod)]
        count, healthy = len(guarded), sum(map(is_ready, guarded))
        may_go = (
            count - _part(spec["minAvailable"], count)
            if "minAvailable" in spec
            else _part(spec["maxUnavailable"], count)
        )
        least = max(count - may_go, 0)
        numbers = {"expectedPods": count, "currentHealthy": healthy, "desiredHealthy": least}
        allowed = max(healthy - least, 0)
        told = [{"type": "DisruptionAllowed", "status": str(allowed > 0), "lastTransitionTime": cluster.time()}]
        budget["status"] = {"observedGeneration": 1, "disruptionsAllowed": allowed, **numbers, "conditions": told}


def _guards(budget: Thing, pod: Thing) -> bool:
    wanted = budget["spec"]["selector"].get("matchLabels", {})
    is_near = pod["metadata"]["namespace"] == budget["metadata"]["namespace"]
    return is_near and wanted.items() <= pod["metadata"]["labels"].items()


def _part(wanted: int | str, count: int) -> int:
    return ceil(Fraction(wanted.rstrip("%")) * count / 100) if isinstance(wanted, str) else wanted
