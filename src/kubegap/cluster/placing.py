"""On which nodes a pod may run, by selectors, affinity, taints and cordons, exactly as the scheduler reads them.

Source: `k8s.io/component-helpers` `scheduling/corev1` (`nodeaffinity`, `helpers.go`), `k8s.io/api` `core/v1/toleration.go`
at Kubernetes 1.37. Free room is not looked at: this is where a pod may run, not where it fits today.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from kubegap.cluster.fields import NodeSelector, NodeSelectorTerm, PodSpec, Requirement, Taint, Toleration
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import Node
from kubegap.cluster.selectors import holds
from kubegap.cluster.snapshot import Snapshot

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
_OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
BLOCKING = {"NoSchedule", "NoExecute"}
CORDON = Taint("node.kubernetes.io/unschedulable", None, "NoSchedule")
_SPOT = {
    ("cloud.google.com/gke-preemptible", "true"),
    ("cloud.google.com/gke-spot", "true"),
    ("eks.amazonaws.com/capacityType", "SPOT"),
    ("karpenter.sh/capacity-type", "spot"),
    ("kubernetes.azure.com/scalesetpriority", "spot"),
}


@indexed
def nodes_by_name(snapshot: Snapshot) -> Mapping[str, Node]:
    """Every node by its name."""
    return {node.name: node for node in snapshot.of(Node)}


@indexed
def label_keys(snapshot: Snapshot) -> frozenset[str]:
    """The keys of all labels that any node carries."""
    return frozenset(key for node in snapshot.of(Node) for key in node.labels)


@indexed
def taint_keys(snapshot: Snapshot) -> frozenset[str]:
    """The keys of all taints that any node carries."""
    return frozenset(taint.key for node in snapshot.of(Node) for taint in node.spec.taints or ())


def zone_of(node: Node | None) -> str | None:
    """The zone of a node; None where nobody labelled it."""
    return (node.labels.get(ZONE) or node.labels.get(_OLD_ZONE)) if node else None


def zones_of(nodes: Iterable[Node | None]) -> set[str]:
    """The zones of nodes, or none at all if one of them has no label: half the truth is no answer."""
    zones = [zone_of(node) for node in nodes]
    known = {zone for zone in zones if zone}
    return known if all(zones) else set()


def is_spot(node: Node) -> bool:
    """Whether the provider may take the node back at any time."""
    return not _SPOT.isdisjoint(node.labels.items())


def wants_spot(pod: PodSpec) -> bool:
    """Whether a pod asks for nodes that the provider may take back at any time, or puts up with their taint."""
    return any(spot_wishes(pod))


def spot_wishes(pod: PodSpec) -> Iterator[tuple[str, str]]:
    """The fields of a pod that bring it to such nodes, or let it be there, and their values."""
    affinity = pod.affinity.node_affinity if pod.affinity else None
    terms = affinity.required.node_selector_terms or () if affinity and affinity.required else ()
    for label in _SPOT & (pod.node_selector or {}).items():
        yield f'nodeSelector["{label[0]}"]', label[1]
    for rule in (rule for term in terms for rule in term.match_expressions or () if rule.operator == "In"):
        if any((rule.key, value) in _SPOT for value in rule.values or ()):
            yield f"affinity.nodeAffinity[{rule.key}].values", ",".join(rule.values or ())
    for one in pod.tolerations or ():
        if (one.key, one.value) in _SPOT:
            yield f"tolerations[{one.key}].value", one.value or ""


def is_cordoned(node: Node | None) -> bool:
    """Whether `kubectl cordon` or the like keeps new pods off a node."""
    return node is not None and bool(node.spec.unschedulable)


def nodes_for(snapshot: Snapshot, pod: PodSpec) -> tuple[Node, ...]:
    """The nodes on which a pod like this may run; asked once for all pods that ask the same of a node."""
    key, known = wishes_of(pod), _known_answers(snapshot)
    if key not in known:
        known[key] = tuple(node for node in _candidates(snapshot, pod) if may_run(pod, node))
    return known[key]


def wishes_of(pod: PodSpec) -> bytes:
    """What a pod asks of a node, the same bytes for all that ask the same."""
    affinity = pod.affinity.node_affinity if pod.affinity else None
    return msgspec.json.encode((pod.node_selector, affinity, pod.tolerations))


def may_run(pod: PodSpec, node: Node) -> bool:
    """Whether neither the node nor the pod stands against it."""
    wanted = (pod.node_selector or {}).items()
    affinity = pod.affinity.node_affinity if pod.affinity else None
    return (
        wanted <= node.labels.items()
        and picks(affinity.required if affinity else None, node)
        and tolerates(pod.tolerations, node)
    )


def picks(selector: NodeSelector | None, node: Node) -> bool:
    """Whether one of the terms holds for a node; no selector picks all, a term that says nothing picks none."""
    return selector is None or any(_term_holds(term, node) for term in selector.node_selector_terms or ())


def tolerates(tolerations: list[Toleration] | None, node: Node) -> bool:
    """Whether nothing that is on the node keeps the pod off."""
    taints = [taint for taint in node.spec.taints or () if taint.effect in BLOCKING]
    if is_cordoned(node):
        taints.append(CORDON)
    return all(any(_covers(toleration, taint) for toleration in tolerations or ()) for taint in taints)


def spread_rules(pod: PodSpec) -> str | None:
    """What the pod asks for to be kept apart from its like, in one line; None if nothing."""
    apart = pod.affinity.pod_anti_affinity if pod.affinity else None
    rules = [f"{rule.topology_key}: {rule.when_unsatisfiable}" for rule in pod.topology_spread_constraints or ()]
    rules += [f"{term.topology_key}: required" for term in (apart.required or () if apart else ())]
    wishes = apart.preferred or () if apart else ()
    rules += [f"{wish.pod_affinity_term.topology_key}: preferred" for wish in wishes]
    return ", ".join(rules) or None


def _candidates(snapshot: Snapshot, pod: PodSpec) -> Sequence[Node]:
    """All nodes, or the few that bear the rarest label that the pod selects."""
    labelled = _nodes_by_label(snapshot)
    choices = [labelled.get(label, ()) for label in (pod.node_selector or {}).items()]
    return min(choices, key=len) if choices else snapshot.of(Node)


@indexed
def _nodes_by_label(snapshot: Snapshot) -> Mapping[tuple[str, str], list[Node]]:
    found: dict[tuple[str, str], list[Node]] = defaultdict(list)
    for node in snapshot.of(Node):
        for label in node.labels.items():
            found[label].append(node)
    return found


@indexed
def _known_answers(_: Snapshot) -> dict[bytes, tuple[Node, ...]]:
    return {}


def _covers(toleration: Toleration, taint: Taint) -> bool:
    """An empty key or effect means all of them."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator == "Exists":
        return True
    return toleration.operator in {None, "", "Equal"} and (toleration.value or "") == (taint.value or "")


def _term_holds(term: NodeSelectorTerm, node: Node) -> bool:
    if not term.match_expressions and not term.match_fields:
        return False
    fields = {"metadata.name": node.name}
    return all(_holds(one, node.labels) for one in term.match_expressions or ()) and all(
        _holds(one, fields) for one in term.match_fields or ()
    )


def _holds(requirement: Requirement, labels: Mapping[str, str]) -> bool:
    if requirement.operator in {"Gt", "Lt"}:
        return _compares(requirement, labels.get(requirement.key))
    return holds(requirement, labels)


def _compares(requirement: Requirement, value: str | None) -> bool:
    try:
        bound, seen = int((requirement.values or [""])[0]), int(value or "")
    except ValueError:
        return False
    return seen > bound if requirement.operator == "Gt" else seen < bound
