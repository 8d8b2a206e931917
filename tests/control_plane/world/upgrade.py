"""What the next upgrade breaks: a client of an API version that it removes, and a selector on a label that is gone."""

from tests.control_plane.plane import Plane
from tests.control_plane.world.room import Gap, Room, image
from tests.silence.objects import container, deployment, namespace, thing

OLD = "resource.k8s.io/v1beta1"
MASTER = "node-role.kubernetes.io/master"


def _ask_in_the_old_version(plane: Plane) -> None:
    """One client reads, another writes; the API server counts both, and remembers the second in the object."""
    plane.request("GET", f"/apis/{OLD}/deviceclasses")
    spec = {"devices": {"requests": [{"name": "gpu", "deviceClassName": "gpu.example.com"}]}}
    claim = thing(OLD, "ResourceClaim", "old", "before-upgrade", spec=spec)
    path = f"/apis/{OLD}/namespaces/before-upgrade/resourceclaims?fieldManager=old-operator"
    plane.request("POST", path, claim)


ROOM = Room(
    things=[
        namespace("before-upgrade"),
        # Nothing runs, so that no other check has anything to say of them.
        deployment("before-upgrade", "reflector", 0, [container("bird", image("bird"))], nodeSelector={MASTER: ""}),
        deployment(
            "before-upgrade", "linux", 0, [container("app", image("app"))], nodeSelector={"kubernetes.io/os": "linux"}
        ),
    ],
    gaps=[
        Gap(
            "deprecated-api-requested",
            "APIService/-/v1beta1.resource.k8s.io",
            {
                'apiserver_requested_deprecated_apis{group="resource.k8s.io",removed_release="1.38",resource="deviceclasses",'
                'subresource="",version="v1beta1"}': "1.38",
                "metadata.managedFields[old-operator].apiVersion": OLD,
            },
        ),
        Gap(
            "removed-label-reference",
            "Deployment/before-upgrade/reflector",
            {f"spec.template.spec.nodeSelector[{MASTER}]": ""},
        ),
    ],
    look_alikes=[
        ("deprecated-api-requested", "APIService/-/v1.resource.k8s.io"),
        ("removed-label-reference", "Deployment/before-upgrade/linux"),
    ],
    afterwards=_ask_in_the_old_version,
)
