"""One pod that others cannot do without: an entry, a webhook, a part of the API."""

from collections.abc import Iterator, Sequence

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.budgets import budgets_for, never_allows
from kubegap.cluster.dependents import services_before, ties_of, wanted_behind
from kubegap.cluster.dns import is_dns
from kubegap.cluster.fields import LabelSelector
from kubegap.cluster.kinds.apps import Deployment, StatefulSet
from kubegap.cluster.objects import Node, Service
from kubegap.cluster.programs import Program, runs
from kubegap.cluster.providers import is_for_development, is_made_by_operator, is_run_by_provider
from kubegap.cluster.scaling import is_leader_elected, wanted_replicas
from kubegap.cluster.selectors import written
from kubegap.cluster.services import is_open_to_outside
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

Services = Sequence[Service]
# Controllers that work off what piles up while they are gone.
PLATFORM = {Program.CERTIFICATES, Program.POLICY}


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each workload, by the weightiest of its single pods."""
    for subject, parts in templates_by_subject(cluster).items():
        single = [part for part in parts if part.replicas <= 1 and not _is_meant(cluster, part)]
        services = [one for part in single for one in services_before(cluster, part)]
        alone = [one for one in services if not guard_others_behind(cluster, one)]
        ties = ties_of(cluster, alone)
        if ties or any(_is_platform(cluster, part) for part in single):
            yield _finding(cluster, subject, single, alone, ties)


def guard_batch(template: Template) -> bool:
    """A pod that runs to an end is started again."""
    return template.is_batch


def guard_on_every_node(template: Template) -> bool:
    """DaemonSets and static pods have one pod where there is one node for them."""
    return template.is_on_every_node


def guard_autoscaled(cluster: Snapshot, template: Template) -> bool:
    """An autoscaler keeps two or more, whatever the manifest leaves unsaid."""
    return wanted_replicas(cluster, template) > 1


def guard_not_wanted(template: Template) -> bool:
    """Scaled to none or suspended, so nothing leans on it."""
    return template.is_suspended


def guard_dns(services: Services) -> bool:
    """Cluster DNS has a check of its own that asks for a second pod."""
    return any(map(is_dns, services))


def guard_ingress_controller(template: Template) -> bool:
    """Ingress controllers have a check of their own that asks for a second pod."""
    return runs(template.running_spec, {Program.INGRESS})


def guard_held_by_budget(cluster: Snapshot, template: Template) -> bool:
    """A budget that never lets the pod go is a finding of its own, with the same cure."""
    return any(never_allows(budget, 1) for budget in budgets_for(cluster, template.namespace, template.labels))


def guard_provider_owned(cluster: Snapshot, template: Template) -> bool:
    """The provider decides how many of its own pods there are."""
    return is_run_by_provider(template, cluster.provider)


def guard_operator(template: Template) -> bool:
    """An operator decides how many pods it makes of its custom resource."""
    return is_made_by_operator(template)


def guard_others_behind(cluster: Snapshot, service: Service) -> bool:
    """Another workload answers behind the same Service, as a stable version does beside its canary."""
    return wanted_behind(cluster, service) > 1


def guard_leader_elected(cluster: Snapshot, template: Template) -> bool:
    """A controller that elects a leader is followed by the next pod, which finds all work where it was left."""
    return is_leader_elected(cluster, template)


def guard_holds_volume(parts: list[Template]) -> bool:
    """Its volume or its strategy allows one pod at a time, so a second is no quick cure."""
    sources = [part.source for part in parts]
    strategies = [one.spec.strategy for one in sources if isinstance(one, Deployment) and one.spec.strategy]
    recreated = any(strategy.type == "Recreate" for strategy in strategies)
    claims = any(isinstance(one, StatefulSet) and one.spec.volume_claim_templates for one in sources)
    return recreated or claims or any(one.persistent_volume_claim for part in parts for one in part.spec.volumes or ())


def guard_development(cluster: Snapshot) -> bool:
    """A cluster on somebody's own machine, or of one node, has no second place."""
    return is_for_development(cluster.of(Node))


def _is_meant(cluster: Snapshot, template: Template) -> bool:
    services = services_before(cluster, template)
    by_kind = guard_batch(template) or guard_on_every_node(template) or guard_operator(template)
    elsewhere = guard_dns(services) or guard_ingress_controller(template) or guard_held_by_budget(cluster, template)
    is_none = guard_not_wanted(template) or guard_autoscaled(cluster, template)
    return by_kind or elsewhere or is_none or guard_provider_owned(cluster, template)


def _is_platform(cluster: Snapshot, template: Template) -> bool:
    return runs(template.running_spec, PLATFORM) and not guard_leader_elected(cluster, template)


def _severity(ties: list[str], *, is_held: bool) -> Severity:
    """A part of the API delays controllers, all other ties stop users or writes."""
    if not ties:
        return Severity.LOW
    severity = Severity.MEDIUM if ties == ["api"] else Severity.HIGH
    return severity.milder if is_held else severity


def _finding(
    cluster: Snapshot, subject: Subject, parts: list[Template], services: Services, ties: list[str]
) -> Finding:
    is_held, is_dev = guard_holds_volume(parts), guard_development(cluster)
    key = "tied" if ties else "platform"
    hints = [*(["held"] if is_held else []), *(["development"] if is_dev else [])]
    facts: dict[str, Fact] = {"ties": tuple(ties)}
    return Finding(
        subject=subject,
        severity=Severity.INFO if is_dev else _severity(ties, is_held=is_held),
        confidence=Confidence.CONFIG if ties else Confidence.HEURISTIC,
        messages=tuple(Message(name, facts) for name in [key, *hints]),
        evidence=tuple(_evidence(parts, services)),
        members=tuple(sorted(pod.name for part in parts for pod in part.pods)),
    )


def _evidence(parts: list[Template], services: Services) -> Iterator[Evidence]:
    for part in parts:
        yield Evidence(part.place, part.replicas_path, str(part.replicas), ">= 2")
    for service in services:
        selector = LabelSelector(match_labels=service.spec.selector)
        yield Evidence(service.shown, "spec.selector", written(selector))
        if is_open_to_outside(service):
            yield Evidence(service.shown, "spec.type", service.spec.type)
