"""The writes that a cluster lives on: who makes them, where, and which objects they are about.

Users and groups are those of kubeadm, kops and the managed offerings, where controllers use their own service accounts.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from kubegap.cluster.admission import Request
from kubegap.cluster.fields import ServiceReference
from kubegap.cluster.indexing import indexed
from kubegap.cluster.namespaces import KUBE_NODE_LEASE, KUBE_SYSTEM
from kubegap.cluster.objects import EndpointSlice, KubernetesObject, Node, Pod
from kubegap.cluster.snapshot import Snapshot

# Stands for a namespace that somebody makes tomorrow: no labels but its name.
ORDINARY = "a-new-namespace"


class User(Struct, frozen=True):
    """Who makes a request, as match conditions see them."""

    name: str = ""
    groups: tuple[str, ...] = ()


class Lifeline(Struct, frozen=True):
    """One kind of write and the name by which pages of checks call it."""

    name: str
    request: Request


def _controller(name: str) -> User:
    groups = ("system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated")
    return User(f"system:serviceaccount:kube-system:{name}", groups)


_KUBELET = User("system:node:any", ("system:nodes", "system:authenticated"))
_API_SERVER = User("system:apiserver", ("system:masters", "system:authenticated"))
_SCHEDULER = User("system:kube-scheduler", ("system:authenticated",))
_MANAGER = User("system:kube-controller-manager", ("system:authenticated",))
_SLICE_CONTROLLER = _controller("endpointslice-controller")
_ANYONE = User()

_LEASE = "leases.coordination.k8s.io"
_SLICE = "endpointslices.discovery.k8s.io"
_EQUIVALENTS = {"events": (("events.k8s.io", "v1"),)}
_KINDS: Mapping[tuple[str, str], type[KubernetesObject]] = {
    ("pods", ""): Pod,
    ("pods", "status"): Pod,
    ("nodes", ""): Node,
    ("nodes", "status"): Node,
    ("endpointslices", ""): EndpointSlice,
}


def _line(name: str, user: User, operation: str, kind: str, namespace: str | None = None) -> Lifeline:
    """`kind` as kubectl writes it: `pods/binding`, `leases.coordination.k8s.io`."""
    path, _, subresource = kind.partition("/")
    resource, _, group = path.partition(".")
    request = Request(
        operation=operation,
        group=group,
        resource=resource,
        subresource=subresource,
        namespace=namespace,
        user=user.name,
        groups=user.groups,
        equivalents=_EQUIVALENTS.get(resource, ()),
    )
    return Lifeline(name, request)


def pod_lifelines(namespace: str, prefix: str) -> tuple[Lifeline, ...]:
    """What has to pass for a new pod to run in a namespace: its creation, its place on a node, its status."""
    return (
        _line(f"{prefix}-pod", _controller("replicaset-controller"), "CREATE", "pods", namespace),
        _line(f"{prefix}-pod-binding", _SCHEDULER, "CREATE", "pods/binding", namespace),
        _line(f"{prefix}-pod-status", _KUBELET, "UPDATE", "pods/status", namespace),
    )


LEASES = (
    _line("node-lease", _KUBELET, "UPDATE", _LEASE, KUBE_NODE_LEASE),
    _line("node-lease", _KUBELET, "CREATE", _LEASE, KUBE_NODE_LEASE),
    _line("leader-lease", _MANAGER, "UPDATE", _LEASE, KUBE_SYSTEM),
    _line("leader-lease", _SCHEDULER, "UPDATE", _LEASE, KUBE_SYSTEM),
)
NODES = (
    _line("node", _KUBELET, "CREATE", "nodes"),
    _line("node", _controller("node-controller"), "UPDATE", "nodes"),
    _line("node-status", _KUBELET, "UPDATE", "nodes/status"),
)
SYSTEM = (
    *pod_lifelines(KUBE_SYSTEM, "system"),
    _line("endpoint-slice", _SLICE_CONTROLLER, "CREATE", _SLICE, KUBE_SYSTEM),
    _line("endpoint-slice", _SLICE_CONTROLLER, "UPDATE", _SLICE, KUBE_SYSTEM),
    # A new API server writes its certificates there before it reports that it is healthy.
    _line("config-map", _API_SERVER, "UPDATE", "configmaps", KUBE_SYSTEM),
    _line("config-map", _controller("root-ca-cert-publisher"), "CREATE", "configmaps", KUBE_SYSTEM),
)
EVENTS = (_line("event", _KUBELET, "CREATE", "events", KUBE_SYSTEM),)
# What users do all day, wherever they do it.
EVERYDAY = (
    _line("everyday-pod", _ANYONE, "CREATE", "pods", ORDINARY),
    _line("everyday-service", _ANYONE, "CREATE", "services", ORDINARY),
    _line("everyday-service", _ANYONE, "UPDATE", "services", ORDINARY),
)
# Names of groups: writes about the webhook's own pods, and writes that matter because its backends are few.
OWN = {"deadlock", "own"}
THIN = {"deadlock", "everyday"}


def groups(service: ServiceReference | None, *, is_thin: bool) -> dict[str, tuple[Lifeline, ...]]:
    """All lifelines by group; those of everyday, and its own as a deadlock, for a webhook whose backends are few."""
    found = {"leases": LEASES, "nodes": NODES, "system": SYSTEM, "events": EVENTS}
    if service:
        found["deadlock" if is_thin else "own"] = pod_lifelines(service.namespace, "own")
    if is_thin:
        found["everyday"] = EVERYDAY
    return found


def objects_of(snapshot: Snapshot, request: Request) -> Sequence[KubernetesObject]:
    """The objects that were read and that a request could be about; a binding, for one, is an object of its own."""
    kind = _KINDS.get((request.resource, request.subresource))
    return _by_namespace(snapshot).get((kind, request.namespace), ()) if kind else ()


@indexed
def _by_namespace(snapshot: Snapshot) -> Mapping[tuple[type[KubernetesObject], str | None], list[KubernetesObject]]:
    found: dict[tuple[type[KubernetesObject], str | None], list[KubernetesObject]] = defaultdict(list)
    for kind in set(_KINDS.values()):
        for thing in snapshot.of(kind):
            found[kind, thing.namespace].append(thing)
    return found
