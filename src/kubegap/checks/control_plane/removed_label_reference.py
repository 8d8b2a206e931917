"""Selectors, spreads and tolerations that name labels and taints which Kubernetes or its providers gave up."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.fields import NodeSelector, PodSpec, Toleration
from kubegap.cluster.lifecycle import server_minor, target_minor
from kubegap.cluster.objects import Node, PersistentVolume
from kubegap.cluster.placing import label_keys, taint_keys
from kubegap.cluster.providers import is_run_by_provider
from kubegap.cluster.snapshot import Minor, Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

MASTER, CONTROL_PLANE = "node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"
# Sources: Kubernetes' reference of well-known labels and taints, kubeadm's of 1.24 and 1.25, Karpenter's guide to v1beta1.
INSTEAD = {
    MASTER: CONTROL_PLANE,
    "kubernetes.io/role": CONTROL_PLANE,
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "karpenter.sh/provisioner-name": "karpenter.sh/nodepool",
}
# Labels, and the taint of the same name, that an upgrade of Kubernetes took away; the others went with providers, or will go.
LABEL_REMOVED = {MASTER: Minor(1, 24)}
TAINT_REMOVED = Minor(1, 25)
WEIGHTS = {
    "gone": (Severity.HIGH, Confidence.OBSERVED),
    "going": (Severity.MEDIUM, Confidence.CONFIG),
    "toleration": (Severity.MEDIUM, Confidence.OBSERVED),
    "toleration-going": (Severity.MEDIUM, Confidence.CONFIG),
    "unknown": (Severity.MEDIUM, Confidence.CONFIG),
    "kept": (Severity.LOW, Confidence.CONFIG),
}
_ASKS_FOR = {"In", "Exists", "Gt", "Lt"}


class Reference(Struct, frozen=True):
    """A key that a workload names, where, with what beside it, and what becomes of it (a key of `WEIGHTS`)."""

    key: str
    place: str
    path: str
    value: str
    fate: str


def find(cluster: Snapshot) -> Iterator[Finding]:
    """One finding for each workload, and one for all volumes together."""
    for subject, parts in templates_by_subject(cluster).items():
        own = [part for part in parts if not guard_run_by_provider(cluster, part)]
        if found := list(chain.from_iterable(_references(cluster, part) for part in own)):
            yield _finding(cluster, subject, found)
    volumes = [volume for volume in cluster.of(PersistentVolume) if any(_keys(volume.spec.node_affinity))]
    if volumes:
        yield _of_volumes(volumes)


def guard_run_by_provider(cluster: Snapshot, part: Template) -> bool:
    """The provider made it, and changes it with the upgrade."""
    return is_run_by_provider(part, cluster.provider)


def guard_other_term(selector: NodeSelector, key: str) -> bool:
    """Another term, which holds by itself, does without the key."""
    terms = selector.node_selector_terms or ()
    return any(all(one.key != key for one in term.match_expressions or ()) for term in terms)


def guard_avoids(operator: str) -> bool:
    """It keeps off nodes that carry the label, and no node will."""
    return operator not in _ASKS_FOR


def guard_tolerates_both(tolerations: Sequence[Toleration]) -> bool:
    """It puts up with the new taint too."""
    return any(one.key in {None, "", CONTROL_PLANE} for one in tolerations)


def guard_not_meant_for_control_plane(part: Template) -> bool:
    """Its pods have to run on no node in particular, so where a taint keeps them off they run elsewhere."""
    wanted = {CONTROL_PLANE, MASTER} & {key for key, _, _ in _selected(part.spec)}
    return not (part.is_on_every_node or wanted)


def guard_stays_tainted(cluster: Snapshot) -> bool:
    """No node has the new taint, and the upgrade takes no old one away."""
    taints = taint_keys(cluster)
    return CONTROL_PLANE not in taints and not (MASTER in taints and _goes(cluster, TAINT_REMOVED))


def _references(cluster: Snapshot, part: Template) -> Iterator[Reference]:
    path = part.part.path
    for key, where, value in _selected(part.spec):
        if key in INSTEAD:
            yield Reference(key, part.place, f"{path}.{where}", value, _fate(cluster, key))
    tolerations = part.spec.tolerations or ()
    old = next((one for one in tolerations if one.key == MASTER), None)
    is_excused = guard_tolerates_both(tolerations) or guard_not_meant_for_control_plane(part)
    if old and not (is_excused or guard_stays_tainted(cluster)):
        fate = "toleration" if CONTROL_PLANE in taint_keys(cluster) else "toleration-going"
        yield Reference(MASTER, part.place, f"{path}.tolerations", MASTER, fate)


def _selected(spec: PodSpec) -> Iterator[tuple[str, str, str]]:
    """Keys that a node must carry, with the field and the value."""
    for key, value in (spec.node_selector or {}).items():
        yield key, f"nodeSelector[{key}]", value
    affinity = spec.affinity.node_affinity if spec.affinity else None
    required = affinity.required if affinity else None
    for key in _keys(affinity):
        if required and not guard_other_term(required, key):
            yield key, "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution", key
    for rule in spec.topology_spread_constraints or ():
        if rule.when_unsatisfiable != "ScheduleAnyway":
            yield rule.topology_key, "topologySpreadConstraints[].topologyKey", rule.topology_key


def _keys(affinity: object) -> list[str]:
    """Old keys that a node affinity, of a pod or a volume, asks for; each once."""
    required: NodeSelector | None = getattr(affinity, "required", None)
    terms = required.node_selector_terms or () if required else ()
    rules = (rule for term in terms for rule in term.match_expressions or ())
    return list(dict.fromkeys(rule.key for rule in rules if rule.key in INSTEAD and not guard_avoids(rule.operator)))


def _fate(cluster: Snapshot, key: str) -> str:
    """What becomes of a label: no node has it, the upgrade takes it, it stays for now, or no node was read."""
    removed = LABEL_REMOVED.get(key)
    if not cluster.of(Node):
        return "unknown" if removed else "kept"
    if key not in label_keys(cluster):
        return "gone"
    return "going" if removed and _goes(cluster, removed) else "kept"


def _goes(cluster: Snapshot, removed: Minor) -> bool:
    """Whether the upgrade crosses a version; what nodes still carry after it, somebody else puts there."""
    server, target = server_minor(cluster), target_minor(cluster)
    return bool(server and target and server < removed <= target)


def _finding(cluster: Snapshot, subject: Subject, found: Sequence[Reference]) -> Finding:
    fates = [fate for fate in WEIGHTS if any(one.fate == fate for one in found)]
    severity, confidence = WEIGHTS[fates[0]]
    return Finding(
        subject=subject,
        severity=severity,
        confidence=confidence,
        messages=tuple(Message(fate, _facts(cluster, [one for one in found if one.fate == fate])) for fate in fates),
        evidence=tuple(Evidence(one.place, one.path, one.value, INSTEAD[one.key]) for one in found),
    )


def _facts(cluster: Snapshot, found: Sequence[Reference]) -> Mapping[str, Fact]:
    keys = list(dict.fromkeys(one.key for one in found))
    return {
        "keys": tuple(f"`{key}`" for key in keys),
        "instead": tuple(dict.fromkeys(f"`{INSTEAD[key]}`" for key in keys)),
        "target": str(target_minor(cluster)),
    }


def _of_volumes(volumes: Sequence[PersistentVolume]) -> Finding:
    first = volumes[0]
    path = "spec.nodeAffinity.required"
    keys = tuple(
        f"`{key}`" for key in dict.fromkeys(chain.from_iterable(_keys(one.spec.node_affinity) for one in volumes))
    )
    return Finding(
        subject=Subject.of(first),
        severity=Severity.INFO,
        confidence=Confidence.CONFIG,
        messages=(Message("volumes", {"keys": keys, "count": len(volumes)}),),
        evidence=(Evidence(first.shown, path, ", ".join(_keys(first.spec.node_affinity))),),
        members=tuple(volume.shown for volume in volumes),
    )
