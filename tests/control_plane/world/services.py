"""Workloads without requests, probes, a pinned image or a second pod, each beside one that has what it needs in another way."""

from tests.control_plane.world.room import DIGEST, Gap, Room, image
from tests.silence.objects import (
    Thing,
    budget,
    claim,
    claim_volume,
    container,
    deployment,
    ingress,
    namespace,
    service,
    thing,
)

_DEFAULTS = {"type": "Container", "default": {"memory": "256Mi"}, "defaultRequest": {"memory": "128Mi", "cpu": "50m"}}


def _bare(name: str, port: int | None = None) -> Thing:
    made = container(name, image(name), port)
    del made["resources"]
    return made


def _unprobed(name: str) -> Thing:
    made = container(name, image(name), 8080)
    del made["readinessProbe"]
    return made


def _called(place: str, name: str, one: Thing, replicas: int = 2, **more: object) -> list[Thing]:
    labels = {"app": name}
    return [
        deployment(place, name, replicas, [one]),
        service(place, name, labels, **more),
        *([budget(place, name, labels)] if replicas > 1 else []),
    ]


ROOM = Room(
    things=[
        namespace("apps"),
        namespace("limited"),
        thing("v1", "LimitRange", "defaults", "limited", spec={"limits": [_DEFAULTS]}),
        deployment("apps", "loose", 2, [_bare("loose")]),
        deployment("limited", "filled", 2, [_bare("filled")]),
        *_called("apps", "eager", _unprobed("eager")),
        *_called("apps", "peers", _unprobed("peers"), clusterIP="None", publishNotReadyAddresses=True),
        deployment("apps", "floating", 2, [container("floating", "registry.example.com/floating:latest")]),
        deployment("apps", "anchored", 2, [container("anchored", f"registry.example.com/anchored:latest@{DIGEST}")]),
        *_called("apps", "front", container("front", image("front"), 8080), 1),
        ingress("apps", "front", "shop.example.com", "nginx"),
        *_called("apps", "inner", container("inner", image("inner"), 8080), 1),
        claim("apps", "notes"),
        deployment(
            "apps",
            "notes",
            1,
            [container("notes", image("notes"))],
            strategy={"type": "Recreate"},
            volumes=[claim_volume("data", "notes")],
        ),
    ],
    gaps=[
        Gap("requests-missing", "Deployment/apps/loose", {"spec.template.spec.containers[loose].resources.requests.memory": None}),
        Gap("readiness-missing", "Deployment/apps/eager", {"spec.template.spec.containers[eager].readinessProbe": None}),
        Gap("image-unpinned", "Deployment/apps/floating", {"spec.template.spec.containers[floating].image": "*/floating:latest"}),
        Gap("critical-singleton", "Deployment/apps/front", {"spec.replicas": "1", "spec.selector": "app=front"}),
    ],
    look_alikes=[
        ("requests-missing", "Deployment/limited/filled"),
        ("readiness-missing", "Deployment/apps/peers"),
        ("image-unpinned", "Deployment/apps/anchored"),
        ("critical-singleton", "Deployment/apps/inner"),
        ("critical-singleton", "Deployment/apps/notes"),
    ],
)  # fmt: skip
