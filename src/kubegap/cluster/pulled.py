"""What containers got under the names of their images. For pairs that read `workloads` and, as `optional`, `v1/nodes`."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from kubegap.cluster.containers import Container, ContainerStatus
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.objects import Pod
from kubegap.cluster.placing import nodes_by_name
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template
from kubegap.cluster.workloads import version_of


class Pulled(Struct, frozen=True):
    """The image of a container of a pod: its name as written, and the id that the runtime tells in the status, at `path`.

    `revision` is the version of the template, `architecture` that of the node; both are empty where nobody says.
    """

    pod: Pod
    path: str
    container: str
    image: str
    image_id: str
    revision: str
    architecture: str


def containers_of(spec: PodSpec) -> Sequence[Container]:
    """All containers that have an image to pull, those that only prepare first."""
    return (*(spec.init_containers or ()), *(spec.containers or ()))


def pulled_by(snapshot: Snapshot, template: Template) -> Iterator[Pulled]:
    """What the pods of a workload got, one pod for all that are alike; nothing if all got the same."""
    # Equal parts of pods are held once (`sharing`), so that few of them have to be looked at.
    statuses = {
        (id(pod.status.init_container_statuses), id(pod.status.container_statuses)): pod for pod in template.pods
    }
    if len({tuple(status.image_id for _, status in _statuses(pod)) for pod in statuses.values()}) < 2:
        return
    for (*_, revision, architecture), pod in {_likeness(snapshot, pod): pod for pod in template.pods}.items():
        images = {container.name: container.image or "" for container in containers_of(pod.spec)}
        for path, status in _statuses(pod):
            image = images.get(status.name, "")
            yield Pulled(pod, path, status.name, image, status.image_id or "", revision, architecture)


def _likeness(snapshot: Snapshot, pod: Pod) -> tuple[int, int, str, str]:
    """What two pods share that got the same and run alike."""
    node = nodes_by_name(snapshot).get(pod.spec.node_name or "")
    architecture = node.status.node_info.architecture if node and node.status.node_info else ""
    return (
        id(pod.status.init_container_statuses),
        id(pod.status.container_statuses),
        version_of(pod) or "",
        architecture,
    )


def _statuses(pod: Pod) -> Iterator[tuple[str, ContainerStatus]]:
    groups = {
        "initContainerStatuses": pod.status.init_container_statuses,
        "containerStatuses": pod.status.container_statuses,
    }
    for group, statuses in groups.items():
        for status in statuses or ():
            if status.image_id:
                yield f"status.{group}[{status.name}].imageID", status
