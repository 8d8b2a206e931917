"""What controllers, scheduler and kubelets make of declared objects after a month, without any of them.

`stand(declared, read_at)` gives a cluster at rest as `kubectl get -o json` would print it; the suite of the real control
plane holds the same clusters against the real programs. Only what checks look at is made: pods, endpoints, claims,
leases and statuses.
"""

from __future__ import annotations

import copy
import hashlib
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil

from tests.silence.objects import ZONE, Thing, lease, namespace, priority_class, thing

AGE = timedelta(days=30)
SYSTEM_CLASSES = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
TOLERATED = [
    {"key": f"node.kubernetes.io/{trouble}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for trouble in ("not-ready", "unreachable")
]
GOOD = {"Ready": "True", "MemoryPressure": "False", "DiskPressure": "False", "PIDPressure": "False"}


@dataclass
class Cluster:
    """A cluster that is being put up."""

    read_at: datetime
    by_kind: dict[str, list[Thing]] = field(default_factory=lambda: defaultdict(list))
    # The nodes of the pods of every owner, and how many pods stand on a node.
    placed: dict[tuple[str | None, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    load: Counter[str] = field(default_factory=Counter)

    def of(self, kind: str) -> list[Thing]:
        return list(self.by_kind[kind])

    def time(self, ago: timedelta = AGE) -> str:
        return (self.read_at - ago).strftime("%Y-%m-%dT%H:%M:%SZ")

    def add(self, *made: Thing) -> None:
        for one in made:
            metadata = one["metadata"]
            metadata.setdefault("creationTimestamp", self.time())
            metadata.setdefault("uid", str(uuid.uuid5(uuid.NAMESPACE_URL, repr(_key(one)))))
            metadata.setdefault("generation", 1)
            self.by_kind[one["kind"]].append(one)


def stand(declared: list[Thing], read_at: datetime) -> list[Thing]:
    """All objects of the cluster: the declared ones with their status, and those that follow from them."""
    cluster = Cluster(read_at)
    named = {_key(one) for one in declared}
    cluster.add(*(one for one in _always() if _key(one) not in named), *copy.deepcopy(declared))
    for make in (_settle_nodes, _settle_claims, _run_workloads, _run_bare_pods, _fill_endpoints, _count_budgets):
        make(cluster)
    return [thing for things in cluster.by_kind.values() for thing in things]


def _key(one: Thing) -> tuple[str, str | None, str]:
    return one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"]


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
    yield _slice("default", "kubernetes", ready, [{"name": "https", "port": 6443, "protocol": "TCP"}])
    yield thing("networking.k8s.io/v1", "ServiceCIDR", "kubernetes", spec={"cidrs": ["10.96.0.0/16"]})


def _settle_nodes(cluster: Cluster) -> None:
    for number, node in enumerate(cluster.of("Node")):
        status, name = node["status"], node["metadata"]["name"]
        told = {condition["type"] for condition in status.setdefault("conditions", [])}
        status["conditions"] += [_condition(cluster, kind, GOOD[kind]) for kind in GOOD if kind not in told]
        for condition in status["conditions"]:
            condition.setdefault("lastTransitionTime", cluster.time())
            condition.setdefault("lastHeartbeatTime", cluster.time(timedelta(minutes=1)))
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


def _condition(cluster: Cluster, kind: str, status: str) -> Thing:
    return {"type": kind, "status": status, "lastTransitionTime": cluster.time()}


def _settle_claims(cluster: Cluster) -> None:
    for claim in cluster.of("PersistentVolumeClaim"):
        _bind(cluster, claim)


def _bind(cluster: Cluster, claim: Thing) -> None:
    place, name = claim["metadata"]["namespace"], claim["metadata"]["name"]
    claim["spec"]["volumeName"] = f"pvc-{place}-{name}"
    claim["status"] = {"phase": "Bound", "accessModes": claim["spec"]["accessModes"]}
    reference = {"namespace": place, "name": name}
    cluster.add(
        thing("v1", "PersistentVolume", f"pvc-{place}-{name}", spec={"claimRef": reference}, status={"phase": "Bound"})
    )


def _run_workloads(cluster: Cluster) -> None:
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
        _place(cluster, pod)
    counts = dict.fromkeys(("replicas", "readyReplicas", "updatedReplicas", "availableReplicas"), count)
    workload["spec"].setdefault(
        "strategy", {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    )
    conditions = [_condition(cluster, kind, "True") for kind in ("Available", "Progressing")]
    workload["status"] = {"observedGeneration": 1, **(counts if count else {}), "conditions": conditions}


def _run_stateful_set(cluster: Cluster, workload: Thing) -> None:
    name, place, count = workload["metadata"]["name"], workload["metadata"]["namespace"], workload["spec"]["replicas"]
    for number in range(count):
        pod = _pod(workload, f"{name}-{number}", _reference(workload))
        for claimed in workload["spec"].get("volumeClaimTemplates", []):
            own = thing("v1", "PersistentVolumeClaim", f"{claimed['metadata']['name']}-{name}-{number}", place)
            own["spec"] = copy.deepcopy(claimed["spec"])
            cluster.add(own)
            _bind(cluster, own)
            volume = {
                "name": claimed["metadata"]["name"],
                "persistentVolumeClaim": {"claimName": own["metadata"]["name"]},
            }
            pod["spec"].setdefault("volumes", []).append(volume)
        _place(cluster, pod)
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
        if _may_run({**spec, "tolerations": [*spec.get("tolerations", []), *own]}, node)
    ]
    for node in nodes:
        pod = _pod(workload, f"{name}-{node['metadata']['name']}", _reference(workload))
        pod["spec"]["tolerations"] = [*pod["spec"].get("tolerations", []), *own]
        pod["spec"]["nodeName"] = node["metadata"]["name"]
        _place(cluster, pod)
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
        pod = _pod(workload, f"{workload['metadata']['name']}-{number}", _reference(workload))
        _place(cluster, pod)
        if not active:
            pod["status"] = {
                "phase": "Succeeded",
                "conditions": [{"type": "Ready", "status": "False", "reason": "PodCompleted"}],
            }
    if not active:
        conditions = [_condition(cluster, "Complete", "True")]
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
    run["metadata"]["ownerReferences"] = [{**_reference(workload), "controller": True}]
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


def _reference(owner: Thing) -> Thing:
    return {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"]}


def _pod(workload: Thing, name: str, owner: Thing) -> Thing:
    made = copy.deepcopy(workload["spec"]["template"])
    place = workload["metadata"]["namespace"]
    pod = thing("v1", "Pod", name, place, labels={}, ownerReferences=[{**owner, "controller": True}], spec=made["spec"])
    pod["metadata"] |= {**made.get("metadata", {}), "name": name}
    pod["metadata"].setdefault("labels", {})
    if born := workload["metadata"].get("creationTimestamp"):
        pod["metadata"]["creationTimestamp"] = born
    return pod


def _run_bare_pods(cluster: Cluster) -> None:
    """Pods that were declared themselves: mirrors of static pods, and what operators of custom resources make."""
    for pod in cluster.of("Pod"):
        if "status" not in pod:
            cluster.by_kind["Pod"].remove(pod)
            _place(cluster, pod)


def _place(cluster: Cluster, pod: Thing) -> None:
    """Give the pod what the API server fills in, a node, and containers that run."""
    spec = pod["spec"]
    classes = {found["metadata"]["name"]: found for found in cluster.of("PriorityClass")}
    default = next((found for found in classes.values() if found.get("globalDefault")), None)
    chosen = classes[spec["priorityClassName"]] if "priorityClassName" in spec else default
    spec["priority"] = chosen["value"] if chosen else 0
    if chosen:
        spec["priorityClassName"] = chosen["metadata"]["name"]
        spec["preemptionPolicy"] = chosen.get("preemptionPolicy", "PreemptLowerPriority")
    spec.setdefault("restartPolicy", "Always")
    spec.setdefault("terminationGracePeriodSeconds", 30)
    spec["tolerations"] = [*spec.get("tolerations", []), *TOLERATED]
    node = _node_for(cluster, pod)
    spec["nodeName"] = node["metadata"]["name"]
    cluster.load[spec["nodeName"]] += 1
    cluster.placed[_owner(pod)].append(spec["nodeName"])
    cluster.add(pod)
    pod["status"] = _running(pod, node)


def _node_for(cluster: Cluster, pod: Thing) -> Thing:
    """Where few of its kind stand, in their zone and on the node, and then where few pods stand at all."""
    nodes = {node["metadata"]["name"]: node for node in cluster.of("Node")}
    if named := pod["spec"].get("nodeName"):
        return nodes[named]
    alike = Counter(cluster.placed[_owner(pod)])
    zones = Counter(nodes[name]["metadata"]["labels"].get(ZONE) for name in alike.elements())
    fitting = [name for name, node in nodes.items() if _may_run(pod["spec"], node)]
    assert fitting, f"no node for {_key(pod)}"

    def fullness(name: str) -> tuple[int, int, int]:
        return zones[nodes[name]["metadata"]["labels"].get(ZONE)], alike[name], cluster.load[name]

    return nodes[min(fitting, key=fullness)]


def _owner(pod: Thing) -> tuple[str | None, str]:
    owners = pod["metadata"].get("ownerReferences") or [{"name": ""}]
    return pod["metadata"].get("namespace"), owners[0]["name"]


def _may_run(spec: Thing, node: Thing) -> bool:
    labels = {**node["metadata"]["labels"], "metadata.name": node["metadata"]["name"]}
    terms = spec.get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {})
    is_picked = not terms or any(
        all(_holds(part, labels) for part in term["matchExpressions"]) for term in terms["nodeSelectorTerms"]
    )
    is_wanted = spec.get("nodeSelector", {}).items() <= labels.items()
    taints = [taint for taint in node["spec"].get("taints", []) if taint["effect"] != "PreferNoSchedule"]
    is_tolerated = all(any(_tolerates(each, taint) for each in spec.get("tolerations", [])) for taint in taints)
    return is_picked and is_wanted and is_tolerated and (not node["spec"].get("unschedulable"))


def _holds(part: Thing, labels: Thing) -> bool:
    has, value = part["key"] in labels, labels.get(part["key"])
    values = part.get("values", [])
    return {"In": value in values, "NotIn": value not in values, "Exists": has, "DoesNotExist": not has}[
        part["operator"]
    ]


def _tolerates(toleration: Thing, taint: Thing) -> bool:
    if toleration.get("effect") not in {None, taint["effect"]} or toleration.get("key") not in {None, taint["key"]}:
        return False
    return toleration.get("operator") == "Exists" or toleration.get("value", "") == taint.get("value", "")


def _running(pod: Thing, node: Thing) -> Thing:
    born = pod["metadata"]["creationTimestamp"]
    kinds = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
    is_hosted = pod["spec"].get("hostNetwork")
    address = node["status"]["addresses"][0]["address"] if is_hosted else _address(pod)
    architecture = node["status"]["nodeInfo"]["architecture"]
    return {
        "phase": "Running",
        "startTime": born,
        "podIP": address,
        "podIPs": [{"ip": address}],
        "conditions": [{"type": kind, "status": "True", "lastTransitionTime": born} for kind in kinds],
        "containerStatuses": [_container_status(each, born, architecture) for each in pod["spec"]["containers"]],
        "initContainerStatuses": [
            _init_status(each, born, architecture) for each in pod["spec"].get("initContainers", [])
        ],
    }


def _address(pod: Thing) -> str:
    digest = hashlib.sha256(repr(_key(pod)).encode()).digest()
    return f"10.{64 + digest[0] % 64}.{digest[1]}.{digest[2] % 250 + 2}"


def _container_status(container: Thing, born: str, architecture: str) -> Thing:
    image = container["image"]
    # An index is resolved by architecture, as old runtimes tell it.
    digest = hashlib.sha256(f"{image} {architecture}".encode()).hexdigest()
    identity = image if "@" in image else f"{image.rpartition(':')[0]}@sha256:{digest}"
    status = {"name": container["name"], "image": image, "imageID": identity, "ready": True, "started": True}
    return {**status, "restartCount": 0, "state": {"running": {"startedAt": born}}}


def _init_status(container: Thing, born: str, architecture: str) -> Thing:
    status = _container_status(container, born, architecture)
    if container.get("restartPolicy") != "Always":
        status["state"] = {"terminated": {"exitCode": 0, "reason": "Completed", "finishedAt": born}}
    return status


def _fill_endpoints(cluster: Cluster) -> None:
    pods = defaultdict(list)
    for pod in cluster.of("Pod"):
        pods[pod["metadata"]["namespace"]].append(pod)
    for service in cluster.of("Service"):
        spec, place = service["spec"], service["metadata"].get("namespace", "default")
        spec.setdefault("type", "ClusterIP")
        spec.setdefault(
            "clusterIP",
            "10.96." + ".".join(str(byte) for byte in hashlib.sha256(repr(_key(service)).encode()).digest()[:2]),
        )
        if spec.get("selector"):
            behind = [pod for pod in pods[place] if spec["selector"].items() <= pod["metadata"]["labels"].items()]
            ports = [
                {"name": port.get("name"), "port": _number(port, behind), "protocol": port.get("protocol", "TCP")}
                for port in spec["ports"]
            ]
            cluster.add(
                _slice(
                    place,
                    service["metadata"]["name"],
                    [_endpoint(pod) for pod in behind if pod["status"]["phase"] == "Running"],
                    ports,
                )
            )


def _number(port: Thing, pods: list[Thing]) -> int:
    wanted = port.get("targetPort", port["port"])
    ports = (has for pod in pods[:1] for each in pod["spec"]["containers"] for has in each.get("ports", []))
    return (
        wanted
        if isinstance(wanted, int)
        else next((has["containerPort"] for has in ports if has.get("name") == wanted), 0)
    )


def _endpoint(pod: Thing) -> Thing:
    reference = {"kind": "Pod", "name": pod["metadata"]["name"], "namespace": pod["metadata"]["namespace"]}
    ready = {"ready": True, "serving": True, "terminating": False}
    return {
        "addresses": [pod["status"]["podIP"]],
        "conditions": ready,
        "nodeName": pod["spec"]["nodeName"],
        "targetRef": reference,
    }


def _slice(place: str, name: str, endpoints: list[Thing], ports: list[Thing]) -> Thing:
    labels = {"kubernetes.io/service-name": name}
    return thing(
        "discovery.k8s.io/v1",
        "EndpointSlice",
        f"{name}-x1",
        place,
        labels=labels,
        addressType="IPv4",
        endpoints=endpoints,
        ports=ports,
    )


def _count_budgets(cluster: Cluster) -> None:
    for budget in cluster.of("PodDisruptionBudget"):
        spec, wanted = budget["spec"], budget["spec"]["selector"].get("matchLabels", {})
        guarded = [
            pod
            for pod in cluster.of("Pod")
            if pod["metadata"]["namespace"] == budget["metadata"]["namespace"]
            and wanted.items() <= pod["metadata"]["labels"].items()
        ]
        count = len(guarded)
        least = (
            _part(spec["minAvailable"], count)
            if "minAvailable" in spec
            else count - _part(spec["maxUnavailable"], count)
        )
        numbers = {
            "expectedPods": count,
            "currentHealthy": count,
            "desiredHealthy": max(least, 0),
            "disruptionsAllowed": max(count - least, 0),
        }
        allowed = [{"type": "DisruptionAllowed", "status": str(count > least), "lastTransitionTime": cluster.time()}]
        budget["status"] = {"observedGeneration": 1, **numbers, "conditions": allowed}


def _part(wanted: int | str, count: int) -> int:
    return ceil(Fraction(wanted.rstrip("%")) * count / 100) if isinstance(wanted, str) else wanted
