"""An ingress controller with one pod behind a load balancer, beside one that is spread and guarded."""

from tests.control_plane.world.room import DIGEST, Gap, Room
from tests.silence.objects import Thing, budget, container, deployment, namespace, service, thing


def _controller(place: str, name: str, program: str, replicas: int) -> list[Thing]:
    labels = {"app": name}
    one = container("controller", f"registry.k8s.io/{program}@{DIGEST}", 8080)
    return [
        namespace(place),
        deployment(place, name, replicas, [one], priorityClassName="serving"),
        service(place, name, labels, type="LoadBalancer"),
        *([budget(place, name, labels)] if replicas > 1 else []),
    ]


ROOM = Room(
    things=[
        thing("networking.k8s.io/v1", "IngressClass", "nginx", spec={"controller": "k8s.io/ingress-nginx"}),
        *_controller("entry", "ingress-nginx-controller", "ingress-nginx/controller", 1),
        thing("networking.k8s.io/v1", "IngressClass", "contour", spec={"controller": "projectcontour.io/contour"}),
        *_controller("edge", "contour", "projectcontour/contour", 3),
    ],
    gaps=[Gap("ingress-controller-fragile", "Deployment/entry/ingress-nginx-controller", {"spec.replicas": "1"})],
    look_alikes=[("ingress-controller-fragile", "Deployment/edge/contour")],
)
