"""Healthy clusters at rest give no finding above `info`; the real control plane holds them against the real programs."""

from datetime import UTC, datetime

import pytest

from kubegap.checks.pages import read_pages
from kubegap.checks.run import run
from tests.silence.clusters import CLUSTERS
from tests.silence.judging import noises, unseen
from tests.silence.passing import passing
from tests.silence.small import small
from tests.silence.snapshots import snapshot_of
from tests.silence.standing import stand

READ_AT = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module", params=CLUSTERS)
def report(request):
    things = stand(CLUSTERS[request.param](), READ_AT)
    return run(snapshot_of(things, READ_AT), read_pages().values())


def test_nothing_is_found(report):
    assert list(noises(report)) == []


def test_every_check_is_seen(report):
    assert unseen(report) == []


def test_what_passes_by_itself_is_not_found():
    things = stand([*small(), *passing(READ_AT)], READ_AT)

    assert list(noises(run(snapshot_of(things, READ_AT), read_pages().values()))) == []
