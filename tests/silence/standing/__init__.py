"""What controllers, scheduler and kubelets make of declared objects after a month, without any of them.

`stand(declared, read_at)` gives a cluster at rest as `kubectl get -o json` would print it; the suite of the real control
plane holds the same clusters against the real programs. Only what checks look at is made: pods, endpoints, claims,
leases and statuses.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import datetime

from tests.silence.objects import Thing, namespace, priority_class, resolve_holder, thing
from tests.silence.standing.budgets import count_budgets
from tests.silence.standing.cluster import Cluster, key
from tests.silence.standing.endpoints import fill_endpoints, slice_of
from tests.silence.standing.nodes import settle_nodes
from tests.silence.standing.pods import run_bare_pods
from tests.silence.standing.volumes import settle_claims
from tests.silence.standing.workloads import run_workloads

SYSTEM_CLASSES = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


def stand(declared: list[Thing], read_at: datetime) -> list[Thing]:
    """All objects of the cluster: the declared ones with their status, and those that follow from them."""
    cluster = Cluster(read_at)
    named = {key(one) for one in declared}
    cluster.add(*(one for one in _always() if key(one) not in named), *copy.deepcopy(declared))
    for make in (settle_nodes, settle_claims, run_workloads, run_bare_pods, fill_endpoints, count_budgets):
        make(cluster)
    for held in cluster.of("Lease"):
        resolve_holder(held, cluster.of("Pod"))
    return [thing for things in cluster.by_kind.values() for thing in things]


def _always() -> Iterator[Thing]:
    """What every API server makes for itself."""
    yield from (namespace(name) for name in ("default", "kube-system", "kube-public", "kube-node-lease"))
    yield from (priority_class(name, value) for name, value in SYSTEM_CLASSES.items())
    spec = {
        "type": "ClusterIP",
        "clusterIP": "10.96.0.1",
        "ports": [{"name": "https", "port": 443, "targetPort": 6443}],
    }
    yield thing("v1", "Service", "kubernetes", "default", labels={"component": "apiserver"}, spec=spec)
    ready = [{"addresses": ["172.16.0.10"], "conditions": {"ready": True}}]
    yield slice_of("default", "kubernetes", ready, [{"name": "https", "port": 6443, "protocol": "TCP"}])
    yield thing("networking.k8s.io/v1", "ServiceCIDR", "kubernetes", spec={"cidrs": ["10.96.0.0/16"]})
