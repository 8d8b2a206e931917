"""The endpoints behind Services."""

from __future__ import annotations

import hashlib
from collections import defaultdict

from tests.silence.objects import Thing, thing
from tests.silence.standing.cluster import Cluster, key


def fill_endpoints(cluster: Cluster) -> None:
    pods = defaultdict(list)
    for pod in cluster.of("Pod"):
        pods[pod["metadata"]["namespace"]].append(pod)
    for service in cluster.of("Service"):
        spec, place = service["spec"], service["metadata"].get("namespace", "default")
        spec.setdefault("type", "ClusterIP")
        spec.setdefault(
            "clusterIP",
            "10.96." + ".".join(str(byte) for byte in hashlib.sha256(repr(key(service)).encode()).digest()[:2]),
        )
        if spec.get("selector"):
            behind = [pod for pod in pods[place] if spec["selector"].items() <= pod["metadata"]["labels"].items()]
            ports = [
                {"name": port.get("name"), "port": _number(port, behind), "protocol": port.get("protocol", "TCP")}
                for port in spec["ports"]
            ]
            cluster.add(
                slice_of(
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


def slice_of(place: str, name: str, endpoints: list[Thing], ports: list[Thing]) -> Thing:
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
