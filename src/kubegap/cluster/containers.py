"""The parts of a container, the volumes it may mount, and how it is, with only the fields that checks read.

Its environment, command and arguments have no place here, so nothing can carry them about.
"""

from datetime import datetime

from msgspec import Struct, field

# As the API writes quantities; manifests also write bare numbers. The rules are in `quantities`.
Quantity = str | int | float


class ResourceRequirements(Struct, frozen=True):
    """What a container or pod asks for, and the most that it may use."""

    requests: dict[str, Quantity] | None = None
    limits: dict[str, Quantity] | None = None


class ContainerPort(Struct, frozen=True, rename="camel"):
    """A port that a container says it listens on; Services name it by number or name."""

    name: str | None = None
    container_port: int = 0
    host_port: int | None = None


class Probe(Struct, frozen=True, rename="camel"):
    """That there is a probe, of whatever sort."""


class VolumeMount(Struct, frozen=True, rename="camel"):
    """Where a volume of the pod stands in a container."""

    name: str = ""
    mount_path: str = ""


class Container(Struct, frozen=True, rename="camel"):
    """A container; an init container whose `restart_policy` is `Always` is a sidecar that goes on running."""

    name: str = ""
    image: str | None = None
    image_pull_policy: str | None = None
    restart_policy: str | None = None
    resources: ResourceRequirements | None = None
    ports: list[ContainerPort] | None = None
    readiness_probe: Probe | None = None
    volume_mounts: list[VolumeMount] | None = None


class Waiting(Struct, frozen=True):
    """Why a container does not run: `CrashLoopBackOff`, `ImagePullBackOff`."""

    reason: str | None = None


class Terminated(Struct, frozen=True, rename="camel"):
    """How a container ended: `OOMKilled`, its exit code (135 and 139 are bus error and segmentation fault), and when."""

    reason: str | None = None
    exit_code: int | None = None
    finished_at: datetime | None = None


class ContainerState(Struct, frozen=True):
    """What holds a container up or ended it; both None while it runs."""

    waiting: Waiting | None = None
    terminated: Terminated | None = None


class ContainerStatus(Struct, frozen=True, rename="camel"):
    """How a container is; `image_id` names by digest what `image` was when it was pulled."""

    name: str = ""
    ready: bool | None = None
    restart_count: int | None = None
    image: str | None = None
    image_id: str | None = field(default=None, name="imageID")
    state: ContainerState | None = None
    last_state: ContainerState | None = None


class VolumeClaimSource(Struct, frozen=True, rename="camel"):
    """The claim behind a volume."""

    claim_name: str = ""


class EmptyDir(Struct, frozen=True, rename="camel"):
    """A volume that lives as long as the pod."""

    size_limit: Quantity | None = None


class Volume(Struct, frozen=True, rename="camel"):
    """A volume of a pod; only whether it is a claim or an empty directory, and which."""

    persistent_volume_claim: VolumeClaimSource | None = None
    name: str = ""
    empty_dir: EmptyDir | None = None
