"""How a rollout replaces pods: how many it adds before it takes any away.

Source: `k8s.io/kubernetes` `pkg/controller/deployment/util` (`ResolveFenceposts`) at Kubernetes 1.37.
"""

from kubegap.cluster.budgets import count_of
from kubegap.cluster.kinds.apps import Deployment, RollingUpdate
from kubegap.cluster.kinds.workload import wanted

_SHARE = "25%"


def added_by(deployment: Deployment) -> int:
    """How many pods a rollout may have beyond those that are wanted; 0 where all old ones go first."""
    return 0 if _recreates(deployment) else _count(deployment, rolling_update_of(deployment).max_surge, round_up=True)


def missed_by(deployment: Deployment) -> int:
    """How many pods a rollout may lack; one at least where it may add none, or it could never start."""
    if _recreates(deployment):
        return wanted(deployment.spec.replicas)
    missed = _count(deployment, rolling_update_of(deployment).max_unavailable, round_up=False)
    return missed if missed or added_by(deployment) else 1


def rolling_update_of(deployment: Deployment) -> RollingUpdate:
    """What is written about it; empty where nothing is, which means a quarter of the pods for both."""
    strategy = deployment.spec.strategy
    return (strategy.rolling_update if strategy else None) or RollingUpdate()


def _recreates(deployment: Deployment) -> bool:
    return deployment.spec.strategy is not None and deployment.spec.strategy.type == "Recreate"


def _count(deployment: Deployment, share: int | str | None, *, round_up: bool) -> int:
    return count_of(_SHARE if share is None else share, wanted(deployment.spec.replicas), round_up=round_up) or 0
