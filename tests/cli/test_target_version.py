"""`kubegap check --target-version`: where the upgrade goes, over a live cluster, a saved one and files."""

import json

import pytest

from kubegap.cluster.kinds.extension import APIService
from kubegap.cluster.kinds.metric import RequestedDeprecatedAPI
from tests.cli.test_live_commands import cluster  # noqa: F401, a fixture

LABELS = {"group": "resource.k8s.io", "version": "v1beta2", "resource": "deviceclasses", "removed_release": "1.39"}
CHECK = ("check", "--select", "deprecated-api-requested")


@pytest.fixture
def old(cluster):  # noqa: F811
    """A server of 1.37 that was asked for what 1.39 removes."""
    cluster.api.add(
        APIService, {"metadata": {"name": "v1beta2.resource.k8s.io"}}, {"metadata": {"name": "v1.resource.k8s.io"}}
    )
    cluster.api.add(RequestedDeprecatedAPI, {"metadata": {"name": "x", "labels": LABELS}})
    return cluster


def told(answer):
    report = json.loads(answer.stdout)
    return report["cluster"]["target_version"], [finding["severity"] for finding in report["findings"]]


def test_by_default_the_upgrade_goes_to_the_next_minor(old):
    answer = old.run(*CHECK, "--format", "json")

    assert told(answer) == ("1.38", ["info"])
    assert answer.returncode == 0


@pytest.mark.parametrize("version", ["1.39", "v1.39", "1.39.4"])
def test_a_version_further_on_makes_it_pressing(old, version):
    answer = old.run(*CHECK, "--format", "json", "--target-version", version)

    assert told(answer) == ("1.39", ["high"])
    assert answer.returncode == 1


def test_a_saved_cluster_takes_it_too(old, tmp_path):
    old.run("snapshot", "save", str(tmp_path / "s"))

    assert told(old.run(*CHECK, "--format", "json", "--snapshot", str(tmp_path / "s"))) == ("1.38", ["info"])
    answer = old.run(*CHECK, "--format", "json", "--snapshot", str(tmp_path / "s"), "--target-version", "1.39")
    assert told(answer) == ("1.39", ["high"])


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_head_of_the_report_says_it(old, lang):
    words = {"ko": "1.39 업그레이드 기준", "en": "for an upgrade to 1.39"}

    head = old.run(*CHECK, "--lang", lang, "--target-version", "1.39").stdout.decode().partition("\n\n")[0]
    usual = old.run(*CHECK, "--lang", lang).stdout.decode().partition("\n\n")[0]

    assert words[lang] in " ".join(head.split())
    assert "1.38" not in usual


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("version", ["", "latest", "2.0", "1", "1.", "1.380", "1.38-rc.1", "1.38 ", "-1.38", "1.3x"])
def test_what_is_no_version_is_said_before_anything_is_read(old, lang, version):
    answer = old.run("check", f"--target-version={version}", "--lang", lang)

    assert answer.returncode == 2
    assert answer.stdout == b""
    assert f"`{version}`" in answer.stderr.decode()
    assert "--target-version 1.38" in answer.stderr.decode()
    assert old.api.asked == []


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_there_is_no_way_back(old, lang):
    answer = old.run("check", "--target-version", "1.36", "--lang", lang)

    assert answer.returncode == 2
    assert "1.36" in answer.stderr.decode()
    assert "1.37" in answer.stderr.decode()
    assert len(answer.stderr.decode().splitlines()) == 1


def test_the_version_of_today_is_a_version(old):
    assert told(old.run(*CHECK, "--format", "json", "--target-version", "1.37")) == ("1.37", [])


MANIFESTS = b"""
{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: web, namespace: shop}}
---
{apiVersion: resource.k8s.io/v1beta2, kind: DeviceClass, metadata: {name: gpu}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}
"""


@pytest.mark.parametrize(
    ("version", "severities"),
    [
        (None, {"PodDisruptionBudget": "medium", "DeviceClass": "medium"}),
        ("1.24", {"PodDisruptionBudget": "info"}),
        ("1.38", {"PodDisruptionBudget": "high", "DeviceClass": "info"}),
        ("1.39", {"PodDisruptionBudget": "high", "DeviceClass": "high"}),
    ],
)
def test_manifests_in_versions_that_go_away_are_found(old, version, severities, tmp_path):
    file = tmp_path / "rendered.yaml"
    file.write_bytes(MANIFESTS)

    answer = old.run(*CHECK, "--format", "json", "-f", str(file), *(["--target-version", version] if version else []))
    report = json.loads(answer.stdout)

    assert {finding["subject"]["kind"]: finding["severity"] for finding in report["findings"]} == severities
    assert old.api.asked == []


def test_a_dump_says_nothing_of_who_writes_in_which_version(old, tmp_path):
    file = tmp_path / "dump.yaml"
    file.write_bytes(MANIFESTS.replace(b"name: web,", b"name: web, uid: x,"))

    assert told(old.run(*CHECK, "--format", "json", "-f", str(file)))[1] == []
