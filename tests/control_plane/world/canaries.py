"""Words that must never come out, in every place of the planted objects where people keep what nobody else may read."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from tests.control_plane.world.room import Room
from tests.silence.objects import Thing, namespace, thing

CANARY = "c4n4ry"
_NOTE = {"note": f"{CANARY}-annotation"}
_APPLIED = {"kubectl.kubernetes.io/last-applied-configuration": f'{{"password": "{CANARY}-applied"}}'}
_SECRET = {"name": "FROM", "valueFrom": {"secretKeyRef": {"name": "login", "key": "password"}}}


def marked(declared: Thing) -> Thing:
    """The same with canaries in annotations, and in arguments and environments of containers."""
    one = copy.deepcopy(declared)
    one["metadata"]["annotations"] = {**_NOTE, **_APPLIED, **one["metadata"].get("annotations", {})}
    for containers in _containers(one):
        for container in containers:
            container["args"] = [*container.get("args", ()), f"--password={CANARY}-args"]
            container["env"] = [*container.get("env", ()), {"name": "PASSWORD", "value": f"{CANARY}-env"}, _SECRET]
    return one


def _containers(part: object) -> Iterator[list[Thing]]:
    """Every list of containers, however deep it stands."""
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key == "containers")
        yield from (found for value in part.values() for found in _containers(value))
    elif isinstance(part, list):
        yield from (found for value in part for found in _containers(value))


ROOM = Room(
    things=[
        namespace("private"),
        thing("v1", "Secret", "login", "private", stringData={"password": f"{CANARY}-secret"}),
        thing("v1", "ConfigMap", "settings", "private", data={"dsn": f"{CANARY}-config"}),
    ],
    gaps=[],
    look_alikes=[],
)
