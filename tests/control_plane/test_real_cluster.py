"""kubegap against a real API server: finds what was planted, reads only, and never passes what it may not see."""

import gzip
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import access
from kubegap.cluster.objects import Pod
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import ReadState
from kubegap.cluster.templates import templates
from kubegap.cluster.transport import ALLOWED, Limits
from tests.control_plane.asking import found, visible
from tests.control_plane.plane import OWN, USERS
from tests.control_plane.world import CANARY, GAPS


def test_the_report_says_which_cluster_it_was(kubegap, plane):
    about = kubegap.report("reader")["cluster"]

    assert about["version"] == "v1.37.2"
    assert about["read_at_from"] == "server"
    assert about["uid"] == plane.request("GET", "/api/v1/namespaces/kube-system")["metadata"]["uid"]


def test_the_server_saw_only_get_and_list_of_what_is_allowed(kubegap, plane, tmp_path):
    kubegap("reader", "check")
    kubegap("reader", "snapshot", "save", str(tmp_path / "s"))
    kubegap("nobody", "check")
    kubegap("lacks-pods", "check")

    events = [event for user in USERS[1:] for event in plane.audited(user)]

    assert len(events) > 20
    assert {event["verb"] for event in events} <= {"get", "list"}
    assert {urlsplit(event["requestURI"]).path for event in events} <= ALLOWED
    assert not any("secrets" in json.dumps(event) for event in events)
    assert {key for event in events for key in parse_qs(urlsplit(event["requestURI"]).query)} <= {"limit", "continue"}
    assert all(event["userAgent"].startswith("kubegap") for event in events)


def test_requests_are_counted_as_the_server_counts_them(kubegap, plane):
    before = len(plane.audited("reader"))

    report = kubegap.report("reader")

    assert report["coverage"]["requests"] == len(plane.audited("reader")) - before
    assert report["coverage"]["requests"] <= 60


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_no_canary_comes_out(kubegap, tmp_path, lang):
    answers = [
        kubegap("reader", "check", "--lang", lang),
        kubegap("reader", "check", "--verbose", "--lang", lang),
        kubegap("reader", "check", "--format", "json"),
        kubegap("reader", "snapshot", "save", str(tmp_path / "s")),
        kubegap("reader", "check", "--snapshot", str(tmp_path / "s")),
        kubegap("nobody", "check", "--lang", lang),
    ]
    said = [part for answer in answers for part in (answer.stdout, answer.stderr)]

    # What died before it said anything would be free of them too.
    assert [answer.returncode for answer in answers] == [1, 1, 1, 0, 1, 3]
    assert not any(CANARY.encode() in part for part in [*said, gzip.decompress((tmp_path / "s").read_bytes())])


def test_no_canary_of_a_dump_comes_out(kubegap, dump):
    text = dump("json")
    assert CANARY.encode() in text

    for arguments in ([], ["--verbose"], ["--format", "json"]):
        answer = kubegap("reader", "check", "-f", "-", *arguments, stdin=text)
        assert answer.returncode == 1, answer.stderr
        assert CANARY.encode() not in answer.stdout + answer.stderr


def test_nobody_gets_one_page_and_its_role_is_enough(kubegap, plane):
    answer = kubegap("nobody", "check")
    text = answer.stdout.decode()

    assert answer.returncode == 3
    assert answer.stderr == b""
    assert "`nobody`" in text

    role = yaml.safe_load(text[text.index("apiVersion") :])
    role["metadata"]["name"] = "granted"
    plane.create(role)
    subject = {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "granted"}
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role["metadata"]["name"]}
    binding = {"apiVersion": role["apiVersion"], "kind": "ClusterRoleBinding", "metadata": {"name": "granted"}}
    plane.create({**binding, "roleRef": reference, "subjects": [subject]})

    assert found(kubegap.report("granted")) == GAPS


def test_pages_of_the_real_server_are_put_together(plane):
    way = access(plane.kubeconfig("reader"), None, {})

    small = collect(way, [Pod.resource.path], Limits(page=3))
    large = collect(way, [Pod.resource.path])

    assert small.objects == large.objects
    assert small.coverage[Pod.resource.path].state is ReadState.READ
    assert small.source.requests > large.source.requests


def test_the_certificate_of_the_server_is_known(plane):
    source = collect(access(plane.kubeconfig("reader"), None, {}), [Pod.resource.path]).source

    assert source.certificate.not_before < source.read_at < source.certificate.not_after


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_table_shows_every_gap_on_one_screen(kubegap, lang):
    text = kubegap("reader", "check", "--lang", lang).stdout.decode()

    # One line for each gap, and seven besides: thirty lines hold 23 gaps.
    assert len(text.splitlines()) <= len({check for check, _ in GAPS}) + 7
    assert visible(text) == {check for check, _ in GAPS}


def test_a_token_that_nobody_knows_is_one_line(kubegap, plane, tmp_path):
    wrong = tmp_path / "wrong"
    wrong.write_text(Path(plane.kubeconfig("reader")).read_text().replace("token: reader", "token: wrong"))

    answer = kubegap("reader", "check", "--kubeconfig", str(wrong))

    assert answer.returncode == 2
    assert b"401" in answer.stderr
    assert answer.stderr.count(b"\n") == 1


def test_every_kind_that_kubernetes_has_is_read_whole(plane):
    snapshot = collect(access(plane.kubeconfig("reader"), None, {}), RESOURCES)

    assert {path for path in OWN if snapshot.coverage[path].state is not ReadState.READ} == set()
    assert {coverage.state for coverage in snapshot.coverage.values()} == {ReadState.READ, ReadState.NOT_SERVED}
    assert snapshot.unread == ()
    carts = [found for found in templates(snapshot) if found.subject.shown == "Deployment/shop/cart"]
    assert [(found.replicas, len(found.pods), found.is_batch) for found in carts] == [(4, 4, False)]
