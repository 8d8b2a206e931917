"""Which kinds an API server serves, and in which versions, asked in two requests where it can answer so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from kubegap.cluster.objects import Resource
from kubegap.cluster.snapshot import ReadState
from kubegap.cluster.transport import Door, Unanswered, answered, group_path
from kubegap.text import Text

# Since Kubernetes 1.26 one answer holds all groups; older servers answer with the plain list, which is JSON too.
_AGGREGATED = (
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
    "application/json"
)
_STALE = "Stale"


class Served(Struct, frozen=True):
    """What discovery says of one kind: read it, or the state and reason that stand instead.

    `state` is `read` where the list can be asked for, in the version of `resource`.
    """

    resource: Resource
    state: ReadState
    reason: Text | None = None


class _Kind(Struct):
    resource: str = ""
    name: str = ""


class _Version(Struct, rename="camel"):
    version: str = ""
    group_version: str = ""
    freshness: str = "Current"
    resources: list[_Kind] | None = None


class _Name(Struct, frozen=True):
    name: str = ""


class _Group(Struct):
    metadata: _Name = _Name()
    name: str = ""
    versions: list[_Version] | None = None


class _Groups(Struct):
    """Both forms: `items` of the aggregated one, else `groups` of `/apis` and `versions` of `/api`."""

    kind: str = ""
    items: list[_Group] | None = None
    groups: list[_Group] | None = None


class _ResourceList(Struct):
    resources: list[_Kind] | None = None


_groups = msgspec.json.Decoder(_Groups).decode
_resources = msgspec.json.Decoder(_ResourceList).decode
Versions = dict[str, dict[str, _Version]]


def served(door: Door, resources: Iterable[Resource]) -> Mapping[str, Served]:
    """What stands of each resource, by its path; a server that will not tell is taken to serve it."""
    wanted = list(resources)
    # Metrics are no part of the API, and every server has them.
    undoubted = {resource.path: Served(resource, ReadState.READ) for resource in wanted}
    doubtful = [resource for resource in wanted if not resource.is_metric]
    try:
        known = _known(door, doubtful)
    except Unanswered:
        return undoubted
    return undoubted | {resource.path: _judged(door, known, resource) for resource in doubtful}


def _known(door: Door, wanted: list[Resource]) -> Versions:
    """Versions by group; only the roots that the wanted kinds need are asked."""
    roots = {"/apis" if resource.group else "/api" for resource in wanted}
    known: Versions = {}
    for root in sorted(roots):
        answer = door.get(root, accept=_AGGREGATED)
        if answer.status != 200:
            raise Unanswered(ReadState.HALF_READ, answered(answer.status))
        try:
            found = _groups(answer.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise Unanswered(ReadState.HALF_READ, _NO_JSON) from None
        if root == "/api" and not found.items:
            # The old form only says that there is a v1, which there always is.
            known[""] = {"v1": _Version("v1")}
        known |= {group.metadata.name or group.name: dict(_versions(group)) for group in _all(found)}
    return known


def _all(found: _Groups) -> list[_Group]:
    return [*(found.items or ()), *(found.groups or ())]


def _versions(group: _Group) -> Iterator[tuple[str, _Version]]:
    for version in group.versions or ():
        yield version.version or version.group_version.rpartition("/")[2], version


def _judged(door: Door, known: Versions, resource: Resource) -> Served:
    versions = known.get(resource.group)
    if versions is None:
        return Served(resource, ReadState.NOT_SERVED, _NO_GROUP.fill(group=resource.group or "v1"))
    there = [served for one in resource.versions if (served := _in_version(door, versions, one))]
    if found := min(there, key=lambda served: served.state is not ReadState.READ, default=None):
        return found
    readable = {one.version for one in resource.versions}
    others = [name for name, version in versions.items() if name not in readable and _may_hold(version, resource)]
    if others:
        # An older version may mean other things by the same fields.
        reason = _OTHER_VERSION.fill(kind=resource.kind, others=", ".join(others), version=resource.version)
        return Served(resource, ReadState.HALF_READ, reason)
    return Served(resource, ReadState.NOT_SERVED, _NO_KIND.fill(kind=resource.kind))


def _in_version(door: Door, versions: dict[str, _Version], resource: Resource) -> Served | None:
    """What a version of the group says of the kind; None where it has no such kind."""
    if resource.version not in versions:
        return None
    names = _names(door, versions[resource.version], resource)
    if names is None or resource.plural in names:
        return Served(resource, ReadState.READ)
    if versions[resource.version].freshness == _STALE:
        return Served(resource, ReadState.HALF_READ, _GROUP_DOWN.fill(group=resource.api_version))
    return None


def _names(door: Door, version: _Version, resource: Resource) -> set[str] | None:
    """The plural names of a version's kinds; None where the server will not tell."""
    if version.resources is not None:
        return {kind.resource or kind.name for kind in version.resources}
    if version.freshness == _STALE:
        return set()
    try:
        answer = door.get(group_path(resource))
        found = _resources(answer.body).resources if answer.status == 200 else None
    except (Unanswered, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return None if found is None else {kind.name for kind in found}


def _may_hold(version: _Version, resource: Resource) -> bool:
    """Whether a version that is not read has the kind; old servers do not say which kinds a version has."""
    return version.resources is None or any(resource.plural in {kind.resource, kind.name} for kind in version.resources)


_NO_JSON = Text(ko="JSON 이 아닌 답이 왔다", en="the answer is no JSON")
_NO_GROUP = Text(ko="이 클러스터에는 API 그룹 {group} 이 없다", en="this cluster has no API group {group}")
_NO_KIND = Text(ko="이 클러스터에는 {kind} 라는 종류가 없다", en="this cluster has no kind {kind}")
_GROUP_DOWN = Text(
    ko="API 그룹 {group} 을 맡은 서버가 답하지 않는다", en="the server behind the API group {group} does not answer"
)
_OTHER_VERSION = Text(
    ko="{kind} 를 {others} 로만 제공한다. kubegap 은 {version} 을 읽는다",
    en="{kind} is served only as {others}; kubegap reads {version}",
)
