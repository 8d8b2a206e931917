"""Nodes that cannot bear the loss of one, and a pod that no node is large enough for, beside nodes with room and a Job that waits."""

from tests.control_plane.world.room import Gap, Room, image, onto, tainted
from tests.silence.objects import (
    RUNS,
    SMALL,
    Thing,
    container,
    deployment,
    job,
    job_spec,
    namespace,
    node,
    resources,
)

_GIANT = resources("100", "1Gi")


def _half_full(name: str, pool: str) -> Thing:
    one = container(name, image(name), resources=resources("3", "1Gi"))
    return deployment("books", name, 2, [one], **onto(pool))


def _pool(name: str, size: int) -> list[Thing]:
    return [node(f"{name}-{number}", "z0", SMALL, **tainted(name)) for number in range(size)]


ROOM = Room(
    things=[
        *_pool("tight", 2),
        *_pool("roomy", 3),
        namespace("books"),
        _half_full("ledger", "tight"),
        _half_full("quotes", "roomy"),
        deployment("books", "giant", 1, [container("giant", image("giant"), resources=_GIANT)]),
        job("books", "yearly", job_spec([container("yearly", image("giant"), resources=_GIANT)], labels=RUNS)),
    ],
    gaps=[
        Gap(
            "node-headroom-low",
            "Node/-/tight-1",
            {"spec.containers[*].resources.requests": "cpu 3000m, memory 1024Mi"},
        ),
        Gap(
            "node-headroom-low",
            "Deployment/books/giant",
            {"status.conditions[PodScheduled].message": "0/* nodes are available: *Insufficient cpu*"},
        ),
    ],
    look_alikes=[
        ("node-headroom-low", "Node/-/roomy-0"),
        ("node-headroom-low", "Node/-/roomy-1"),
        ("node-headroom-low", "Node/-/roomy-2"),
        ("node-headroom-low", "Job/books/yearly"),
    ],
)
