"""Healthy clusters on the real control plane: no finding above `info`, live, from a snapshot and from what kubectl prints."""

import pytest

from kubegap.cluster.resources import RESOURCES
from tests.control_plane.asking import Kubegap
from tests.control_plane.asking import printed as kubectl_printed
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
    printed.write_bytes(kubectl_printed(kubegap.plane, "yaml"))
    kinds = kubegap.report("reader")["coverage"]["kinds"]
    empty = {kind["kind"] for kind in kinds if kind["state"] in {"read", "not-served"} and not kind["objects"]}

    report = kubegap.report("reader", "-f", str(printed))

    assert noises(report) == {}
    # A dump that has none of a kind may as well have left it out, and none holds metrics: that, and nothing else, may go unseen.
    empty |= {kind.resource.plural for kind in RESOURCES.values() if kind.resource.is_metric}
    for check, (state, reason) in unseen(report).items():
        missing, said, _ = reason["en"].partition(": not in this input")
        assert (state, bool(said)) == ("not-seen", True), check
        assert set(missing.split(", ")) <= empty, check
