"""Who runs the control plane, and which objects are theirs and not the user's to change."""

from collections.abc import Iterable, Sequence

from kubegap.cluster.fields import PodSpec
from kubegap.cluster.namespaces import is_system_namespace
from kubegap.cluster.objects import KubernetesObject, Node
from kubegap.cluster.programs import Program, runs
from kubegap.cluster.resources import GROUPS, RESOURCES
from kubegap.cluster.templates import Template

_LABELS = {
    "eks.amazonaws.com/nodegroup": "eks",
    "eks.amazonaws.com/compute-type": "eks",
    "cloud.google.com/gke-nodepool": "gke",
    "kubernetes.azure.com/cluster": "aks",
    "doks.digitalocean.com/node-pool": "doks",
    "node.openshift.io/os_id": "openshift",
}
_VERSIONS = {"-eks-": "eks", "-gke.": "gke", "+k3s": "k3s", "+rke2": "rke2"}
_SCHEMES = {"kind": "kind", "k3s": "k3s", "digitalocean": "doks"}

_OS = "kubernetes.io/os"
# Source: `github.com/loft-sh/vcluster`, where a node is made up for each that a pod names.
_FAKE_NODE = "vcluster.loft.sh/fake-node"

# Kinds that people write and scale themselves, besides those that are read as workloads.
_WORKLOADS = {RESOURCES[path].resource.kind for path in GROUPS["workloads"]}
_PLAIN_KINDS = {"ReplicaSet", "ReplicationController", "Node", "Rollout", "CloneSet", "DeploymentConfig"}

# Labels and annotations of objects that only the provider's own tools set.
OWNER_MARKS = ("addonmanager.kubernetes.io/mode", "eks.amazonaws.com/component", "kubernetes.azure.com/managedby")
# Webhook configurations that a provider installs and puts back when they are changed, as named in 2026.
_OWNED_NAMES = {
    "gke": (".networking.gke.io", ".storage.gke.io", "gmp-operator.gmp-system.monitoring.googleapis.com"),
    "eks": ("vpc-resource-mutating-webhook", "vpc-resource-validating-webhook", "pod-identity-webhook"),
    "aks": ("aks-node-mutating-webhook", "aks-node-validating-webhook", "aks-webhook-admission-controller"),
    "openshift": (".openshift.io",),
}


def provider_of(nodes: Iterable[Node]) -> str | None:
    """The provider that the nodes show, such as `eks`; None when they show none (kubeadm, kops, manifests)."""
    return next((found for node in nodes if (found := _provider(node))), None)


def is_for_development(nodes: Sequence[Node]) -> bool:
    """Whether a cluster is one of those that people run on their own machine, or has one node only."""
    return len(nodes) == 1 or (bool(nodes) and all(map(_is_toy, nodes)))


def is_virtual(nodes: Sequence[Node]) -> bool:
    """Whether the cluster is one inside another, whose nodes are only shown: their kubelets and conditions are not its own."""
    return bool(nodes) and all(_FAKE_NODE in node.labels for node in nodes)


def is_windows(spec: PodSpec) -> bool:
    """Whether pods run on Windows, so that what is true of Linux is not."""
    named = spec.os.name if spec.os else (spec.node_selector or {}).get(_OS, "")
    return named == "windows"


def is_owned_by_provider(thing: KubernetesObject, provider: str | None) -> bool:
    """Whether the provider manages an object; by name only on a cluster that is known to be that provider's."""
    if any(label in thing.labels or label in thing.annotations for label in OWNER_MARKS):
        return True
    return thing.name.endswith(_OWNED_NAMES.get(provider or "", ()))


def is_run_by_provider(template: Template, provider: str | None) -> bool:
    """Whether pods belong to the cluster as its provider or installer made it, and not to its users.

    In system namespaces only what carries the mark of Helm is taken to be the users' own, but for the network, which EKS
    installs with Helm too; k3s and RKE2 use Helm for all of theirs.
    """
    things = [*([template.source] if template.source else []), *template.pods[:1]]
    by_helm = any(thing.labels.get("app.kubernetes.io/managed-by") == "Helm" for thing in things)
    is_users = by_helm and provider not in {"k3s", "rke2"} and not runs(template.spec, {Program.NETWORK, Program.DNS})
    in_system = is_system_namespace(template.namespace or "") and not is_users
    return in_system or any(is_owned_by_provider(thing, provider) for thing in things)


def is_made_by_operator(template: Template) -> bool:
    """Whether an operator makes the pods from a custom resource of its own, and so decides how many there are and when they go."""
    return template.subject.kind not in _WORKLOADS | _PLAIN_KINDS


def _is_toy(node: Node) -> bool:
    scheme = (node.spec.provider_id or "").partition("://")[0]
    named = node.name == "docker-desktop" or node.name.startswith("k3d-")
    return scheme == "kind" or "minikube.k8s.io/name" in node.labels or named


def _provider(node: Node) -> str | None:
    for label, provider in _LABELS.items():
        if label in node.labels:
            return provider
    info = node.status.node_info
    for suffix, provider in _VERSIONS.items():
        if info and suffix in info.kubelet_version:
            return provider
    scheme = (node.spec.provider_id or "").partition("://")[0]
    return _SCHEMES.get(scheme)
