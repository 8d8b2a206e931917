"""A budget that lets no pod go, beside one over a workload that is scaled to none."""

from tests.control_plane.world.room import Gap, Room, image
from tests.silence.objects import budget, container, deployment, namespace

ROOM = Room(
    things=[
        namespace("till"),
        deployment("till", "payments", 2, [container("payments", image("payments"), 8080)]),
        budget("till", "payments", {"app": "payments"}, maxUnavailable=0),
        deployment("till", "refunds", 0, [container("refunds", image("refunds"), 8080)]),
        budget("till", "refunds", {"app": "refunds"}, maxUnavailable=0),
    ],
    gaps=[
        Gap(
            "pdb-blocks-drain",
            "PodDisruptionBudget/till/payments",
            {"spec.maxUnavailable": "0", "status.expectedPods": "2", "status.disruptionsAllowed": "0"},
        )
    ],
    look_alikes=[("pdb-blocks-drain", "PodDisruptionBudget/till/refunds")],
)
