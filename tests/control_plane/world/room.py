"""A room of the world: what is put there, what is wrong with it, and what only looks so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.control_plane.plane import Plane
from tests.silence.objects import Thing

# Simulated kubelets leave nodes and pods with this label alone.
HELD = {"kubegap-tests/held": "on"}
DIGEST = "sha256:" + "0123456789abcdef" * 4
# Long enough ago that it is no passing thing.
TIMES = {"lastTransitionTime": "2026-01-01T00:00:00Z", "lastHeartbeatTime": "2026-01-01T00:00:00Z"}


@dataclass(frozen=True)
class Gap:
    """A finding that has to be there: its check, its subject as in ids, and some of its evidence.

    Evidence is given by path; in values `*` is anything, and None a field that is not set.
    """

    check: str
    subject: str
    seen: Mapping[str, str | None]


@dataclass(frozen=True)
class Room:
    """What is put there first and last, what is done to it in between, the gaps, and (check, subject) of look-alikes."""

    things: Sequence[Thing]
    gaps: Sequence[Gap]
    look_alikes: Sequence[tuple[str, str]]
    afterwards: Callable[[Plane], object] = field(default=lambda _: None)
    last: Sequence[Thing] = ()


def image(name: str) -> str:
    """One that is pinned by digest."""
    return f"registry.example.com/{name}@{DIGEST}"


def tainted(pool: str) -> Thing:
    """The fields of a node that keep other pods away; `onto` are those of the pods that belong there."""
    return {"labels": {"pool": pool}, "taints": [{"key": "pool", "value": pool, "effect": "NoSchedule"}]}


def onto(pool: str) -> Thing:
    """The fields of a pod that bring it to a pool."""
    toleration = {"key": "pool", "operator": "Equal", "value": pool, "effect": "NoSchedule"}
    return {"nodeSelector": {"pool": pool}, "tolerations": [toleration]}


def pods_of(plane: Plane, namespace: str, app: str) -> list[Thing]:
    """The pods of a workload, by its label."""
    return plane.list(f"/api/v1/namespaces/{namespace}/pods?labelSelector=app%3D{app}")


def patch_status(plane: Plane, pod: Thing, status: Thing) -> None:
    """As a kubelet writes it; lists of conditions and containers are merged by their keys."""
    path = f"/api/v1/namespaces/{pod['metadata']['namespace']}/pods/{pod['metadata']['name']}/status"
    plane.request("PATCH", path, {"status": status}, **{"Content-Type": "application/strategic-merge-patch+json"})


def end_before(plane: Plane, pod: Thing, reason: str, code: int) -> None:
    """Its first container ended once in a way, and runs again."""
    (running, *_) = pod["status"]["containerStatuses"]
    ended = {
        "reason": reason,
        "exitCode": code,
        "startedAt": "2026-01-01T00:00:00Z",
        "finishedAt": "2026-01-01T01:00:00Z",
    }
    again = {**running, "restartCount": 1, "lastState": {"terminated": ended}}
    patch_status(plane, pod, {"containerStatuses": [again]})
