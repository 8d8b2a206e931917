"""Objects of a whole cluster as a snapshot, as if the API server had listed every kind."""

from __future__ import annotations

import json
from datetime import datetime

from msgspec import structs

from kubegap.cluster import files
from kubegap.cluster.objects import Resource
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot
from tests.silence.objects import Thing

# Groups of `k8s.io` that an API server does not serve by itself.
INSTALLED = ("gateway.networking.k8s.io", "jobset.x-k8s.io", "leaderworkerset.x-k8s.io", "kueue.x-k8s.io")
BUILT_IN = ("", "apps", "autoscaling", "batch", "policy")


def snapshot_of(things: list[Thing], read_at: datetime) -> Snapshot:
    """The snapshot of a live cluster that holds these objects, and every definition that one of them needs."""
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": things})
    read = files.decode([("cluster", dump.encode())], read_at)
    assert [*read.unread, *read.ignored] == []
    coverage = {path: _coverage(read, kind.resource) for path, kind in RESOURCES.items()}
    return structs.replace(read, source=structs.replace(read.source, origin=Origin.LIVE), coverage=coverage)


def _coverage(read: Snapshot, resource: Resource) -> Coverage:
    count = len(read.objects.get(resource.path, ()))
    is_built_in = resource.group in BUILT_IN or (resource.group.endswith(".k8s.io") and resource.group not in INSTALLED)
    is_served = count > 0 or is_built_in
    return Coverage(resource, count, ReadState.READ if is_served else ReadState.NOT_SERVED)
