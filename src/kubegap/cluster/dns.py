"""The Services that answer the cluster's own names."""

from msgspec import Struct

from kubegap.cluster.evidence import Subject
from kubegap.cluster.fields import ServiceReference
from kubegap.cluster.images import parsed
from kubegap.cluster.indexing import indexed
from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import Node, Pod, Service
from kubegap.cluster.placing import nodes_by_name
from kubegap.cluster.services import backends_of, pods_behind
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, owner_of

_PORT = 53
_LABEL = ("k8s-app", "kube-dns")
# Names of images, of `kubernetes/dns` and `kubernetes-sigs/cluster-proportional-autoscaler`; mirrors keep them.
_CACHE = "k8s-dns-node-cache"
_SCALER = "cluster-proportional-autoscaler"


def dns_services(snapshot: Snapshot) -> list[Service]:
    """Services of system namespaces on port 53 that pods are told to ask, whatever program stands behind them.

    They carry the label of cluster DNS, which all programs that take its place keep, or the tenth address of the
    Service network, which kubeadm and the providers give to DNS.
    """
    return [service for service in snapshot.of(Service) if is_dns(service)]


def is_dns(service: Service) -> bool:
    """Whether a Service is cluster DNS, by place, port and label or address; never by the name of a program."""
    on_port = any(port.port == _PORT for port in service.spec.ports or ())
    called = _LABEL in service.labels.items() or (service.spec.cluster_ip or "").endswith(".10")
    return is_system_namespace(service.namespace or "") and on_port and called


def is_outside_pods(snapshot: Snapshot, service: Service) -> bool:
    """Whether the provider answers outside of pods, as Cloud DNS of GKE and Auto Mode of EKS do."""
    return not service.spec.selector or (snapshot.provider in {"gke", "eks"} and not pods_behind(snapshot, service))


@indexed
def caches(snapshot: Snapshot) -> tuple[Pod, ...]:
    """The pods of NodeLocal DNSCache, one on each node where it is used. Reads `v1/pods`."""
    return tuple(
        pod
        for pod in snapshot.of(Pod)
        if is_system_namespace(pod.namespace or "") and not has_ended(pod) and _runs(pod, _CACHE)
    )


@indexed
def is_scaled_with_cluster(snapshot: Snapshot) -> bool:
    """Whether the cluster-proportional autoscaler runs in a system namespace. Reads `v1/pods`."""
    return any(is_system_namespace(pod.namespace or "") and _runs(pod, _SCALER) for pod in snapshot.of(Pod))


class Dns(Struct, frozen=True):
    """A DNS Service: whose pods answer, all of them that have not ended, the ready ones, and the nodes of these."""

    service: Service
    owner: Subject
    pods: tuple[Pod, ...]
    ready: tuple[Pod, ...]
    nodes: tuple[Node, ...]


def _runs(pod: Pod, program: str) -> bool:
    return any(parsed(container.image or "").name.startswith(program) for container in pod.spec.containers or ())


def dns_of(snapshot: Snapshot, service: Service) -> Dns | None:
    """What stands behind a DNS Service; None when its endpoints were not read."""
    backends = backends_of(snapshot, ServiceReference(service.namespace or "", service.name))
    if backends is None:
        return None
    pods = tuple(pod for pod in pods_behind(snapshot, service) if not has_ended(pod))
    ready = tuple(pod for pod in pods if pod.name in backends.ready)
    nodes = nodes_by_name(snapshot)
    seen = {name: nodes[name] for pod in ready if (name := pod.spec.node_name or "") in nodes}
    return Dns(service, owner_of(pods[0]) if pods else Subject.of(service), pods, ready, tuple(seen.values()))
