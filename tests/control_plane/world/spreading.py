"""Replicas on one node, and a service of several without a budget; both beside ones that are spread and guarded."""

from tests.control_plane.world.room import Gap, Room, image
from tests.silence.objects import HOSTNAME, Thing, budget, container, deployment, namespace, node, service

_PLAIN = [node(f"plain-{number}", "z0") for number in range(4)]


def _serving(name: str, replicas: int, **spec: object) -> list[Thing]:
    labels = {"app": name}
    return [
        deployment("shop", name, replicas, [container(name, image(name), 8080)], **spec),
        service("shop", name, labels),
    ]


def _together(name: str) -> Thing:
    term = {"topologyKey": HOSTNAME, "labelSelector": {"matchLabels": {"app": name}}}
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


ROOM = Room(
    things=[
        *_PLAIN,
        namespace("shop"),
        *_serving("cart", 4, affinity=_together("cart"), topologySpreadConstraints=[]),
        budget("shop", "cart", {"app": "cart"}),
        *_serving("web", 3),
        budget("shop", "web", {"app": "web"}),
        *_serving("search", 3),
    ],
    gaps=[
        Gap("replicas-colocated", "Deployment/shop/cart", {"topologySpreadConstraints, podAntiAffinity": None}),
        Gap(
            "pdb-missing",
            "Deployment/shop/search",
            {"spec.replicas": "3", "pod-disruption-budget": None, "spec.selector": "app=search"},
        ),
    ],
    look_alikes=[
        ("replicas-colocated", "Deployment/shop/web"),
        ("pdb-missing", "Deployment/shop/web"),
        ("pdb-missing", "Deployment/shop/cart"),
    ],
)
