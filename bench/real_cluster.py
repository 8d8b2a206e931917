"""Fills the real control plane of `tests/control_plane` with as many nodes and pods as a benchmark asks for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.control_plane.plane import Plane, running, wait
from tests.control_plane.world import plant

REPLICAS = 50
_SIZE = {"cpu": "64", "memory": "256Gi", "pods": "110"}


@contextmanager
def filled(nodes: int, pods: int) -> Iterator[Plane]:
    """A control plane with that many nodes, pods of healthy Deployments, and the five planted gaps with their look-alikes."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), is_hasty=True) as plane:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(plane.create, map(_node, range(nodes))))
            list(pool.map(plane.create, map(_namespace, range(10))))
            list(pool.map(plane.create, map(_deployment, range(pods // REPLICAS))))
        wait(lambda: _running(plane) >= pods // REPLICAS * REPLICAS, seconds=900)
        plant(plane)
        yield plane


def _running(plane: Plane) -> int:
    """Replicas that are ready, by the word of the controllers."""
    deployments = plane.list("/apis/apps/v1/deployments")
    return sum(found["status"].get("readyReplicas", 0) for found in deployments)


def _node(number: int) -> dict:
    name = f"node-{number}"
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"z{number % 3}"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": _SIZE, "allocatable": _SIZE},
    }


def _namespace(number: int) -> dict:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"team-{number}"}}


def _deployment(number: int) -> dict:
    labels = {"app": f"service-{number}"}
    container = {
        "name": "app",
        "image": "registry.example.com/app:1",
        "env": [{"name": f"SETTING_{place}", "value": "some value that nobody reads"} for place in range(20)],
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": f"service-{number}", "namespace": f"team-{number % 10}"},
        "spec": {
            "replicas": REPLICAS,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
        },
    }
