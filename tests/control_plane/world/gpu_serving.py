"""A model server whose update needs GPUs that nobody has, and one whose processes have no memory to share, beside ones that do."""

from tests.control_plane.world.gpu_nodes import TOLERATION, gpu_node
from tests.control_plane.world.room import Gap, Room, image
from tests.silence.objects import HOSTNAME, Thing, container, deployment, memory_volume, namespace, resources


def _serving(name: str, gpus: int, strategy: Thing, *, shares: bool = True, **spec: object) -> Thing:
    volume, mount = memory_volume("16Gi")
    size = resources("16", "64Gi", {"nvidia.com/gpu": str(gpus)})
    one = container(name, image(name), 8000, resources=size, volumeMounts=[mount] if shares else [])
    more = {"tolerations": [TOLERATION], "volumes": [volume] if shares else [], **spec}
    return deployment("models", name, 1, [one], strategy={"type": "RollingUpdate", "rollingUpdate": strategy}, **more)


def _on(node: str) -> Thing:
    return {"nodeSelector": {HOSTNAME: node}}


_SURGE, _GIVE = {"maxSurge": 1, "maxUnavailable": 0}, {"maxSurge": 0, "maxUnavailable": 1}
ROOM = Room(
    things=[
        gpu_node("gpu-full-0", "models"),
        gpu_node("gpu-full-1", "models"),
        namespace("models"),
        _serving("chat", 8, _SURGE, **_on("gpu-full-0")),
        _serving("embed", 8, _GIVE, **_on("gpu-full-1")),
        _serving("vision", 2, _GIVE, shares=False, nodeSelector={"pool": "gpu"}),
        _serving("speech", 2, _GIVE, nodeSelector={"pool": "gpu"}),
    ],
    gaps=[
        Gap("gpu-rollout-needs-surge", "Deployment/models/chat", {"spec.strategy.rollingUpdate.maxUnavailable": "0"}),
        Gap(
            "dev-shm-missing",
            "Deployment/models/vision",
            {"spec.template.spec.containers[vision].volumeMounts[/dev/shm]": None},
        ),
    ],
    look_alikes=[
        ("gpu-rollout-needs-surge", "Deployment/models/embed"),
        ("dev-shm-missing", "Deployment/models/speech"),
    ],
)
