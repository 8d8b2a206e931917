"""A healthy large cluster of a provider: 206 nodes in nine pools, and some forty shapes of workloads over 150 services."""

from __future__ import annotations

from collections.abc import Iterator

from tests.silence import platform
from tests.silence.objects import LARGE, Thing, namespace, node, thing
from tests.silence.shapes import SHAPES, SINGLE

TEAMS = 12
PROVIDER = "aws:///ap-northeast-2{zone}/i-{name}"
KUBELET = "v1.36.2-eks-113cf36"
# How many nodes a pool has, and its taint.
POOLS: dict[str, tuple[int, str | None]] = {
    "system": (6, None),
    "general": (104, None),
    "memory": (12, None),
    "ingress": (6, "ingress"),
    "spot": (36, "spot"),
    "arm": (18, None),
    "gpu": (14, "nvidia.com/gpu"),
    "windows": (8, "os"),
    "virtual": (2, "virtual-kubelet.io/provider"),
}


def large() -> list[Thing]:
    """Nodes first, then what the cluster needs, then every team's share of every shape."""
    pools = [thing("karpenter.sh/v1", "NodePool", name, spec=_pool(name)) for name in ("general", "spot")]
    teams = [namespace(f"team-{number}") for number in range(TEAMS)]
    return [*_nodes(), *pools, *platform.platform(16, 6), *platform.large_cluster(), *teams, *_workloads()]


def _pool(name: str) -> Thing:
    wanted = {
        "key": "karpenter.sh/capacity-type",
        "operator": "In",
        "values": ["spot" if name == "spot" else "on-demand"],
    }
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}
    return {"limits": {"cpu": "10000"}, "template": {"spec": {"requirements": [wanted], "nodeClassRef": reference}}}


def _nodes() -> Iterator[Thing]:
    for pool, (count, taint) in POOLS.items():
        for number in range(count):
            yield _node(pool, f"{pool}-{number}", "abc"[number % 3], taint)


def _node(pool: str, name: str, zone: str, taint: str | None) -> Thing:
    kind = "spot" if pool == "spot" else "on-demand"
    labels = {"pool": pool, "karpenter.sh/capacity-type": kind, "eks.amazonaws.com/nodegroup": pool}
    labels |= {"kubernetes.io/arch": "arm64"} if pool == "arm" else {}
    labels |= {"kubernetes.io/os": "windows"} if pool == "windows" else {}
    labels |= {"type": "virtual-kubelet"} if pool == "virtual" else {}
    labels |= {"nvidia.com/gpu.product": "NVIDIA-L4", "nvidia.com/gpu.count": "4"} if pool == "gpu" else {}
    more = {"labels": labels, "provider": PROVIDER.format(zone=zone, name=name)}
    more |= {"taints": [{"key": taint, "value": "present", "effect": "NoSchedule"}]} if taint else {}
    more |= {"holds": {"nvidia.com/gpu": "4"}} if pool == "gpu" else {}
    made = node(name, f"ap-northeast-2{zone}", LARGE, **more)
    known = {
        "operatingSystem": labels.get("kubernetes.io/os", "linux"),
        "architecture": labels.get("kubernetes.io/arch", "amd64"),
    }
    made["status"]["nodeInfo"] = {"kubeletVersion": KUBELET, **known}
    return made


def _workloads() -> Iterator[Thing]:
    """Shapes that serve stand several times in every other team, those of one kind once."""
    for number, (name, shape) in enumerate(SHAPES.items()):
        for team in range(number % 2, TEAMS, 2):
            yield from shape(f"team-{team}", name)
    for number, (name, shape) in enumerate(SINGLE.items()):
        yield from shape(f"team-{number % TEAMS}", name)
