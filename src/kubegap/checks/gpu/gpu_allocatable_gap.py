"""GPU nodes that offer fewer GPUs than they have, than their label says, or than their peers offer."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct

from kubegap.checks.model import Answer, Confidence, Evidence, Finding, Message, Severity, State, Subject
from kubegap.cluster import gpus
from kubegap.cluster.objects import Node
from kubegap.cluster.placing import is_cordoned
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import is_younger

MIN_PEERS = 3
CRITICAL_SHARE = 0.05


class Gap(Struct, frozen=True):
    """A node, the message for how its gap was seen, and the GPUs (or parts of them) that it offers and should offer."""

    node: Node
    key: str
    offers: int
    hoped: int
    is_known: bool


def find(cluster: Snapshot, booting: timedelta) -> Iterator[Finding | Answer]:
    """One finding for each node; what its pool lost as a whole makes it worse."""
    if guard_no_gpus(cluster):
        yield Answer(State.NOT_APPLICABLE, Message("no-gpus"))
    for pool in gpus.pools(cluster).values():
        gaps = [gap for node in pool if (gap := _gap(cluster, node, booting))]
        lost = sum(gap.hoped - gap.offers for gap in gaps if not gap.is_known)
        whole = lost + sum(map(gpus.offered, pool))
        yield from (_finding(gap, is_large=lost >= whole * CRITICAL_SHARE) for gap in gaps)


def guard_no_gpus(cluster: Snapshot) -> bool:
    """No node has GPUs or is labelled as if it had."""
    return not gpus.pools(cluster)


def guard_booting(cluster: Snapshot, node: Node, booting: timedelta) -> bool:
    """A new node first installs its driver and then registers its GPUs."""
    return is_younger(node, booting, cluster)


def guard_upgrading(node: Node) -> bool:
    """The GPU Operator is changing the driver; one that failed, or waits for its turn, is no excuse."""
    return gpus.is_driver_changing(node)


def guard_out_of_service(node: Node) -> bool:
    """Somebody cordoned the node and so knows about it."""
    return is_cordoned(node)


def guard_mig(node: Node) -> bool:
    """The node offers parts of GPUs under their own names, so whole ones are rightly fewer than its label says."""
    return gpus.offers_mig(node)


def guard_virtual_machines(node: Node) -> bool:
    """The GPUs are for virtual machines and are offered under other names."""
    return node.labels.get(gpus.WORKLOAD_CONFIG) in {"vm-passthrough", "vm-vgpu"}


def guard_claimable(cluster: Snapshot, node: Node) -> bool:
    """The GPUs are offered through dynamic resource allocation and not as a resource of the node."""
    return node.name in gpus.nodes_with_claimable_devices(cluster) and not gpus.accelerators(node.status.capacity)


def guard_few_peers(peers: Counter[int]) -> bool:
    """Too few nodes to say what is usual."""
    return peers.total() < MIN_PEERS


def _gap(cluster: Snapshot, node: Node, booting: timedelta) -> Gap | None:
    if guard_booting(cluster, node, booting) or guard_upgrading(node):
        return None
    offers, has = gpus.offered(node), sum(gpus.accelerators(node.status.capacity).values())
    hopes = {"unhealthy": has, "below-label": _labelled(cluster, node), "below-peers": _usual(cluster, node)}
    key = next((key for key, hoped in hopes.items() if hoped > offers), None)
    if key is None:
        return None
    hoped = max(hopes.values())
    return Gap(node, key if offers or key == "below-peers" else "none", offers, hoped, guard_out_of_service(node))


def _labelled(cluster: Snapshot, node: Node) -> int:
    """GPUs by the label, or 0 where the label does not say what to offer."""
    excused = guard_mig(node) or guard_virtual_machines(node) or guard_claimable(cluster, node)
    return 0 if excused else gpus.expected_by_label(node)


def _usual(cluster: Snapshot, node: Node) -> int:
    """What most Ready peers offer, or 0 where there are too few."""
    peers = gpus.offers_of_peers(cluster, node)
    return 0 if not peers or guard_few_peers(peers) else peers.most_common(1)[0][0]


def _finding(gap: Gap, *, is_large: bool) -> Finding:
    notes = [*(["mig-stuck"] if gpus.is_mig_stuck(gap.node) else []), *(["cordoned"] if gap.is_known else [])]
    facts = {"offers": gap.offers, "hoped": gap.hoped, "lost": gap.hoped - gap.offers}
    severity = Severity.CRITICAL if is_large else Severity.HIGH
    return Finding(
        subject=Subject.of(gap.node),
        severity=Severity.INFO if gap.is_known else severity,
        confidence=Confidence.HEURISTIC if gap.key == "below-peers" else Confidence.OBSERVED,
        messages=tuple(Message(key, facts) for key in [gap.key, *notes]),
        evidence=tuple(_evidence(gap)),
    )


def _evidence(gap: Gap) -> Iterator[Evidence]:
    status, name = gap.node.status, gap.node.shown
    for resource, has in gpus.accelerators(status.capacity).items():
        offers = gpus.accelerators(status.allocatable).get(resource, 0)
        yield Evidence(name, f'status.allocatable["{resource}"]', str(offers), str(has))
    for label in (gpus.COUNT, gpus.REPLICAS, gpus.MIG_STATE):
        if label in gap.node.labels:
            yield Evidence(name, f'metadata.labels["{label}"]', gap.node.labels[label])
    if gap.key == "below-peers":
        yield Evidence(name, "gpus-of-peers", str(gap.hoped))
