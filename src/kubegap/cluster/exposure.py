"""What else depends on a workload: who sends it traffic, and whether it keeps data."""

from collections.abc import Mapping
from enum import StrEnum

from kubegap.cluster.dependents import is_behind_webhook
from kubegap.cluster.dns import is_dns
from kubegap.cluster.evidence import Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import PersistentVolume, Pod
from kubegap.cluster.placing import ZONE
from kubegap.cluster.services import is_open_to_outside, services_of
from kubegap.cluster.snapshot import Snapshot


class Role(StrEnum):
    """What a workload is to the others, weightiest first."""

    DNS = "dns"
    WEBHOOK = "webhook"
    ENTRY = "entry"
    DATASTORE = "datastore"
    SERVICE = "service"
    NONE = "none"

    @classmethod
    def needed_by_others(cls) -> "set[Role]":
        """Roles whose loss takes other workloads along."""
        return {cls.DNS, cls.WEBHOOK, cls.ENTRY, cls.DATASTORE}


def role_of(snapshot: Snapshot, owner: Subject, pod: Pod) -> Role:
    """The role of a workload, by the Services in front of one of its pods and by its volumes."""
    services = list(services_of(snapshot, pod))
    if any(map(is_dns, services)):
        return Role.DNS
    if is_behind_webhook(snapshot, services):
        return Role.WEBHOOK
    if any(map(is_open_to_outside, services)):
        return Role.ENTRY
    if owner.kind == "StatefulSet" and claims_of(pod):
        return Role.DATASTORE
    return Role.SERVICE if services else Role.NONE


def claims_of(pod: Pod) -> list[tuple[str | None, str]]:
    """The volume claims of a pod, by namespace and name."""
    claims = (volume.persistent_volume_claim for volume in pod.spec.volumes or ())
    return [(pod.namespace, claim.claim_name) for claim in claims if claim]


def is_held_by_volume(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether a volume of the pod can be reached from some zones or nodes only."""
    held = _bound_to_place(snapshot)
    return any(held.get(claim, False) for claim in claims_of(pod))


@indexed
def _bound_to_place(snapshot: Snapshot) -> Mapping[tuple[str | None, str], bool]:
    """Claims by namespace and name, and whether their volume is bound to a zone."""
    volumes = ((volume.spec.claim_ref, volume) for volume in snapshot.of(PersistentVolume))
    return {(claim.namespace, claim.name): _is_zonal(volume) for claim, volume in volumes if claim}


def _is_zonal(volume: PersistentVolume) -> bool:
    required = volume.spec.node_affinity.required if volume.spec.node_affinity else None
    terms = required.node_selector_terms or () if required else ()
    return any(ZONE in one.key or one.key.endswith("/zone") for term in terms for one in term.match_expressions or ())
