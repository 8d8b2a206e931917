"""Pools of nodes that Karpenter makes. Source: `sigs.k8s.io/karpenter` `pkg/apis/v1` at 1.8."""

from msgspec import Struct

from kubegap.cluster.containers import Quantity
from kubegap.cluster.fields import Condition
from kubegap.cluster.objects import KubernetesObject, Resource


class NodePoolSpec(Struct, frozen=True):
    """The most that its nodes may have together; None is no limit."""

    limits: dict[str, Quantity] | None = None


class NodePoolStatus(Struct, frozen=True):
    """What its nodes have together."""

    resources: dict[str, Quantity] | None = None
    conditions: list[Condition] | None = None


class NodePool(KubernetesObject, frozen=True):
    """Nodes that Karpenter adds when pods wait."""

    resource = Resource("karpenter.sh", "v1", "nodepools", "NodePool", namespaced=False, also=("v1beta1",))

    spec: NodePoolSpec = NodePoolSpec()
    status: NodePoolStatus = NodePoolStatus()
