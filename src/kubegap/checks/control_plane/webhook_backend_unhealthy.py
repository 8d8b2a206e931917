"""Services that the API server asks about writes and conversions, and that do not answer or hardly hold up."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from kubegap.checks.model import Answer, Confidence, Fact, Finding, Message, Severity, State, Subject
from kubegap.cluster.hooks import Callee, Hook, callees, evidence, hooks, versions_in_use
from kubegap.cluster.kinds.extension import CustomResourceDefinition
from kubegap.cluster.objects import EndpointSlice, KubernetesObject, Pod, Service
from kubegap.cluster.providers import is_owned_by_provider
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import is_ready, is_younger

# While one of these holds, nobody answers.
BROKEN = {"missing", "no-port", "down"}
RESTARTS_A_DAY = 3


def find(cluster: Snapshot, settling: timedelta, lately: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each Service that is asked; the webhooks and definitions that lead there are its members."""
    asked = [hook for hook in hooks(cluster) if not (guard_no_rules(hook) or guard_one_version(hook))]
    for callee in callees(cluster, asked):
        if guard_young(cluster, callee.holders, settling):
            continue
        restless = [pod for pod in callee.pods if not guard_rare_restarts(cluster, pod, lately)]
        told = [*_troubles(cluster, callee, settling), *(["restarting"] if restless else [])]
        if told:
            yield _finding(cluster, callee, told)
    if asked and not any(hook.config.service for hook in asked):
        yield Answer(State.NOT_VISIBLE, Message("external"))


def guard_no_rules(hook: Hook) -> bool:
    """The webhook has no rules, so it is never asked."""
    return hook.webhook is not None and not hook.webhook.rules


def guard_one_version(hook: Hook) -> bool:
    """The custom resource has one version only, so nothing is ever converted."""
    return isinstance(hook.holder, CustomResourceDefinition) and len(versions_in_use(hook.holder)) < 2


def guard_young(cluster: Snapshot, things: Sequence[KubernetesObject], settling: timedelta) -> bool:
    """All of it was installed a moment ago, and the rest is on its way."""
    return all(is_younger(thing, settling, cluster) for thing in things)


def guard_starting(cluster: Snapshot, pods: Sequence[Pod], settling: timedelta) -> bool:
    """The pods that are not ready are new, as in a rollout or after a node was replaced."""
    late = [pod for pod in pods if not is_ready(pod)]
    return bool(late) and all(is_younger(pod, settling, cluster) for pod in late)


def guard_elsewhere(service: Service) -> bool:
    """The Service is a name for something outside the cluster, which has no endpoints here."""
    return service.spec.type == "ExternalName"


def guard_rare_restarts(cluster: Snapshot, pod: Pod, lately: timedelta) -> bool:
    """No container ended lately, or over the life of the pod it restarted less than a few times a day."""
    age = cluster.time_since(pod.metadata.creation_timestamp) or timedelta()
    many = RESTARTS_A_DAY * max(age / timedelta(days=1), 1)
    for status in pod.status.container_statuses or ():
        ended = status.last_state.terminated if status.last_state else None
        if ended and cluster.is_recent(ended.finished_at, lately) and (status.restart_count or 0) >= many:
            return False
    return True


def guard_provider_owned(cluster: Snapshot, callee: Callee) -> bool:
    """The provider installed all that leads there and would put it back."""
    return all(is_owned_by_provider(holder, cluster.provider) for holder in callee.holders)


def _troubles(cluster: Snapshot, callee: Callee, settling: timedelta) -> Iterator[str]:
    """What is wrong with a Service, at most one."""
    service, ready = callee.service, callee.ready
    if service is None:
        # A chart may leave the Service to another chart; a cluster whose endpoints were read has it or not.
        yield from ["missing"] if cluster.has(Service) and cluster.has(EndpointSlice) else []
    elif guard_elsewhere(service):
        return
    elif not callee.has_ports:
        yield "no-port"
    elif (
        ready is not None
        and ready < min(max(len(callee.pods), 1), 2)
        and not guard_starting(cluster, callee.pods, settling)
    ):
        yield "degraded" if ready else "down"


def _finding(cluster: Snapshot, callee: Callee, told: list[str]) -> Finding:
    is_broken, is_owned = told[0] in BROKEN, guard_provider_owned(cluster, callee)
    severity = Severity.worst(map(_harm, callee.hooks)) if is_broken else Severity.MEDIUM
    notes = [*(_effects(callee) if is_broken else []), *(["provider-owned"] if is_owned else [])]
    facts: dict[str, Fact] = {"service": f"{callee.namespace}/{callee.name}", "pods": len(callee.pods)}
    return Finding(
        subject=Subject("v1", "Service", callee.namespace, callee.name),
        severity=Severity.INFO if is_owned else severity,
        confidence=Confidence.CONFIG if told[0] == "no-port" else Confidence.OBSERVED,
        messages=tuple(Message(key, facts) for key in [*told, *notes]),
        evidence=tuple(evidence(callee)),
        members=tuple(holder.shown for holder in callee.holders),
    )


def _harm(hook: Hook) -> Severity:
    worst = Severity.CRITICAL if hook.fails_closed else Severity.HIGH
    return worst if hook.is_about_built_in else worst.milder


def _effects(callee: Callee) -> Iterator[str]:
    """What becomes of requests, each sort once, worst first."""
    sorts = {
        "unconverted" if one.is_conversion else "refused" if one.fails_closed else "skipped" for one in callee.hooks
    }
    return (sort for sort in ("refused", "unconverted", "skipped") if sort in sorts)
