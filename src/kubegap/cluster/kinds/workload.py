"""What all kinds that make pods have in common."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec import Struct

from kubegap.cluster.fields import Condition, PodTemplate
from kubegap.cluster.objects import KubernetesObject


class Part(Struct, frozen=True):
    """Pods of a workload that are made alike.

    `role` tells the parts of one workload apart and is empty where there is only one; `path` is where the template's
    pod spec stands in the object, `replicas` how many pods are wanted: None where the nodes or nobody say.
    """

    role: str
    path: str
    template: PodTemplate
    replicas: int | None


class Workload(KubernetesObject, frozen=True):
    """A kind that makes pods."""

    groups: ClassVar[tuple[str, ...]] = ("workloads",)
    # Whether its pods run to an end instead of serving.
    is_batch: ClassVar[bool] = False
    # Whether its templates only count where the workloads that it makes of them were not read.
    stands_in: ClassVar[bool] = False

    @property
    def is_suspended(self) -> bool:
        """Whether its owner wants no pods of it for now."""
        return False

    @property
    def has_ended(self) -> bool:
        """Whether it ran to its end, well or not, and makes no more pods."""
        return False

    def parts(self) -> Iterator[Part]:
        """Its pod templates."""
        raise NotImplementedError


class TrainingWorkload(Workload, frozen=True):
    """A kind that training runs in."""

    groups = ("workloads", "training")
    is_batch = True


def is_true(conditions: Iterable[Condition] | None, *kinds: str) -> bool:
    """Whether a condition of one of the types holds."""
    return any(found.type in kinds and found.status == "True" for found in conditions or ())


def wanted(replicas: int | None) -> int:
    """Replicas that nobody wrote down are one, in every API that has the field."""
    return 1 if replicas is None else replicas
