"""A namespace and a pod that stay Terminating because nobody clears their finalizers, beside a pod within its grace period."""

from tests.control_plane.plane import Plane, wait
from tests.control_plane.world.room import HELD, Gap, Room, image
from tests.silence.objects import Thing, container, namespace, thing

_FINALIZER = "example.com/cleanup"
_CONDEMNED, _REMAINING = "/api/v1/namespaces/condemned", "NamespaceFinalizersRemaining"


def _pod(name: str, *finalizers: str, **spec: object) -> Thing:
    made = thing(
        "v1", "Pod", name, "doomed", labels=dict(HELD), spec={"containers": [container(name, image(name))], **spec}
    )
    made["metadata"]["finalizers"] = list(finalizers)
    return made


def _afterwards(plane: Plane) -> None:
    plane.request("DELETE", _CONDEMNED)
    wait(
        lambda: _REMAINING in {one["type"] for one in plane.request("GET", _CONDEMNED)["status"].get("conditions", ())}
    )
    plane.request("DELETE", "/api/v1/namespaces/doomed/pods/clinging?gracePeriodSeconds=0")
    plane.request("DELETE", "/api/v1/namespaces/doomed/pods/finishing")


_HELD_BACK = thing("v1", "ConfigMap", "bucket", "condemned")
_HELD_BACK["metadata"]["finalizers"] = [_FINALIZER]
ROOM = Room(
    things=[
        namespace("condemned"),
        _HELD_BACK,
        namespace("doomed"),
        _pod("clinging", _FINALIZER),
        _pod("finishing", terminationGracePeriodSeconds=86_400),
    ],
    gaps=[
        Gap("stuck-terminating", "Namespace/-/condemned", {f"status.conditions[{_REMAINING}]": "True: SomeFinalizersRemain: *"}),
        Gap("stuck-terminating", "Pod/doomed/clinging", {"metadata.finalizers": _FINALIZER}),
    ],
    look_alikes=[("stuck-terminating", "Pod/doomed/finishing"), ("stuck-terminating", "Namespace/-/doomed")],
    afterwards=_afterwards,
)  # fmt: skip
