"""Waits until the real controllers have done what they can for what was planted."""

from __future__ import annotations

from tests.control_plane.plane import Plane, wait
from tests.control_plane.world.room import HELD
from tests.silence.objects import Thing

_WORKLOADS = {"deployments": "replicas", "statefulsets": "replicas"}


def wait_until_settled(plane: Plane) -> None:
    """Until workloads have their pods, pods run or cannot, and endpoints and budgets have been counted."""
    wait(lambda: _is_settled(plane), seconds=120, pause=0.5)


def _is_settled(plane: Plane) -> bool:
    if not all(_has_its_pods(one) for plural in _WORKLOADS for one in plane.list(f"/apis/apps/v1/{plural}")):
        return False
    pods = plane.list("/api/v1/pods")
    budgets = plane.list("/apis/policy/v1/poddisruptionbudgets")
    return all(map(_is_done, pods)) and _endpoints(plane) == _called(plane, pods) and all(map(_is_counted, budgets))


def _has_its_pods(workload: Thing) -> bool:
    return workload["status"].get("replicas", 0) == workload["spec"]["replicas"]


def _is_done(pod: Thing) -> bool:
    """Runs, has ended, is held, or is refused by the scheduler."""
    conditions = {one["type"]: one for one in pod["status"].get("conditions", ())}
    placed = conditions.get("PodScheduled", {})
    if HELD.items() <= pod["metadata"].get("labels", {}).items():
        return placed.get("status") == "True"
    return pod["status"]["phase"] in {"Running", "Succeeded"} or placed.get("reason") == "Unschedulable"


def _endpoints(plane: Plane) -> int:
    """Those that are ready, as the controllers tell it."""
    slices = plane.list("/apis/discovery.k8s.io/v1/endpointslices")
    points = [point for part in slices for point in part.get("endpoints") or ()]
    return sum(bool(point["conditions"].get("ready")) for point in points)


def _called(plane: Plane, pods: list[Thing]) -> int:
    """Ready pods behind Services, once for each."""
    return sum(_selects(service, pod) for service in plane.list("/api/v1/services") for pod in pods)


def _selects(service: Thing, pod: Thing) -> bool:
    spec, labels = service["spec"], pod["metadata"].get("labels", {})
    is_there = bool(spec.get("selector")) and service["metadata"]["namespace"] == pod["metadata"]["namespace"]
    ready = {"type": "Ready", "status": "True"}
    is_ready = any(ready.items() <= one.items() for one in pod["status"].get("conditions", ()))
    return is_there and spec["selector"].items() <= labels.items() and is_ready


def _is_counted(budget: Thing) -> bool:
    return "currentHealthy" in budget.get("status", {})
