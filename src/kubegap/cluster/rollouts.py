"""How a rollout replaces pods: how many it adds before it takes any away, and which pods are of one version.

Source: `k8s.io/kubernetes` `pkg/controller/deployment/util` (`ResolveFenceposts`) at Kubernetes 1.37.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from kubegap.cluster.budgets import count_of
from kubegap.cluster.capacity import reasons_of, waiting
from kubegap.cluster.evidence import Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.apps import Deployment, RollingUpdate
from kubegap.cluster.kinds.workload import wanted
from kubegap.cluster.objects import Pod
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates

# What pods wait for when GPUs are lacking, plain or by claim.
_DEVICES = {"gpu", "devices"}
_SHARE = "25%"
# Labels that Deployments and Argo Rollouts put on the pods of one version.
_HASHES = ("pod-template-hash", "rollouts-pod-template-hash")


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


def version_of(pod: Pod) -> str | None:
    """What tells the pods of one version of a template from those of another; None for other owners."""
    return next((pod.labels[label] for label in _HASHES if label in pod.labels), None)


@indexed
def deadlocked(snapshot: Snapshot) -> Mapping[Subject, Sequence[Pod]]:
    """By workload, the pods of a new version that wait for GPUs or other devices which those of an older one hold.

    Updates that may take an old pod away first are left out. Reads the group `workloads`.
    """
    found: dict[Subject, list[Pod]] = defaultdict(list)
    late = {(pod.namespace, pod.name) for pod in waiting(snapshot)}
    for template in templates(snapshot) if late else ():
        found[template.subject] += _behind_old(template, late)
    return {subject: pods for subject, pods in found.items() if pods}


def _behind_old(template: Template, late: Collection[tuple[str | None, str]]) -> list[Pod]:
    waits = [pod for pod in template.pods if (pod.namespace, pod.name) in late]
    if not waits or (isinstance(template.source, Deployment) and missed_by(template.source) > 0):
        return []
    holding = {version_of(pod) for pod in template.pods if pod.spec.node_name}
    new = [pod for pod in waits if holding and version_of(pod) not in holding]
    return [pod for pod in new if not _DEVICES.isdisjoint(reasons_of(pod))]


def _recreates(deployment: Deployment) -> bool:
    return deployment.spec.strategy is not None and deployment.spec.strategy.type == "Recreate"


def _count(deployment: Deployment, share: int | str | None, *, round_up: bool) -> int:
    return count_of(_SHARE if share is None else share, wanted(deployment.spec.replicas), round_up=round_up) or 0
