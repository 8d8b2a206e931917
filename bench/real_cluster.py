"""Fills the real control plane of `tests/control_plane` with as many nodes and pods as a benchmark asks for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.control_plane.plane import Plane, running, wait
from tests.control_plane.world import plant
from tests.control_plane.world.room import image
from tests.silence.objects import Thing, budget, container, deployment, namespace, node, service, spread

REPLICAS = 50
_SIZE = {"cpu": "64", "memory": "256Gi", "pods": "110"}


@contextmanager
def filled(nodes: int, pods: int) -> Iterator[Plane]:
    """A control plane with that many nodes, pods of healthy services, and every planted gap with its look-alike."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), is_hasty=True) as plane:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(plane.create, (node(f"node-{number}", f"z{number % 3}", _SIZE) for number in range(nodes))))
            list(pool.map(plane.create, (namespace(f"team-{number}") for number in range(10))))
            list(pool.map(plane.create, (one for number in range(pods // REPLICAS) for one in _healthy(number))))
        wait(lambda: _running(plane) >= pods // REPLICAS * REPLICAS, seconds=900)
        plant(plane)
        yield plane


def _running(plane: Plane) -> int:
    """Replicas that are ready, by the word of the controllers."""
    deployments = plane.list("/apis/apps/v1/deployments")
    return sum(found["status"].get("readyReplicas", 0) for found in deployments)


def _healthy(number: int) -> Iterator[Thing]:
    """A service with everything that a careful team gives it."""
    place, name = f"team-{number % 10}", f"service-{number}"
    settings = [{"name": f"SETTING_{place}", "value": "some value that nobody reads"} for place in range(20)]
    one = container("app", image("app"), 8080, env=settings)
    labels = {"app": name}
    yield deployment(place, name, REPLICAS, [one], topologySpreadConstraints=spread(labels, is_hard=False))
    yield service(place, name, labels)
    yield budget(place, name, labels, maxUnavailable="10%")
