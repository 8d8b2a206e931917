"""What looks like trouble for a moment and passes by itself: everything here began a minute before the reading."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.silence.objects import (
    Thing,
    budget,
    container,
    cron_job,
    deployment,
    job_spec,
    namespace,
    node,
    owned_by,
    pod,
    service,
    thing,
)
from tests.silence.platform import PRIORITIES

PLACE = "arriving"
# As the API server writes it where a pod names no class and one is the default.
PRIORITY = {
    "priorityClassName": "standard",
    "priority": PRIORITIES["standard"],
    "preemptionPolicy": "PreemptLowerPriority",
}


def passing(read_at: datetime) -> list[Thing]:
    """A namespace and a pod that go, a Deployment, a node and a CronJob that come, and nodes taken away or serviced."""
    began = (read_at - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = [namespace(PLACE), *_rollout(began), *_nodes(began), _never_ran(), _going_pod(began)]
    for one in made:
        one["metadata"].setdefault("creationTimestamp", began)
    return [*made, *_going_namespace(began)]


def _going_namespace(began: str) -> list[Thing]:
    gone = namespace("preview-1234")
    gone["metadata"] |= {"deletionTimestamp": began}
    content = {"type": "NamespaceContentRemaining", "status": "True", "reason": "SomeResourcesRemain"}
    gone |= {
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Terminating", "conditions": [{**content, "lastTransitionTime": began}]},
    }
    return [gone]


def _going_pod(began: str) -> Thing:
    """Within its time to say good-bye."""
    one = pod(
        PLACE,
        "leaving",
        {**PRIORITY, "nodeName": "worker-0", "containers": [container("app", "registry.example.com/app:1.0.1")]},
    )
    one["metadata"] |= {"deletionTimestamp": began, "deletionGracePeriodSeconds": 30}
    one["status"] = _status("Running", began, is_ready=False)
    return one


def _rollout(began: str) -> list[Thing]:
    """New, with its image still on the way: not ready, and one of them without a node."""
    app = deployment(PLACE, "newcomer", 2, [container("app", "registry.example.com/newcomer:1.0.0", 8080)])
    app["status"] = {"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "unavailableReplicas": 2}
    replica_set = thing("apps/v1", "ReplicaSet", "newcomer-5d4f", PLACE)
    pods = [
        owned_by(replica_set, pod(PLACE, f"newcomer-5d4f-{number}", dict(app["spec"]["template"]["spec"])))
        for number in range(2)
    ]
    for one in pods:
        one["metadata"]["labels"] |= {"app": "newcomer", "pod-template-hash": "5d4f"}
        one["spec"] |= PRIORITY
    pods[0]["spec"] = {**pods[0]["spec"], "nodeName": "worker-1"}
    pods[0]["status"] = _status("Pending", began, is_ready=False)
    pods[1]["status"] = {"phase": "Pending", "conditions": [_unscheduled(began)]}
    served = service(PLACE, "newcomer", {"app": "newcomer"})
    return [app, *pods, served, budget(PLACE, "newcomer", {"app": "newcomer"})]


def _unscheduled(began: str) -> Thing:
    why = "0/9 nodes are available: 9 Insufficient cpu."
    return {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": why,
        "lastTransitionTime": began,
    }


def _status(phase: str, began: str, *, is_ready: bool) -> Thing:
    ready = {"type": "Ready", "status": str(is_ready), "lastTransitionTime": began}
    return {"phase": phase, "podIP": "10.64.9.9", "conditions": [ready], "containerStatuses": []}


def _nodes(began: str) -> list[Thing]:
    """One that has just joined, one that the autoscaler takes away, and one that was cordoned for service."""
    joined = node("worker-joining", "zone-0")
    joined["status"]["conditions"] = [_not_ready(began, "False", "KubeletNotReady")]
    taint = {"key": "ToBeDeletedByClusterAutoscaler", "value": "1793534340", "effect": "NoSchedule"}
    going = node("worker-leaving", "zone-1", taints=[taint])
    going["metadata"]["creationTimestamp"] = "2026-09-01T00:00:00Z"
    going["status"]["conditions"] = [_not_ready(began, "Unknown", "NodeStatusUnknown")]
    serviced = node("worker-serviced", "zone-2")
    serviced["metadata"]["creationTimestamp"] = "2026-09-01T00:00:00Z"
    cordon = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": began}
    serviced["spec"] |= {"unschedulable": True, "taints": [cordon]}
    return [joined, going, serviced]


def _not_ready(began: str, status: str, reason: str) -> Thing:
    return {
        "type": "Ready",
        "status": status,
        "reason": reason,
        "lastTransitionTime": began,
        "lastHeartbeatTime": began,
    }


def _never_ran() -> Thing:
    """Its first time has not come yet."""
    work = job_spec([container("first", "registry.example.com/first:0.1.0")])
    return cron_job(PLACE, "first", "0 4 * * *", work) | {"status": {}}
