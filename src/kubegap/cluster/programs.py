"""Well-known programs that a cluster or its users lean on, told by the names of their images.

Images are often mirrored, so only the last parts of a name count. The names are those that the projects published in 2026;
what is told this way is a pattern, never a proof.
"""

from collections.abc import Iterable
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache

from kubegap.cluster.fields import PodSpec
from kubegap.cluster.images import parsed
from kubegap.cluster.requests import running_containers


class Program(StrEnum):
    """What a program does for the others."""

    INGRESS = "ingress"
    DNS = "dns"
    NETWORK = "network"
    STORAGE = "storage"
    MONITORING = "monitoring"
    POLICY = "policy"
    CERTIFICATES = "certificates"
    NODE_AUTOSCALER = "node-autoscaler"
    DESCHEDULER = "descheduler"
    MESH_PROXY = "mesh-proxy"


# The last part of an image's name, or the last two; `*` is anything.
_NAMES: dict[Program, str] = {
    Program.INGRESS: """
        ingress-nginx/controller nginx-ingress-controller* nginx/nginx-ingress *traefik haproxy-ingress* */kubernetes-ingress
        kong/kubernetes-ingress-controller */kong projectcontour/contour envoyproxy/gateway* aws-load-balancer-controller
        azure-application-gateway/kubernetes-ingress nginx-gateway-fabric apache/apisix apache/apisix-ingress-controller*
        emissary-ingress/emissary
    """,
    Program.DNS: "*coredns k8s-dns-kube-dns* k8s-dns-node-cache",
    Program.NETWORK: """
        calico/* *calico-node *calico-typha cilium/* flannel/flannel* *flannel amazon-k8s-cni* kube-proxy* antrea/* weave-kube*
        azure-cni azure-cns multus-cni kube-router kube-ovn
    """,
    Program.STORAGE: """
        csi-* *-csi-driver *-csi-plugin aws-ebs-csi-driver aws-efs-csi-driver livenessprobe longhorn-* *local-path-provisioner
        rook/ceph
    """,
    Program.MONITORING: """
        prometheus/* *prometheus *prometheus-operator *alertmanager *metrics-server* *kube-state-metrics *node-exporter grafana/*
        fluent-bit fluentd* timberio/vector opentelemetry-collector* datadog/agent dcgm-exporter victoriametrics/* thanos/thanos
    """,
    Program.POLICY: "openpolicyagent/* kyverno/* kubewarden/* *gatekeeper",
    Program.CERTIFICATES: "*cert-manager-*",
    Program.NODE_AUTOSCALER: "*cluster-autoscaler* karpenter/* *karpenter",
    Program.DESCHEDULER: "*descheduler",
    Program.MESH_PROXY: "istio/proxyv2 *proxyv2 linkerd/proxy *linkerd-proxy consul-dataplane kuma-dp",
}
# Of these, the ones that only set up a load balancer of the cloud or other pods, through which the traffic goes.
_SETTING_UP = (
    "apache/apisix-ingress-controller*",
    "aws-load-balancer-controller*",
    "azure-application-gateway/kubernetes-ingress",
    "envoyproxy/gateway*",
    "kong/kubernetes-ingress-controller",
    "projectcontour/contour",
)
# The proxy that carries the traffic for some of these, in pods where the image of the one that set it up stands beside it.
_CARRYING = "envoy"
_PATTERNS = [(pattern, program) for program, names in _NAMES.items() for pattern in names.split()]


def programs_of(spec: PodSpec) -> frozenset[Program]:
    """What the running containers of a pod do, as far as their images tell.

    A mesh proxy that stands alone is no sidecar but the data plane of a gateway, so it counts as `ingress`.
    """
    found = [program_of(container.image or "") for container in running_containers(spec)]
    if found and set(found) == {Program.MESH_PROXY}:
        return frozenset({Program.INGRESS})
    return frozenset(program for program in found if program)


def runs(spec: PodSpec, programs: Iterable[Program]) -> bool:
    """Whether a pod runs one of these programs."""
    return not programs_of(spec).isdisjoint(programs)


def has_data_plane_elsewhere(spec: PodSpec) -> bool:
    """Whether the ingress controller of a pod only sets up what others carry: a load balancer of the cloud, or other pods."""
    images = [container.image or "" for container in running_containers(spec)]
    entries = [image for image in images if program_of(image) is Program.INGRESS or _fits(image, _CARRYING)]
    return bool(entries) and all(any(_fits(image, pattern) for pattern in _SETTING_UP) for image in entries)


@lru_cache(maxsize=10_000)
def program_of(image: str) -> Program | None:
    """The program behind an image; None for one that is not known."""
    return next((program for pattern, program in _PATTERNS if _fits(image, pattern)), None) if image else None


def _fits(image: str, pattern: str) -> bool:
    parts = parsed(image).repository.split("/")
    return fnmatchcase("/".join(parts[-2:]) if "/" in pattern else parts[-1], pattern)
