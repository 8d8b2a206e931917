"""A range of addresses that its pods use up, and pods that get no network, beside pods that need none and pods that wait for a disk."""

from tests.control_plane.plane import Plane
from tests.control_plane.world.room import HELD, Gap, Room, image, onto, patch_status, pods_of, tainted
from tests.silence.objects import (
    HOSTNAME,
    SMALL,
    Thing,
    claim,
    claim_volume,
    container,
    deployment,
    namespace,
    node,
)

_NO_NETWORK = {"type": "PodReadyToStartContainers", "status": "False", "lastTransitionTime": "2026-01-01T00:00:00Z"}


def _node(name: str, cidr: str) -> Thing:
    made = node(name, "z0", SMALL, **tainted("narrow"))
    made["spec"] |= {"podCIDR": cidr, "podCIDRs": [cidr]}
    return made


def _crowd(name: str, on: str, **spec: object) -> Thing:
    where = {**onto("narrow"), "nodeSelector": {HOSTNAME: on}, "topologySpreadConstraints": []}
    return deployment("stalls", name, 6, [container(name, image(name))], **where, **spec)


def _held(name: str, **spec: object) -> Thing:
    made = deployment("stalls", name, 2, [container(name, image(name))], **spec)
    made["spec"]["template"]["metadata"]["labels"] = {**made["metadata"]["labels"], **HELD}
    return made


def _afterwards(plane: Plane) -> None:
    for name in ("unplugged", "unmounted"):
        for pod in pods_of(plane, "stalls", name):
            patch_status(plane, pod, {"conditions": [_NO_NETWORK]})


ROOM = Room(
    things=[
        _node("narrow", "10.200.0.0/29"),
        _node("narrow-too", "10.200.0.8/29"),
        namespace("stalls"),
        _crowd("badges", "narrow"),
        _crowd("probes", "narrow-too", hostNetwork=True),
        _held("unplugged"),
        claim("stalls", "disk"),
        _held("unmounted", volumes=[claim_volume("disk", "disk")]),
    ],
    gaps=[
        Gap(
            "pod-ip-headroom",
            "Node/-/narrow",
            {"spec.podCIDRs": "10.200.0.0/29", "pods-with-address": "6"},
        ),
        Gap(
            "pod-ip-headroom",
            "Deployment/stalls/unplugged",
            {"status.conditions[PodReadyToStartContainers].status": "False", "spec.nodeName": "plain-*"},
        ),
    ],
    look_alikes=[("pod-ip-headroom", "Node/-/narrow-too"), ("pod-ip-headroom", "Deployment/stalls/unmounted")],
    afterwards=_afterwards,
)
