"""How much memory the processes of a container can share through `/dev/shm`, in bytes.

Source: `moby/moby` `daemon/config` (`DefaultShmSize`) and `containerd/containerd` `pkg/oci/mounts.go`, both 64 MiB in 2026.
"""

from kubegap.cluster.containers import Container
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.quantities import amount

PLACE = "/dev/shm"  # noqa: S108 - a place in containers, no file of ours
DEFAULT = 64 << 20
BOUNDLESS = float("inf")


def size_of(spec: PodSpec, container: Container) -> float:
    """The default without a volume there; without bound where the volume has no limit or shares that of the node.

    A volume that is more than an empty directory counts as without bound.
    """
    names = {mount.name for mount in container.volume_mounts or () if mount.mount_path.rstrip("/") == PLACE}
    if not names:
        return DEFAULT
    volumes = (volume.empty_dir for volume in spec.volumes or () if volume.name in names and volume.empty_dir)
    limits = (volume.size_limit for volume in volumes if volume.size_limit is not None)
    return min((amount("memory", limit) for limit in limits), default=BOUNDLESS)
