"""Healthy clusters on the real control plane: no finding above `info`, live, from a snapshot and from what kubectl prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kubegap.checks.pages import read_pages
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import access
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import ReadState
from tests.control_plane.conftest import Kubegap, as_kubectl_says
from tests.control_plane.plane import running
from tests.control_plane.putting_up import put_up
from tests.silence.clusters import CLUSTERS

SEEN = {"found", "clear", "not-applicable", "not-visible"}


@pytest.fixture(scope="module", params=CLUSTERS)
def kubegap(request, library, tmp_path_factory):
    with running(tmp_path_factory.mktemp(request.param), is_hasty=True) as plane:
        put_up(plane, CLUSTERS[request.param]())
        yield Kubegap(plane, library)


def noises(report):
    return {
        (finding["check"], finding["id"].partition("/")[2]): (finding["severity"], finding["message"]["en"])
        for finding in report["findings"]
        if finding["severity"] != "info"
    }


def unseen(report):
    return {one["check"]: (one["state"], one["reason"]) for one in report["checks"] if one["state"] not in SEEN}


def test_nothing_is_found_live_and_every_check_is_seen(kubegap):
    report = kubegap.report("reader")

    assert noises(report) == {}
    assert unseen(report) == {}
    assert not report["coverage"]["partial"]


def test_nothing_is_found_in_a_saved_snapshot(kubegap, tmp_path):
    path = str(tmp_path / "s")
    assert kubegap("reader", "snapshot", "save", path).returncode == 0

    report = kubegap.report("reader", "--snapshot", path)

    assert noises(report) == {}
    assert unseen(report) == {}


def test_nothing_is_found_in_what_kubectl_prints(kubegap, tmp_path):
    printed = tmp_path / "all.yaml"
    printed.write_bytes(kubectl_get(kubegap.plane))

    report = kubegap.report("reader", "-f", str(printed))

    assert noises(report) == {}


def kubectl_get(plane):
    """Everything that the checks read and the server has."""
    read = collect(access(plane.kubeconfig("reader"), None, {}), RESOURCES)
    there = {path for path, coverage in read.coverage.items() if coverage.state is ReadState.READ}
    kinds = sorted({path for page in read_pages().values() for path in page.paths} & there)
    kubectl = Path(sys.executable).parent / "kubectl"
    names = ",".join(as_kubectl_says(kind) for kind in kinds)
    command = [kubectl, "--kubeconfig", plane.kubeconfig("admin"), "get", names, "-A", "-o", "yaml"]
    return subprocess.run(
        command, capture_output=True, check=True, env={**os.environ, "HOME": str(plane.folder)}
    ).stdout
