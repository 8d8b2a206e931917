"""Pods that have a node and run there, as the API server, the scheduler and the kubelet leave them."""

from __future__ import annotations

import hashlib
from collections import Counter

from tests.silence.objects import ZONE, Thing
from tests.silence.standing.cluster import Cluster, key
from tests.silence.standing.fitting import may_run

TOLERATED = [
    {"key": f"node.kubernetes.io/{trouble}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for trouble in ("not-ready", "unreachable")
]


def run_bare_pods(cluster: Cluster) -> None:
    """Pods that were declared themselves: mirrors of static pods, and what operators of custom resources make."""
    for pod in cluster.of("Pod"):
        if "status" not in pod:
            cluster.by_kind["Pod"].remove(pod)
            place_pod(cluster, pod)


def place_pod(cluster: Cluster, pod: Thing) -> None:
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
    fitting = [name for name, node in nodes.items() if may_run(pod["spec"], node)]
    assert fitting, f"no node for {key(pod)}"

    def fullness(name: str) -> tuple[int, int, int]:
        return zones[nodes[name]["metadata"]["labels"].get(ZONE)], alike[name], cluster.load[name]

    return nodes[min(fitting, key=fullness)]


def _owner(pod: Thing) -> tuple[str | None, str]:
    owners = pod["metadata"].get("ownerReferences") or [{"name": ""}]
    return pod["metadata"].get("namespace"), owners[0]["name"]


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
    digest = hashlib.sha256(repr(key(pod)).encode()).digest()
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


def is_ready(pod: Thing) -> bool:
    """Whether it says so."""
    return {"type": "Ready", "status": "True"}.items() <= _ready_condition(pod).items()


def _ready_condition(pod: Thing) -> Thing:
    return next((one for one in pod["status"]["conditions"] if one["type"] == "Ready"), {})
