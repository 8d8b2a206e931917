"""What kubeadm, k3s, EKS, GKE and AKS install gives no finding above `info`, but for gaps of the defaults themselves."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from kubegap.checks.pages import read_pages
from kubegap.checks.run import run
from tests.silence.judging import noises, unseen
from tests.silence.snapshots import snapshot_of
from tests.silence.standing import stand

HERE = Path(__file__).parent
FIXTURES = {path.stem: path for path in sorted((HERE / "defaults").glob("*.yaml"))}
ALLOWED = yaml.safe_load((HERE / "allowed.yaml").read_text())
READ_AT = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="module", params=FIXTURES)
def fixture(request):
    declared = list(yaml.safe_load_all(FIXTURES[request.param].read_text()))
    report = run(snapshot_of(stand(declared, READ_AT), READ_AT), read_pages().values())
    return request.param, report


def test_the_provider_is_known(fixture):
    name, report = fixture

    assert report.snapshot.provider == (None if name == "kubeadm" else name)


def test_every_check_is_seen(fixture):
    _, report = fixture

    assert unseen(report) == []


def test_only_what_is_listed_is_found(fixture):
    name, report = fixture
    allowed = {(check, subject) for check, subjects in ALLOWED.get(name, {}).items() for subject in subjects}
    found = {(noise.check, noise.subject): noise.sentence for noise in noises(report)}

    assert {key: said for key, said in found.items() if key not in allowed} == {}
    assert allowed - set(found) == set()


def test_the_list_names_only_fixtures_that_exist():
    assert set(ALLOWED) <= set(FIXTURES)
    assert all(reason for checks in ALLOWED.values() for subjects in checks.values() for reason in subjects.values())
