"""Training that one failure ends, once for every kind that runs it, beside the same that survives it.

The look-alikes are the gangs of `tests.silence.training`, with pods as their operators make them; each gap is one of these
without what lets it go on. Definitions are the projects' own, where their modules carry them.
"""

import copy
from collections.abc import Callable

from tests.control_plane.world.gpu_nodes import gpu_node
from tests.control_plane.world.room import Gap, Room
from tests.silence.objects import Thing, namespace, owned_by
from tests.silence.serving import serving
from tests.silence.training import LAB, training

_SOUND = {
    (one["kind"], one["apiVersion"].partition("/")[0], one["metadata"]["name"]): one
    for one in (*training(), *serving())
}
_KUBEFLOW = "kubeflow.org"
_GROUPS = "LeaderWorkerSet", "leaderworkerset.x-k8s.io", "deepseek"


def _alike(kind: str, group: str, name: str, place: str) -> Thing:
    """The same in another namespace, on its own."""
    made = copy.deepcopy(_SOUND[kind, group, name])
    made["metadata"] |= {"namespace": place}
    made["metadata"].pop("ownerReferences", None)
    return made


def _without(kind: str, group: str, name: str, spoil: Callable[[Thing], object]) -> Thing:
    """The like of a sound one, with its specification spoilt."""
    made = _alike(kind, group, name, "fragile")
    made["metadata"]["name"] = f"{name}-once"
    spoil(made["spec"])
    return made


def _never(roles: str) -> Callable[[Thing], object]:
    def spoil(spec: Thing) -> None:
        for role in spec[roles].values():
            role["restartPolicy"] = "Never"

    return spoil


def _dropped(field: str) -> Callable[[Thing], object]:
    return lambda spec: spec.pop(field)


def _set_to(field: str, value: object) -> Callable[[Thing], object]:
    return lambda spec: spec.update({field: value})


def _job_sets() -> list[Thing]:
    """One that people made, and one that Kubeflow Trainer made of a TrainJob."""
    owner = _without("TrainJob", "trainer.kubeflow.org", "mistral", lambda _: None)
    made = _without("JobSet", "jobset.x-k8s.io", "mistral", _dropped("failurePolicy"))
    return [_without("JobSet", "jobset.x-k8s.io", "llama", _dropped("failurePolicy")), owner, owned_by(owner, made)]


def _once(kind: str, name: str, path: str, value: str | None) -> Gap:
    return Gap("train-failure-policy-gap", f"{kind}/fragile/{name}-once", {path: value})


_GAPS = [
    _once("PyTorchJob", "bert", "spec.pytorchReplicaSpecs.Master.restartPolicy", "Never"),
    _once("MPIJob", "horovod", "spec.mpiReplicaSpecs.Launcher.restartPolicy", "Never"),
    _once("RayJob", "tune", "spec.backoffLimit", "0"),
    _once("Job", "gnn", "spec.policies", None),
    _once("Job", "finetune", "spec.backoffLimit", "0"),
    _once("LeaderWorkerSet", "deepseek", "spec.leaderWorkerTemplate.restartPolicy", "None"),
    _once("JobSet", "llama", "spec.failurePolicy", None),
    _once("TrainJob", "mistral", "spec.failurePolicy", None),
]
ROOM = Room(
    things=[
        *(gpu_node(f"train-{number}", "train") for number in range(18)),
        *training(),
        namespace("fragile"),
        _without("PyTorchJob", _KUBEFLOW, "bert", _never("pytorchReplicaSpecs")),
        _without("MPIJob", _KUBEFLOW, "horovod", _never("mpiReplicaSpecs")),
        _without("RayJob", "ray.io", "tune", _set_to("backoffLimit", 0)),
        _without("Job", "batch.volcano.sh", "gnn", _dropped("policies")),
        _without("Job", "batch", "finetune", _set_to("backoffLimit", 0)),
        _without(*_GROUPS, lambda spec: spec["leaderWorkerTemplate"].update(restartPolicy="None")),
        _alike(*_GROUPS, LAB),
        *_job_sets(),
    ],
    gaps=_GAPS,
    look_alikes=[(gap.check, gap.subject.replace("fragile", LAB).removesuffix("-once")) for gap in _GAPS],
)
