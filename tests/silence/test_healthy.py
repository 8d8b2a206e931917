"""Healthy clusters at rest give no finding above `info`; the real control plane holds them against the real programs."""

from datetime import UTC, datetime, timedelta

import pytest

from kubegap.checks.model import State
from kubegap.checks.pages import read_pages
from kubegap.checks.run import run
from tests.silence.clusters import CLUSTERS
from tests.silence.judging import noises, unseen
from tests.silence.passing import passing
from tests.silence.small import small
from tests.silence.snapshots import snapshot_of
from tests.silence.standing import stand

LASTING = {
    "node-condition-bad",
    "node-headroom-low",
    "nodes-cordoned-forgotten",
    "pdb-blocks-drain",
    "stuck-terminating",
}
READ_AT = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


def report_of(declared, read_at=READ_AT):
    return run(snapshot_of(stand(declared, READ_AT), read_at), read_pages().values())


@pytest.fixture(scope="module")
def reports():
    return {name: report_of(declare()) for name, declare in CLUSTERS.items()}


@pytest.mark.parametrize("name", CLUSTERS)
def test_nothing_is_found(reports, name):
    assert list(noises(reports[name])) == []


@pytest.mark.parametrize("name", CLUSTERS)
def test_every_check_is_seen(reports, name):
    assert unseen(reports[name]) == []


def test_every_check_has_something_to_judge(reports):
    """Or its silence proves nothing."""
    judged = {result.page.id for report in reports.values() for result in report.results if result.state is State.CLEAR}

    assert set(read_pages()) - judged == set()


def test_what_passes_by_itself_is_not_found():
    assert list(noises(report_of([*small(), *passing(READ_AT)]))) == []


def test_what_should_have_passed_is_found():
    """The same a day later is trouble."""
    later = report_of([*small(), *passing(READ_AT)], READ_AT + timedelta(days=1))

    assert {noise.check for noise in noises(later)} >= LASTING
