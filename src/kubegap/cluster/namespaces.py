"""Which namespaces the system lives in, and the labels that the API server sees on a namespace."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Namespace
from kubegap.cluster.snapshot import Snapshot

KUBE_SYSTEM = "kube-system"
KUBE_NODE_LEASE = "kube-node-lease"
NAME_LABEL = "kubernetes.io/metadata.name"

_SYSTEM = {KUBE_SYSTEM, KUBE_NODE_LEASE, "kube-public"}
_SYSTEM_PREFIXES = ("openshift-", "gke-managed-")
# Words that say of a namespace, in its name or in one of these labels, that nothing in it serves anybody.
_TRIAL_LABELS = ("environment", "env", "stage", "tier", "app.kubernetes.io/environment")
_TRIAL = {
    "dev",
    "development",
    "test",
    "testing",
    "qa",
    "sandbox",
    "playground",
    "staging",
    "demo",
    "experiment",
    "preview",
}


class NamespaceLabels(Struct, frozen=True):
    """The labels of a namespace; `are_real` is False when the namespace was not read and only its name is known."""

    labels: Mapping[str, str]
    are_real: bool


def is_system_namespace(name: str) -> bool:
    """Whether a namespace belongs to the cluster itself and not to its users."""
    return name in _SYSTEM or name.startswith(_SYSTEM_PREFIXES)


def is_for_trial(snapshot: Snapshot, name: str) -> bool:
    """Whether a namespace is called or labelled as one that serves nobody: `shop-dev`, `env: staging`. Reads `v1/namespaces`."""
    labels = labels_of(snapshot, name).labels
    said = [*name.split("-"), *(labels.get(label, "").lower() for label in _TRIAL_LABELS)]
    return not _TRIAL.isdisjoint(said)


def labels_of(snapshot: Snapshot, name: str) -> NamespaceLabels:
    """The labels of a namespace by name; since Kubernetes 1.21 the API server puts the name itself among them."""
    found = _by_name(snapshot).get(name)
    return NamespaceLabels({**(found.labels if found else {}), NAME_LABEL: name}, found is not None)


@indexed
def names(snapshot: Snapshot) -> AbstractSet[str]:
    """All namespaces that were read, or that objects are in."""
    inside = {thing.namespace for things in snapshot.objects.values() for thing in things if thing.namespace}
    return inside | _by_name(snapshot).keys()


@indexed
def _by_name(snapshot: Snapshot) -> Mapping[str, Namespace]:
    return {namespace.name: namespace for namespace in snapshot.of(Namespace)}
