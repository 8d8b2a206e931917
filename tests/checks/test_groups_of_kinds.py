"""A pair that reads workloads as a group answers for manifests, dumps and live clusters alike."""

import json

import pytest
from msgspec import structs

from kubegap.checks.model import Confidence, Finding, Message, Severity, State
from kubegap.checks.run import run
from kubegap.cluster import files
from kubegap.cluster.gpu_workloads import gpu_workloads
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import templates

DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "d", "namespace": "a"},
    "spec": {"template": {"spec": {"containers": [{"name": "c"}]}}},
}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}, "spec": {}}


def find(cluster):
    for template in templates(cluster):
        yield Finding(template.subject, Severity.LOW, Confidence.CONFIG, (Message("down", {"backend": "b"}),), ())
    assert gpu_workloads(cluster) == []


@pytest.fixture
def page(pages):
    whole = pages["webhook-fail-closed-wide"]
    reads = [structs.replace(whole.reads[0], resource="workloads", optional=False)]
    return structs.replace(whole, reads=reads, subjects=["workloads"])


def result_of(page, *objects):
    data = [(str(number), json.dumps(one).encode()) for number, one in enumerate(objects)]
    return run(files.decode(data), [page], find=lambda _: find).results[0]


def stored(thing):
    return {**thing, "metadata": {**thing["metadata"], "uid": "u"}}


@pytest.mark.parametrize(
    ("objects", "subjects"),
    [
        ([DEPLOYMENT], ["Deployment/a/d"]),
        ([stored(DEPLOYMENT)], ["Deployment/a/d"]),
        ([stored(POD)], ["Pod/a/p"]),
        ([stored(DEPLOYMENT), stored(POD)], ["Deployment/a/d", "Pod/a/p"]),
    ],
)
def test_whatever_kind_a_file_holds_is_judged(page, objects, subjects):
    result = result_of(page, *objects)

    assert (result.state, result.cause) == (State.FOUND, None)
    assert [finding.subject.shown for finding in result.findings] == subjects


def test_a_file_without_any_workload_is_not_clear(page):
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "n"}}

    assert result_of(page, namespace).state is State.NOT_IN_THIS_INPUT
    assert result_of(page, stored(namespace)).state is State.NOT_SEEN


def test_the_questions_ask_only_for_kinds_of_the_group(page, monkeypatch):
    asked, of = set(), Snapshot.of
    monkeypatch.setattr(Snapshot, "of", lambda self, kind: asked.add(kind.resource.path) or of(self, kind))

    result_of(page, DEPLOYMENT)

    assert (
        asked - page.paths == {"resource.k8s.io/v1/resourceclaims", "resource.k8s.io/v1/resourceclaimtemplates"} & asked
    )
