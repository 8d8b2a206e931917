"""CronJobs and their Jobs: whose they are, how long runs took, and how many pods one may make."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.cluster.test_templates import decode, pod, thing

from kubegap.cluster.cron_runs import evidence, has_failures, maker_of, may_overlap, most_pods, pods_of, runs_of, took
from kubegap.cluster.kinds.batch import CronJob, Job

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CRON = ("batch/v1", "CronJob", "c")


def at(hour):
    return f"2026-01-01T{hour:02}:00:00Z"


def cronjob(owner=None, status=None, **spec):
    return thing("batch/v1", "CronJob", "c", {"schedule": "0 * * * *", **spec}, owner, status=status or {})


def run(name="r", spec=None, owner=CRON, **status):
    return thing("batch/v1", "Job", name, spec or {}, owner, status=status)


def only(*objects):
    snapshot = decode(*objects).as_of(NOON)
    return snapshot, snapshot.of(Job)[0]


def test_runs_belong_to_their_cronjob():
    snapshot = decode(cronjob(), run("r"), run("other", owner=("batch/v1", "CronJob", "d")), run("none", owner=None))

    assert [one.name for one in runs_of(snapshot, snapshot.of(CronJob)[0])] == ["r"]


@pytest.mark.parametrize(
    ("owner", "maker"), [(None, "CronJob/a/c"), (("x.io/v1", "PostgresCluster", "p"), "PostgresCluster/a/p")]
)
def test_who_made_it(owner, maker):
    assert maker_of(decode(cronjob(owner)).of(CronJob)[0]).shown == maker


@pytest.mark.parametrize(("policy", "may"), [(None, True), ("Allow", True), ("Forbid", False), ("Replace", False)])
def test_runs_may_overlap_where_nobody_says_otherwise(policy, may):
    assert may_overlap(decode(cronjob(concurrencyPolicy=policy)).of(CronJob)[0]) is may


FAILED = {"type": "Failed", "status": "True"}


@pytest.mark.parametrize(
    ("job", "hours"),
    [
        (run(startTime=at(9)), 3),
        (run(startTime=at(9), completionTime=at(10), conditions=[{"type": "Complete", "status": "True"}]), 1),
        (run(startTime=at(9), conditions=[{**FAILED, "lastTransitionTime": at(11)}]), 2),
        (run(startTime=at(9), conditions=[FAILED]), None),
        (run(), None),
        (run(spec={"suspend": True}, startTime=at(9)), None),
    ],
)
def test_how_long_a_run_took(job, hours):
    assert took(*only(job)) == (hours and timedelta(hours=hours))


def test_failures_are_of_pods_or_of_the_whole():
    assert [has_failures(only(one)[1]) for one in (run(), run(failed=1), run(conditions=[FAILED]))] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("spec", "most"),
    [
        ({}, 7),
        ({"backoffLimit": 3}, 4),
        ({"backoffLimit": 0, "completions": 5, "parallelism": 2}, 5),
        ({"backoffLimit": 1, "parallelism": 4}, 5),
        ({"completions": 3, "backoffLimitPerIndex": 1}, 6),
        ({"completions": 3, "backoffLimitPerIndex": 1, "backoffLimit": 2147483647}, 6),
        ({"completions": 3, "backoffLimitPerIndex": 1, "backoffLimit": 2}, 5),
        ({"podFailurePolicy": {"rules": [{"action": "FailJob"}, {"action": "Ignore"}]}}, None),
        ({"podFailurePolicy": {"rules": [{"action": "Count"}]}}, 7),
    ],
)
def test_how_many_pods_a_run_may_make(spec, most):
    assert most_pods(only(run(spec=spec))[1]) == most


def test_evidence_shows_the_run_with_too_many_pods_and_not_a_longer_one():
    owner = ("batch/v1", "Job", "loop")
    pods = [pod(name, owner) for name in "pq"]
    loop = run("loop", {"backoffLimit": 0}, startTime=at(11))
    snapshot = decode(cronjob(status={"active": [{"name": "loop"}]}), run("long", startTime=at(1)), loop, *pods)
    seen = {(one.object, one.path): one.value for one in evidence(snapshot.as_of(NOON), snapshot.of(CronJob)[0])}

    assert seen["CronJob/a/c", "status.active"] == "1"
    assert seen["Job/a/loop", "pods"] == "2"
    assert not any(shown == "Job/a/long" for shown, _ in seen)
    assert [one.name for one in pods_of(snapshot, snapshot.of(Job)[1])] == ["p", "q"]
