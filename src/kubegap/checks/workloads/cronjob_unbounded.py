"""CronJobs that pile up, go on for ever, fail every time, or do not run at all."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from kubegap.checks.model import Confidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.cron_runs import evidence, has_failures, made_of_most, maker_of, may_overlap, runs_of, took
from kubegap.cluster.kinds.batch import CronJob, Job
from kubegap.cluster.providers import is_owned_by_provider
from kubegap.cluster.schedules import NEVER, longest_wait
from kubegap.cluster.snapshot import Snapshot

# The messages of the page, worst first: how bad each is and how sure.
WEIGHTS: Mapping[str, tuple[Severity, Confidence]] = {
    "loop": (Severity.HIGH, Confidence.OBSERVED),
    "flood": (Severity.HIGH, Confidence.OBSERVED),
    "piling": (Severity.MEDIUM, Confidence.OBSERVED),
    "collides": (Severity.MEDIUM, Confidence.OBSERVED),
    "endless": (Severity.MEDIUM, Confidence.OBSERVED),
    "fails": (Severity.MEDIUM, Confidence.OBSERVED),
    "missed": (Severity.MEDIUM, Confidence.OBSERVED),
    "overlaps": (Severity.LOW, Confidence.OBSERVED),
    "unbounded": (Severity.LOW, Confidence.CONFIG),
    "history": (Severity.LOW, Confidence.CONFIG),
    "never": (Severity.LOW, Confidence.CONFIG),
    "unreadable": (Severity.INFO, Confidence.HEURISTIC),
}
FLOOD, PILE, PERIODS, MANY = 10, 3, 3, 20
# Stands for the period of a schedule without one.
LONG = timedelta(days=36_500)


def find(cluster: Snapshot, lasting: timedelta, frequent: timedelta) -> Iterator[Finding]:
    """One finding for each CronJob, or for what an operator made several from."""
    found: dict[Subject, list[tuple[str, CronJob]]] = defaultdict(list)
    for cronjob in cluster.of(CronJob):
        if not guard_suspended(cronjob):
            told = _told(cluster, cronjob, lasting, frequent)
            found[maker_of(cronjob)] += ((key, cronjob) for key in told)
    yield from (_finding(cluster, subject, told) for subject, told in found.items() if told)


def guard_suspended(cronjob: CronJob) -> bool:
    """Its owner wants no runs of it for now."""
    return cronjob.is_suspended


def guard_queued(run: Job) -> bool:
    """The run waits in a queue and has no pods."""
    return run.is_suspended


def guard_deadline(run: Job) -> bool:
    """A deadline ends the run, however long it takes."""
    return run.spec.active_deadline_seconds is not None


def guard_new(cluster: Snapshot, cronjob: CronJob, patience: timedelta) -> bool:
    """It was made less than a few periods ago, or nobody knows when: its time may not have come."""
    made = cluster.time_since(cronjob.metadata.creation_timestamp)
    return made is None or made < patience


def guard_swept(cronjob: CronJob) -> bool:
    """Runs are deleted once they are over, perhaps before anybody noted that they succeeded."""
    return cronjob.spec.job_template.spec.ttl_seconds_after_finished is not None


def guard_keeps_up(cluster: Snapshot, cronjob: CronJob, patience: timedelta) -> bool:
    """It succeeded, or was made, a moment ago, and no two runs are there at once."""
    last = cronjob.status.last_successful_time or cronjob.metadata.creation_timestamp
    return cluster.is_recent(last, patience) and len(cronjob.status.active or ()) < 2


def guard_provider_owned(cluster: Snapshot, cronjob: CronJob) -> bool:
    """The provider installed it and would put it back."""
    return is_owned_by_provider(cronjob, cluster.provider)


def _told(cluster: Snapshot, cronjob: CronJob, lasting: timedelta, frequent: timedelta) -> list[str]:
    """What speaks against a CronJob: its runs, its times, or nothing but its limits."""
    wait = longest_wait(cronjob.spec.schedule)
    runs, period = runs_of(cluster, cronjob), min(wait or LONG, LONG)
    patience, spec = max(PERIODS * period, lasting), cronjob.spec
    told = list(_of_runs(cluster, cronjob, runs, period, patience)) or list(_of_times(cluster, cronjob, runs, patience))
    is_open = may_overlap(cronjob) and spec.job_template.spec.active_deadline_seconds is None
    if is_open and period <= frequent and not told and not guard_keeps_up(cluster, cronjob, patience):
        told.append("unbounded")
    if max(spec.successful_jobs_history_limit or 0, spec.failed_jobs_history_limit or 0) > MANY:
        told.append("history")
    if wait is None or wait == NEVER:
        told.append("never" if wait else "unreadable")
    return told


def _of_runs(
    cluster: Snapshot, cronjob: CronJob, runs: Sequence[Job], period: timedelta, patience: timedelta
) -> Iterator[str]:
    """Whether a run makes pods without end, and the worst of how many there are and how long they take."""
    if any(made_of_most(cluster, run) >= 2 for run in runs):
        yield "loop"
    active = len(cronjob.status.active or ()) - sum(map(guard_queued, runs))
    if active >= PILE:
        yield "flood" if active >= FLOOD else "piling"
    elif may_overlap(cronjob) and any((took(cluster, run) or timedelta()) > period for run in runs):
        yield "collides" if any(map(has_failures, runs)) else "overlaps"
    elif any(_is_late(cluster, run, patience) and not guard_deadline(run) for run in runs):
        yield "endless"


def _is_late(cluster: Snapshot, run: Job, patience: timedelta) -> bool:
    return not run.has_ended and (took(cluster, run) or timedelta()) >= patience


def _of_times(cluster: Snapshot, cronjob: CronJob, runs: Sequence[Job], patience: timedelta) -> Iterator[str]:
    """Whether it has not started, or not succeeded, for some periods."""
    status = cronjob.status
    if _is_long_ago(cluster, cronjob, status.last_schedule_time, patience) and not status.active:
        yield "missed"
    elif _is_long_ago(cluster, cronjob, status.last_successful_time, patience):
        is_silent = not (runs or status.active or guard_swept(cronjob))
        yield from ["fails"] if is_silent or any(map(has_failures, runs)) else []


def _is_long_ago(cluster: Snapshot, cronjob: CronJob, time: datetime | None, patience: timedelta) -> bool:
    """Whether something has not happened for a while, or never in the life of the CronJob."""
    past = cluster.time_since(time)
    return not guard_new(cluster, cronjob, patience) if past is None else past >= patience


def _finding(cluster: Snapshot, subject: Subject, told: Sequence[tuple[str, CronJob]]) -> Finding:
    """By the worst of what is told; words and evidence are about the CronJob in which it was seen."""
    told = sorted(told, key=lambda one: list(WEIGHTS).index(one[0]))
    (worst, cronjob), *_ = told
    severity, confidence = WEIGHTS[worst]
    is_owned = guard_provider_owned(cluster, cronjob)
    keys = [*(key for key, one in told if one is cronjob), *(["provider-owned"] if is_owned else [])]
    active = len(cronjob.status.active or ())
    facts: dict[str, Fact] = {"name": cronjob.name, "active": active, "schedule": cronjob.spec.schedule}
    return Finding(
        subject=subject,
        severity=Severity.INFO if is_owned else severity,
        confidence=confidence,
        messages=tuple(Message(key, facts) for key in keys),
        evidence=tuple(evidence(cluster, cronjob)),
        members=tuple(dict.fromkeys(one.shown for _, one in told if subject.kind != one.resource.kind)),
    )
