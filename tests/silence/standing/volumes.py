"""Claims that are bound, each to a volume of its own."""

from __future__ import annotations

from tests.silence.objects import Thing, thing
from tests.silence.standing.cluster import Cluster


def settle_claims(cluster: Cluster) -> None:
    for claim in cluster.of("PersistentVolumeClaim"):
        bind(cluster, claim)


def bind(cluster: Cluster, claim: Thing) -> None:
    place, name = claim["metadata"]["namespace"], claim["metadata"]["name"]
    claim["spec"]["volumeName"] = f"pvc-{place}-{name}"
    claim["status"] = {"phase": "Bound", "accessModes": claim["spec"]["accessModes"]}
    reference = {"namespace": place, "name": name}
    cluster.add(
        thing("v1", "PersistentVolume", f"pvc-{place}-{name}", spec={"claimRef": reference}, status={"phase": "Bound"})
    )
