"""CoreDNS with one replica that ran out of memory, beside a resolver of the same kind that the cluster does not lean on."""

from tests.control_plane.plane import Plane
from tests.control_plane.world.room import Gap, Room, end_before, image, pods_of
from tests.silence.objects import Thing, container, deployment, namespace, service

_PORTS = [{"name": "dns", "containerPort": 53, "protocol": "UDP"}]


def _served(place: str, name: str, labels: Thing) -> Thing:
    made = service(place, name, labels, labels=labels)
    made["spec"]["ports"] = [{"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 53}]
    return made


def _program(name: str) -> Thing:
    return container(name, image(name), ports=_PORTS, readinessProbe={"httpGet": {"path": "/ready", "port": 8181}})


def _afterwards(plane: Plane) -> None:
    for place, name in (("kube-system", "coredns"), ("net", "resolver")):
        for pod in pods_of(plane, place, name):
            end_before(plane, pod, "OOMKilled", 137)


_DNS = {"k8s-app": "kube-dns", "app": "coredns"}
ROOM = Room(
    things=[
        deployment("kube-system", "coredns", 1, [_program("coredns")], labels=_DNS, priorityClassName="system-cluster-critical"),
        _served("kube-system", "kube-dns", {"k8s-app": "kube-dns"}),
        namespace("net"),
        deployment("net", "resolver", 1, [_program("resolver")]),
        _served("net", "resolver", {"app": "resolver"}),
    ],
    gaps=[
        Gap("dns-not-redundant", "Deployment/kube-system/coredns", {"ready-endpoints": "1 / 1", "pod-disruption-budget": None}),
        Gap(
            "dns-capacity-ratio",
            "Deployment/kube-system/coredns",
            {"pods": "1", "status.containerStatuses[coredns].lastState.terminated.reason": "OOMKilled"},
        ),
    ],
    look_alikes=[
        ("dns-not-redundant", "Deployment/net/resolver"),
        ("dns-capacity-ratio", "Deployment/net/resolver"),
    ],
    afterwards=_afterwards,
)  # fmt: skip
