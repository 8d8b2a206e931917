"""Every kind that checks can read, by its path, found by walking `kinds`; and the names that stand for several at once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules

from kubegap.cluster import kinds
from kubegap.cluster.objects import KubernetesObject, Resource
from kubegap.text import Text

for _module in iter_modules(kinds.__path__):
    import_module(f"{kinds.__name__}.{_module.name}")


def _leaves(kind: type[KubernetesObject]) -> Sequence[type[KubernetesObject]]:
    """The kinds below one: those that the API serves."""
    below = kind.__subclasses__()
    return [leaf for child in below for leaf in _leaves(child)] if below else [kind]


RESOURCES: Mapping[str, type[KubernetesObject]] = {kind.resource.path: kind for kind in _leaves(KubernetesObject)}
_KIND_COUNTS = Counter(kind.resource.kind for kind in RESOURCES.values())
GROUPS: Mapping[str, tuple[str, ...]] = {
    name: tuple(sorted(path for path, kind in RESOURCES.items() if name in kind.groups))
    for name in sorted({name for kind in RESOURCES.values() for name in kind.groups})
}
GROUP_NAMES: Mapping[str, Text] = {
    "workloads": Text(ko="워크로드", en="workloads"),
    "training": Text(ko="학습 워크로드", en="training workloads"),
}


def name_of(resource: Resource) -> str:
    """The kind as people should read it: Volcano's Job is `Job.batch.volcano.sh`, where Kubernetes has a Job of its own.

    A family of metrics is called as the API server calls it.
    """
    if resource.is_metric:
        return resource.plural
    is_ambiguous = _KIND_COUNTS[resource.kind] > 1 and "." in resource.group
    return f"{resource.kind}.{resource.group}" if is_ambiguous else resource.kind


def paths_of(name: str) -> tuple[str, ...]:
    """The paths that a name in a page of a check stands for: those of a group, or the one path that it is."""
    return GROUPS.get(name, (name,))
