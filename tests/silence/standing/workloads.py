"""What the controllers of workloads make: pods by template, and their counts."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta

from tests.silence.objects import Thing, thing
from tests.silence.standing.cluster import Cluster, condition, reference
from tests.silence.standing.fitting import may_run
from tests.silence.standing.pods import place_pod
from tests.silence.standing.volumes import bind


def run_workloads(cluster: Cluster) -> None:
    for (version, kind), run in _RUNNERS.items():
        for workload in cluster.of(kind):
            if workload["apiVersion"] == version and not _is_in_motion(workload):
                run(cluster, workload)


def _is_in_motion(workload: Thing) -> bool:
    """Whether it tells its own status; the `active` of a Job only says how many of its pods are at work."""
    return "status" in workload and "active" not in workload["status"]


def _run_deployment(cluster: Cluster, workload: Thing) -> None:
    name, count = workload["metadata"]["name"], workload["spec"].setdefault("replicas", 1)
    revision = hashlib.sha256(name.encode()).hexdigest()[:10]
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"{name}-{revision}"}
    for number in range(count):
        pod = _pod(workload, f"{name}-{revision}-{number:05}", owner)
        pod["metadata"]["labels"]["pod-template-hash"] = revision
        place_pod(cluster, pod)
    counts = dict.fromkeys(("replicas", "readyReplicas", "updatedReplicas", "availableReplicas"), count)
    workload["spec"].setdefault(
        "strategy", {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    )
    conditions = [condition(cluster, kind, "True") for kind in ("Available", "Progressing")]
    workload["status"] = {"observedGeneration": 1, **(counts if count else {}), "conditions": conditions}


def _run_stateful_set(cluster: Cluster, workload: Thing) -> None:
    name, place, count = workload["metadata"]["name"], workload["metadata"]["namespace"], workload["spec"]["replicas"]
    for number in range(count):
        pod = _pod(workload, f"{name}-{number}", reference(workload))
        for claimed in workload["spec"].get("volumeClaimTemplates", []):
            own = thing("v1", "PersistentVolumeClaim", f"{claimed['metadata']['name']}-{name}-{number}", place)
            own["spec"] = copy.deepcopy(claimed["spec"])
            cluster.add(own)
            bind(cluster, own)
            volume = {
                "name": claimed["metadata"]["name"],
                "persistentVolumeClaim": {"claimName": own["metadata"]["name"]},
            }
            pod["spec"].setdefault("volumes", []).append(volume)
        place_pod(cluster, pod)
    counts = dict.fromkeys(
        ("replicas", "readyReplicas", "updatedReplicas", "availableReplicas", "currentReplicas"), count
    )
    workload["spec"].setdefault("updateStrategy", {"type": "RollingUpdate"})
    workload["status"] = {"observedGeneration": 1, "currentRevision": "a", "updateRevision": "a", **counts}


def _run_daemon_set(cluster: Cluster, workload: Thing) -> None:
    name = workload["metadata"]["name"]
    spec = workload["spec"]["template"]["spec"]
    own = [
        {"key": f"node.kubernetes.io/{trouble}", "operator": "Exists"}
        for trouble in ("not-ready", "unreachable", "unschedulable")
    ]
    nodes = [
        node
        for node in cluster.of("Node")
        if may_run({**spec, "tolerations": [*spec.get("tolerations", []), *own]}, node)
    ]
    for node in nodes:
        pod = _pod(workload, f"{name}-{node['metadata']['name']}", reference(workload))
        pod["spec"]["tolerations"] = [*pod["spec"].get("tolerations", []), *own]
        pod["spec"]["nodeName"] = node["metadata"]["name"]
        place_pod(cluster, pod)
    kinds = (
        "desiredNumberScheduled",
        "currentNumberScheduled",
        "numberReady",
        "updatedNumberScheduled",
        "numberAvailable",
    )
    workload["status"] = {"observedGeneration": 1, "numberMisscheduled": 0, **dict.fromkeys(kinds, len(nodes))}


def _run_job(cluster: Cluster, workload: Thing) -> None:
    """As it says of itself: one that tells `active` in its status runs, any other has ended well."""
    active = workload.setdefault("status", {}).get("active", 0)
    if workload["spec"].get("suspend"):
        return
    workload["spec"].setdefault("completionMode", "NonIndexed")
    for number in range(active or workload["spec"].get("parallelism", 1)):
        pod = _pod(workload, f"{workload['metadata']['name']}-{number}", reference(workload))
        place_pod(cluster, pod)
        if not active:
            pod["status"] = {
                "phase": "Succeeded",
                "conditions": [{"type": "Ready", "status": "False", "reason": "PodCompleted"}],
            }
    if not active:
        conditions = [condition(cluster, "Complete", "True")]
        workload["status"] = {"succeeded": 1, "completionTime": cluster.time(), "conditions": conditions}


def _run_cron_job(cluster: Cluster, workload: Thing) -> None:
    """Its last Job ended well five minutes after it began; one that is suspended never ran."""
    spec = workload["spec"]
    if spec.get("suspend"):
        return
    began = cluster.read_at - _since_last(spec["schedule"], cluster.read_at)
    name = f"{workload['metadata']['name']}-{int(began.timestamp()) // 60}"
    run = thing(
        "batch/v1", "Job", name, workload["metadata"]["namespace"], spec=copy.deepcopy(spec["jobTemplate"]["spec"])
    )
    run["metadata"] |= {"creationTimestamp": cluster.time(cluster.read_at - began)}
    run["metadata"]["ownerReferences"] = [{**reference(workload), "controller": True}]
    cluster.add(run)
    _run_job(cluster, run)
    ended = cluster.time(cluster.read_at - began - timedelta(minutes=5))
    workload["status"] = {"lastScheduleTime": run["metadata"]["creationTimestamp"], "lastSuccessfulTime": ended}


def _since_last(schedule: str, now: datetime) -> timedelta:
    """For the two forms that the clusters use: `*/10 * * * *` and `0 4 * * *`."""
    minute, hour = schedule.split()[:2]
    if minute.startswith("*/"):
        step = int(minute.removeprefix("*/"))
        return timedelta(minutes=now.minute % step + step)
    last = now.replace(hour=int(hour), minute=int(minute))
    return now - (last if last <= now else last - timedelta(days=1))


_RUNNERS: dict[tuple[str, str], Callable[[Cluster, Thing], None]] = {
    ("apps/v1", "Deployment"): _run_deployment,
    ("apps/v1", "StatefulSet"): _run_stateful_set,
    ("apps/v1", "DaemonSet"): _run_daemon_set,
    ("batch/v1", "Job"): _run_job,
    ("batch/v1", "CronJob"): _run_cron_job,
}


def _pod(workload: Thing, name: str, owner: Thing) -> Thing:
    made = copy.deepcopy(workload["spec"]["template"])
    place = workload["metadata"]["namespace"]
    pod = thing("v1", "Pod", name, place, labels={}, ownerReferences=[{**owner, "controller": True}], spec=made["spec"])
    pod["metadata"] |= {**made.get("metadata", {}), "name": name}
    pod["metadata"].setdefault("labels", {})
    if born := workload["metadata"].get("creationTimestamp"):
        pod["metadata"]["creationTimestamp"] = born
    return pod
