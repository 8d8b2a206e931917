"""Nodes that are well: conditions, addresses, leases."""

from __future__ import annotations

from datetime import timedelta

from tests.silence.objects import lease
from tests.silence.standing.cluster import Cluster, condition

GOOD = {"Ready": "True", "MemoryPressure": "False", "DiskPressure": "False", "PIDPressure": "False"}


def settle_nodes(cluster: Cluster) -> None:
    for number, node in enumerate(cluster.of("Node")):
        status, name = node["status"], node["metadata"]["name"]
        told = {one["type"] for one in status.setdefault("conditions", [])}
        status["conditions"] += [condition(cluster, kind, GOOD[kind]) for kind in GOOD if kind not in told]
        for each in status["conditions"]:
            each.setdefault("lastTransitionTime", cluster.time())
            each.setdefault("lastHeartbeatTime", cluster.time(timedelta(minutes=1)))
        status.setdefault(
            "addresses", [{"type": "InternalIP", "address": f"172.16.{number // 250 + 1}.{number % 250 + 1}"}]
        )
        labels = node["metadata"]["labels"]
        known = {
            "kubeletVersion": "v1.36.2",
            "operatingSystem": labels["kubernetes.io/os"],
            "architecture": labels["kubernetes.io/arch"],
        }
        status["nodeInfo"] = {**known, **status.get("nodeInfo", {})}
        node["spec"].setdefault("podCIDRs", [f"10.{64 + number // 256}.{number % 256}.0/24"])
        held = lease("kube-node-lease", name, name)
        held["spec"]["renewTime"] = cluster.time(timedelta(seconds=5)).replace("Z", ".000000Z")
        cluster.add(held)
