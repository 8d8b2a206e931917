"""A CronJob whose Jobs pile up, beside one that waits for its last Job and one that is suspended."""

from tests.control_plane.plane import Plane
from tests.control_plane.world.room import Gap, Room, image
from tests.silence.objects import RUNS, Thing, container, cron_job, job, job_spec, namespace, owned_by

_PLACE = "clock"


def _work(name: str) -> Thing:
    return job_spec([container(name, image(name))], labels=dict(RUNS))


_PILING = cron_job(_PLACE, "reindex", "0 4 * * *", _work("reindex"), concurrencyPolicy="Allow")
del _PILING["spec"]["startingDeadlineSeconds"]
_JOBS = [f"reindex-{number}" for number in range(3)]


def _afterwards(plane: Plane) -> None:
    """The controller counts only the Jobs that it made itself, so its word is given for it."""
    listed = {
        one["metadata"]["name"]: one["metadata"] for one in plane.list(f"/apis/batch/v1/namespaces/{_PLACE}/jobs")
    }
    active = [
        {"apiVersion": "batch/v1", "kind": "Job", "namespace": _PLACE, "name": name, "uid": listed[name]["uid"]}
        for name in _JOBS
    ]
    path = f"/apis/batch/v1/namespaces/{_PLACE}/cronjobs/reindex/status"
    plane.request("PATCH", path, {"status": {"active": active}}, **{"Content-Type": "application/merge-patch+json"})


ROOM = Room(
    things=[
        namespace(_PLACE),
        _PILING,
        *(owned_by(_PILING, job(_PLACE, name, _work("reindex"))) for name in _JOBS),
        cron_job(_PLACE, "backup", "0 4 * * *", _work("backup")),
        cron_job(_PLACE, "archive", "0 4 * * *", _work("archive"), concurrencyPolicy="Allow", suspend=True),
    ],
    gaps=[Gap("cronjob-unbounded", f"CronJob/{_PLACE}/reindex", {})],
    look_alikes=[("cronjob-unbounded", f"CronJob/{_PLACE}/{name}") for name in ("backup", "archive")],
    afterwards=_afterwards,
)  # fmt: skip
