"""Kinds that set rules for pods: priorities, limits, autoscaling.

Source: `k8s.io/api` (`scheduling/v1`, `core/v1`, `autoscaling/v2`) at Kubernetes 1.37.
"""

from msgspec import Struct

from kubegap.cluster.containers import Quantity
from kubegap.cluster.objects import KubernetesObject, Resource


class PriorityClass(KubernetesObject, frozen=True, rename="camel"):
    """A name for a priority; `global_default` gives it to pods that name none."""

    resource = Resource("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", namespaced=False)

    value: int = 0
    global_default: bool | None = None
    preemption_policy: str | None = None


class Limit(Struct, frozen=True, rename="camel"):
    """What containers or pods of a namespace get where they say nothing."""

    type: str = ""
    default: dict[str, Quantity] | None = None
    default_request: dict[str, Quantity] | None = None


class LimitRangeSpec(Struct, frozen=True):
    """The limits by type."""

    limits: list[Limit] | None = None


class LimitRange(KubernetesObject, frozen=True):
    """Defaults that the API server writes into new pods of a namespace."""

    resource = Resource("", "v1", "limitranges", "LimitRange", namespaced=True)

    spec: LimitRangeSpec = LimitRangeSpec()


class ScaleTarget(Struct, frozen=True, rename="camel"):
    """The workload that is scaled."""

    api_version: str = ""
    kind: str = ""
    name: str = ""


class HorizontalPodAutoscalerSpec(Struct, frozen=True, rename="camel"):
    """What is scaled, and to how few at least."""

    scale_target_ref: ScaleTarget = ScaleTarget()
    min_replicas: int | None = None


class HorizontalPodAutoscaler(KubernetesObject, frozen=True):
    """Replicas by demand."""

    resource = Resource("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", namespaced=True)

    spec: HorizontalPodAutoscalerSpec = HorizontalPodAutoscalerSpec()
