"""Whether a workload is still on its way to what it wants, so that what it lacks now is no news."""

from datetime import timedelta

from kubegap.cluster.kinds.apps import DaemonSet, Deployment, StatefulSet, UpdateStrategy
from kubegap.cluster.kinds.workload import Workload
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template
from kubegap.cluster.workloads import condition, is_younger


def is_settling(snapshot: Snapshot, template: Template, age: timedelta) -> bool:
    """Whether it or one of its pods is younger than a time, or its controller has not carried out its last change."""
    things = [*([template.source] if template.source else []), *template.pods]
    young = any(is_younger(thing, age, snapshot) for thing in things)
    return young or (template.source is not None and is_rolling_out(template.source))


def is_rolling_out(thing: Workload) -> bool:
    """Whether the status is of an older version of the object, or not all pods are of the newest.

    A rollout that its controller has given up (`ProgressDeadlineExceeded`) is none.
    """
    if not isinstance(thing, Deployment | StatefulSet | DaemonSet):
        return False
    progress = condition(thing.status.conditions, "Progressing")
    if progress and progress.status == "False":
        return False
    seen, wanted = thing.status.observed_generation, thing.metadata.generation
    if seen is not None and wanted is not None and seen < wanted:
        return True
    if isinstance(thing, DaemonSet):
        updated, total = thing.status.updated_number_scheduled, thing.status.desired_number_scheduled
    else:
        updated, total = thing.status.updated_replicas, thing.status.replicas
    # A StatefulSet that is updated by hand, or by part, may stay so for ever.
    strategy = thing.spec.strategy if isinstance(thing, Deployment) else thing.spec.update_strategy
    return not _is_by_hand(strategy) and updated is not None and total is not None and updated < total


def _is_by_hand(strategy: UpdateStrategy | None) -> bool:
    rolling = strategy.rolling_update if strategy else None
    return strategy is not None and (strategy.type == "OnDelete" or bool(rolling and rolling.partition))
