"""CronJobs and what they started: their Jobs, how long those took, and how many pods they made.

For pairs that read `batch/v1/cronjobs`, `batch/v1/jobs` and `v1/pods`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from kubegap.cluster.evidence import Evidence, Subject
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.batch import RETRIES, CronJob, Job
from kubegap.cluster.kinds.workload import is_true
from kubegap.cluster.objects import Pod
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import condition, controller_of, workloads


def maker_of(cronjob: CronJob) -> Subject:
    """What an operator made the CronJob from, or itself."""
    owner = controller_of(cronjob)
    return Subject(owner.api_version, owner.kind, cronjob.namespace, owner.name) if owner else Subject.of(cronjob)


def may_overlap(cronjob: CronJob) -> bool:
    """Whether a run starts although an earlier one has not ended; so it is where nothing is said."""
    return cronjob.spec.concurrency_policy in {None, "Allow"}


def runs_of(snapshot: Snapshot, cronjob: CronJob) -> Sequence[Job]:
    """The Jobs of a CronJob that are still there, over or not."""
    return _runs(snapshot).get((cronjob.namespace, cronjob.name), ())


def pods_of(snapshot: Snapshot, run: Job) -> Sequence[Pod]:
    """All pods of a Job, those that ended among them."""
    return workloads(snapshot).get(Subject.of(run), ())


def took(snapshot: Snapshot, run: Job) -> timedelta | None:
    """How long a Job ran, or has been running; None while it waits in a queue."""
    failed = condition(run.status.conditions, "Failed")
    end = run.status.completion_time or (failed.last_transition_time if failed else None)
    start = run.status.start_time
    if start is None or run.is_suspended or (run.has_ended and end is None):
        return None
    return end - start if end else snapshot.time_since(start)


def has_failures(run: Job) -> bool:
    """Whether a Job, or a pod of it, failed."""
    return bool(run.status.failed) or is_true(run.status.conditions, "Failed")


def most_pods(run: Job) -> int | None:
    """How many pods a Job may make in all by its own limits: those that complete, and those that fail.

    None where a rule has failures ignored: each of these makes another pod and counts towards no limit.
    """
    spec = run.spec
    if spec.pod_failure_policy.ignoring:
        return None
    wanted = max(spec.completions or 1, spec.pods_at_once)
    if spec.backoff_limit_per_index is None:
        return wanted + (RETRIES if spec.backoff_limit is None else spec.backoff_limit)
    each = wanted * spec.backoff_limit_per_index
    return wanted + (each if spec.backoff_limit is None else min(each, spec.backoff_limit))


def made_of_most(snapshot: Snapshot, run: Job) -> float:
    """The pods of a Job as a share of the most that it may make, so above 1 are too many; 0 where there is no such limit."""
    most = most_pods(run)
    return len(pods_of(snapshot, run)) / most if most else 0


def evidence(snapshot: Snapshot, cronjob: CronJob) -> Iterator[Evidence]:
    """What runs now, when a CronJob last started and succeeded, its worst run, and how it is bounded."""
    spec, status, shown = cronjob.spec, cronjob.status, cronjob.shown
    runs = sorted(runs_of(snapshot, cronjob), key=lambda one: _weight(snapshot, one))[-1:]
    for run in runs:
        if made_of_most(snapshot, run) > 1:
            yield Evidence(run.shown, "pods", str(len(pods_of(snapshot, run))), f"<= {most_pods(run)}")
    yield Evidence(shown, "status.active", str(len(status.active or ())), "<= 1")
    yield Evidence(shown, "status.lastScheduleTime", _written(status.last_schedule_time))
    yield Evidence(shown, "status.lastSuccessfulTime", _written(status.last_successful_time))
    for run in runs:
        yield Evidence(run.shown, "status.startTime", _written(run.status.start_time))
        yield Evidence(run.shown, "status.failed", str(run.status.failed or 0))
    yield Evidence(shown, "spec.schedule", spec.schedule)
    yield Evidence(shown, "spec.concurrencyPolicy", spec.concurrency_policy, "Forbid")
    deadline = spec.job_template.spec.active_deadline_seconds
    yield Evidence(shown, "spec.jobTemplate.spec.activeDeadlineSeconds", None if deadline is None else str(deadline))
    limits = ("successful", spec.successful_jobs_history_limit), ("failed", spec.failed_jobs_history_limit)
    yield from (Evidence(shown, f"spec.{sort}JobsHistoryLimit", str(limit)) for sort, limit in limits if limit)


def _written(time: datetime | None) -> str | None:
    return time.isoformat() if time else None


def _weight(snapshot: Snapshot, run: Job) -> tuple[bool, timedelta]:
    """Runs with too many pods before all others, then those that took longest."""
    return made_of_most(snapshot, run) > 1, took(snapshot, run) or timedelta()


@indexed
def _runs(snapshot: Snapshot) -> Mapping[tuple[str | None, str], list[Job]]:
    found: dict[tuple[str | None, str], list[Job]] = defaultdict(list)
    for job in snapshot.of(Job):
        owner = controller_of(job)
        if owner and owner.kind == CronJob.resource.kind:
            found[job.namespace, owner.name].append(job)
    return found
