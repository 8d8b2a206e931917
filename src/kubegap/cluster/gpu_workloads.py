"""Workloads that use accelerators, training and serving alike, as one plain record each.

For pairs that read the group `workloads` and, as `optional`, `resource.k8s.io/v1/resourceclaims` and
`resource.k8s.io/v1/resourceclaimtemplates`, by which devices can be asked for as well.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from kubegap.cluster.containers import Container
from kubegap.cluster.evidence import Subject
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.gpus import accelerators
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.devices import DeviceClaim, ResourceClaim, ResourceClaimTemplate
from kubegap.cluster.ownership import line_of, objects_by_subject
from kubegap.cluster.recovery import Recovery, recovery_of
from kubegap.cluster.requests import running_containers
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

_CLASS_MARKS = ("gpu", "mig", "tpu", "neuron", "gaudi")


class GpuWorkload(Struct, frozen=True):
    """One workload with all its parts.

    `pods` are wanted at once, `gpus` asked for by all of them; `decider` is the object whose field says what becomes of a
    failure, and both it and `recovery` are None where that cannot be seen.
    """

    subject: Subject
    templates: tuple[Template, ...]
    pods: int
    gpus: int
    decider: Subject | None
    recovery: Recovery | None

    @property
    def is_batch(self) -> bool:
        """Whether it trains, or otherwise runs to an end."""
        return any(template.is_batch for template in self.templates)

    @property
    def is_suspended(self) -> bool:
        """Whether no pods of it are wanted for now."""
        return all(template.is_suspended for template in self.templates)


@indexed
def gpu_workloads(snapshot: Snapshot) -> Sequence[GpuWorkload]:
    """Every workload of which some part asks for accelerators, in the order of subjects."""
    found = (_workload(snapshot, subject, tuple(parts)) for subject, parts in templates_by_subject(snapshot).items())
    return [workload for workload in found if workload]


def gpus_of(snapshot: Snapshot, template: Template) -> int:
    """Accelerators, or parts of them, that each pod of a template asks for, by resource or by claim."""
    return gpus_in(template.running_spec) + sum(_claimed(snapshot, template.namespace, template.running_spec))


def gpus_in(spec: PodSpec) -> int:
    """Those that the containers of a pod ask for as a resource."""
    resources = (container.resources for container in running_containers(spec) if container.resources)
    return sum(sum(accelerators({**(one.requests or {}), **(one.limits or {})}).values()) for one in resources)


def users_in(spec: PodSpec) -> list[Container]:
    """The containers that ask for accelerators; all of them where none does, as devices are claimed for the pod."""
    containers = spec.containers or []
    return [one for one in containers if gpus_in(PodSpec(containers=[one]))] or containers


def _workload(snapshot: Snapshot, subject: Subject, parts: tuple[Template, ...]) -> GpuWorkload | None:
    gpus = [gpus_of(snapshot, template) for template in parts]
    if not any(gpus):
        return None
    decider, recovery = next(_deciders(snapshot, parts[gpus.index(max(gpus))]), (None, None))
    total = sum(each * template.replicas for each, template in zip(gpus, parts, strict=True))
    return GpuWorkload(subject, parts, sum(template.replicas for template in parts), total, decider, recovery)


def _deciders(snapshot: Snapshot, template: Template) -> Iterator[tuple[Subject, Recovery]]:
    """What says how failures are met, the highest owner first: a RayJob before its RayCluster."""
    for subject in reversed(list(line_of(snapshot, template.owner))):
        thing = objects_by_subject(snapshot).get(subject)
        if thing and (recovery := recovery_of(thing)):
            yield subject, recovery


def _claimed(snapshot: Snapshot, namespace: str | None, spec: PodSpec) -> Iterator[int]:
    for claim in spec.resource_claims or ():
        kind = ResourceClaim if claim.resource_claim_name else ResourceClaimTemplate
        name = claim.resource_claim_name or claim.resource_claim_template_name or ""
        found = _claims(snapshot).get((kind.resource.kind, namespace, name))
        # A claim that was not read is told by its names, and how many devices it asks for nobody says.
        yield _devices(found) if found else int(_is_marked(f"{claim.name} {name}"))


def _devices(claim: DeviceClaim) -> int:
    """Accelerators of a claim; all of a node count as one, for how many these are nobody says."""
    firsts = [request.first for request in claim.requests or ()]
    return sum(one.count or 1 for one in firsts if _is_marked(one.device_class_name))


def _is_marked(name: str) -> bool:
    return any(mark in name.casefold() for mark in _CLASS_MARKS)


@indexed
def _claims(snapshot: Snapshot) -> Mapping[tuple[str, str | None, str], DeviceClaim]:
    claims = ((one, one.spec) for one in snapshot.of(ResourceClaim))
    made = ((one, one.spec.spec) for one in snapshot.of(ResourceClaimTemplate))
    return {(one.resource.kind, one.namespace, one.name): spec.devices for one, spec in (*claims, *made)}
