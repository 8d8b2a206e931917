"""Pods without what differs in each for no reason, and their equal parts held once.

Pods of one owner are written alike: their containers, volumes, labels and conditions are equal. Of 150,000 pods all
those parts would be most of the memory; held once they are next to nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeVar

import msgspec
from msgspec import structs

from kubegap.cluster.containers import Container
from kubegap.cluster.fields import PodCondition, PodSpec, PodStatus
from kubegap.cluster.objects import KubernetesObject, Metadata, Pod

T = TypeVar("T")
K = TypeVar("K", bound=KubernetesObject)

# The volume with the token of a service account, which the API server adds to every pod under a name of its own.
_TOKEN_VOLUME = "kube-api-access-"  # noqa: S105 - a name
_TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"  # noqa: S105 - a path
# Conditions that are True in every pod that runs as it should.
_USUAL = {"PodScheduled", "PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"}
_encode = msgspec.json.Encoder().encode


class Sharing:
    """Equal parts of the pods that are read together."""

    def __init__(self) -> None:
        self._known: defaultdict[str, dict[bytes, object]] = defaultdict(dict)

    def shared(self, thing: K) -> K:
        """The same object; a pod with parts that may belong to others too, and without what no check can use."""
        if not isinstance(thing, Pod):
            return thing
        return structs.replace(
            thing,
            metadata=self._metadata(thing.metadata),
            spec=self._spec(thing.spec),
            status=self._status(thing.status),
        )

    def _metadata(self, metadata: Metadata) -> Metadata:
        return structs.replace(
            metadata,
            namespace=self._one("namespace", metadata.namespace),
            labels=self._one("labels", metadata.labels),
            owner_references=self._one("owners", metadata.owner_references),
            # Pods have only ever been written in one version.
            managed_fields=None,
        )

    def _spec(self, spec: PodSpec) -> PodSpec:
        volumes = [volume for volume in spec.volumes or () if not volume.name.startswith(_TOKEN_VOLUME)]
        return structs.replace(
            spec,
            node_name=self._one("node", spec.node_name),
            node_selector=self._one("selector", spec.node_selector),
            affinity=self._one("affinity", spec.affinity),
            tolerations=self._one("tolerations", spec.tolerations),
            topology_spread_constraints=self._one("spread", spec.topology_spread_constraints),
            init_containers=self._one("containers", _without_token(spec.init_containers)),
            containers=self._one("containers", _without_token(spec.containers)),
            resources=self._one("resources", spec.resources),
            overhead=self._one("overhead", spec.overhead),
            volumes=self._one("volumes", volumes or None),
        )

    def _status(self, status: PodStatus) -> PodStatus:
        conditions = status.conditions and [_brief(condition) for condition in status.conditions]
        return structs.replace(
            status,
            conditions=self._one("conditions", conditions),
            init_container_statuses=self._one("statuses", status.init_container_statuses),
            container_statuses=self._one("statuses", status.container_statuses),
        )

    def _one(self, sort: str, part: T) -> T:
        """The first of all equal parts of a sort; parts of two sorts may be written alike and still differ."""
        if part is None:
            return part
        return self._known[sort].setdefault(_encode(part), part)  # type: ignore[return-value]


def _without_token(containers: list[Container] | None) -> list[Container] | None:
    return containers and [_without_token_mount(container) for container in containers]


def _without_token_mount(container: Container) -> Container:
    mounts = [mount for mount in container.volume_mounts or () if mount.mount_path != _TOKEN_PATH]
    if len(mounts) == len(container.volume_mounts or ()):
        return container
    return structs.replace(container, volume_mounts=mounts or None)


def _brief(condition: PodCondition) -> PodCondition:
    """Without words and time where all is well."""
    if condition.status == "True" and condition.type in _USUAL:
        return PodCondition(condition.type, condition.status)
    return condition
