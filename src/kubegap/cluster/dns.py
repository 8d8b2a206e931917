"""The Services that answer the cluster's own names."""

from msgspec import Struct

from kubegap.cluster.evidence import Subject
from kubegap.cluster.fields import ServiceReference
from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import Node, Pod, Service
from kubegap.cluster.placing import nodes_by_name
from kubegap.cluster.services import backends_of, pods_behind
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, owner_of

_PORT = 53
_LABEL = ("k8s-app", "kube-dns")


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


class Dns(Struct, frozen=True):
    """A DNS Service: whose pods answer, all of them that have not ended, the ready ones, and the nodes of these."""

    service: Service
    owner: Subject
    pods: tuple[Pod, ...]
    ready: tuple[Pod, ...]
    nodes: tuple[Node, ...]


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
