"""A default priority above what runs, batch in the system's own rank and a policy engine without any, beside ones in their place."""

from tests.control_plane.world.room import Gap, Room
from tests.silence.objects import RUNS, Thing, budget, container, deployment, job, job_spec, namespace, priority_class

_SYSTEM = "system-cluster-critical"
_DIGEST = "@sha256:" + "0123456789abcdef" * 4


def _work(name: str, priority: str) -> Thing:
    one = container(name, f"registry.example.com/{name}{_DIGEST}")
    return job("reports", name, job_spec([one], labels=RUNS, priorityClassName=priority), active=1)


def _engine(name: str, **spec: object) -> list[Thing]:
    one = container(name, f"ghcr.io/kyverno/{name}{_DIGEST}")
    return [deployment("policy", name, 2, [one], **spec), budget("policy", name, {"app": name})]


ROOM = Room(
    things=[
        priority_class("serving", 100_000),
        priority_class("batch", 100, preemptionPolicy="Never"),
        namespace("reports"),
        _work("nightly", _SYSTEM),
        _work("weekly", "batch"),
        namespace("policy"),
        *_engine("kyverno"),
        *_engine("reports-controller", priorityClassName="serving"),
    ],
    gaps=[
        Gap("priority-class-gap", "PriorityClass/-/everybody", {"globalDefault": "true", "value": "1000"}),
        Gap("priority-class-gap", "Job/reports/nightly", {"spec.template.spec.priorityClassName": _SYSTEM}),
        Gap("priority-class-gap", "Deployment/policy/kyverno", {"spec.template.spec.priorityClassName": None}),
    ],
    look_alikes=[
        ("priority-class-gap", "PriorityClass/-/serving"),
        ("priority-class-gap", "Job/reports/weekly"),
        ("priority-class-gap", "Deployment/policy/reports-controller"),
    ],
    # Whatever were made after it would have its rank.
    last=[priority_class("everybody", 1_000, globalDefault=True)],
)
