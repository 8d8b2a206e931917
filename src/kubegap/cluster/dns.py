"""The Services that answer the cluster's own names."""

from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import Service
from kubegap.cluster.snapshot import Snapshot

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
