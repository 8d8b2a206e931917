"""Which API versions Kubernetes removes when, and which version of Kubernetes an upgrade goes to.

The table is what `k8s.io/api` itself declares (`APILifecycleRemoved` and the like of its types), written by
`python -m scripts.api_lifecycle` with its date and the versions of the module.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.extension import APIService
from kubegap.cluster.objects import KubernetesObject, ManagedFields, Node
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Minor, Snapshot

TABLE = Path(__file__).with_name("api_lifecycle.json")
_GOOD_FOR = timedelta(days=365)
_VERSION = re.compile(r"v?(\d{1,2})\.(\d{1,3})(?=\D|$)")


class Replacement(Struct, frozen=True):
    """What takes the place of an API that goes away."""

    group: str
    version: str
    kind: str

    @property
    def shown(self) -> str:
        """As one would write it: `networking.k8s.io/v1 Ingress`."""
        return f"{self.group}/{self.version} {self.kind}".lstrip("/")


class Lifecycle(Struct, frozen=True, omit_defaults=True):
    """A kind in one version of its group: the minors of Kubernetes in which it was deprecated and is served no more."""

    group: str
    version: str
    kind: str
    removed: str
    deprecated: str | None = None
    replacement: Replacement | None = None

    @property
    def api_version(self) -> str:
        """As objects write it."""
        return f"{self.group}/{self.version}"

    @property
    def plural(self) -> str:
        """As requests call it, by the rule that all of these kinds follow."""
        name = self.kind.lower()
        if name.endswith(("s", "x", "ch", "sh")):
            return f"{name}es"
        return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"

    @property
    def removed_in(self) -> Minor:
        """The first minor without it."""
        return minor_of(self.removed) or Minor(0, 0)


class Writing(Struct, frozen=True):
    """An object, and who wrote it in a version of the API that goes away."""

    thing: KubernetesObject
    written: ManagedFields


class Table(Struct, frozen=True):
    """Everything that is known, as of a day, from these versions of the module."""

    as_of: str
    sources: list[str]
    apis: list[Lifecycle]


@cache
def table() -> Table:
    """The table that comes with kubegap, read when first asked for."""
    return msgspec.json.decode(TABLE.read_bytes(), type=Table)


@cache
def removals() -> Mapping[str, tuple[Lifecycle, ...]]:
    """The kinds that go away, by the version of the API that they are written in."""
    found: dict[str, list[Lifecycle]] = defaultdict(list)
    for one in table().apis:
        found[one.api_version].append(one)
    return {version: tuple(kinds) for version, kinds in found.items()}


def lifecycle_of(api_version: str, name: str) -> Lifecycle | None:
    """What is known of a kind, by its name or its plural."""
    return next((one for one in removals().get(api_version, ()) if name in {one.kind, one.plural}), None)


@indexed
def writings(snapshot: Snapshot) -> Mapping[str, list[Writing]]:
    """Who wrote the objects that were read in versions that go away, by version; `kubectl get` leaves this out of dumps."""
    found: dict[str, list[Writing]] = defaultdict(list)
    for path, things in snapshot.objects.items():
        # All versions of the core group stay.
        for thing in things if RESOURCES[path].resource.group else ():
            for written in thing.metadata.managed_fields or ():
                found[written.api_version].append(Writing(thing, written))
    return found


@indexed
def served_versions(snapshot: Snapshot) -> frozenset[str]:
    """The versions of the API that the server has, as objects write them. Reads `apiregistration.k8s.io/v1/apiservices`."""
    names = (service.name.partition(".") for service in snapshot.of(APIService))
    return frozenset(f"{group}/{version}" if group else version for version, _, group in names)


def is_read_by_kubegap(snapshot: Snapshot, api_version: str, plural: str) -> bool:
    """Whether kubegap itself asks for a version, because the server does not have the one that it prefers."""
    kinds = (kind.resource for kind in RESOURCES.values())
    olds = ((kind, old) for kind in kinds if kind.plural == plural for old in kind.versions[1:])
    return any(
        old.api_version == api_version and kind.api_version not in served_versions(snapshot) for kind, old in olds
    )


def is_table_old(snapshot: Snapshot) -> bool:
    """Whether the table is so old that a reader should know."""
    as_of = datetime.fromisoformat(table().as_of).replace(tzinfo=UTC)
    return snapshot.source.read_at is not None and snapshot.source.read_at - as_of > _GOOD_FOR


def minor_of(version: str | None) -> Minor | None:
    """Major and minor of a version as servers and kubelets write it: `v1.33.5-gke.100`; None where there is none."""
    found = _VERSION.match(version or "")
    return Minor(int(found[1]), int(found[2])) if found else None


@indexed
def server_minor(snapshot: Snapshot) -> Minor | None:
    """The minor of the API server; where nobody said, that of the newest kubelet, which is never newer. None if unknown."""
    infos = (node.status.node_info for node in snapshot.of(Node))
    kubelets = (minor_of(info.kubelet_version) for info in infos if info)
    return minor_of(snapshot.source.version) or max(filter(None, kubelets), default=None)


def target_minor(snapshot: Snapshot) -> Minor | None:
    """Where the next upgrade goes: what the user said, else the next minor of the server. None where that is unknown."""
    server = server_minor(snapshot)
    return snapshot.target_version or (server.following if server else None)
