from datetime import timedelta

import pytest

from kubegap.cluster import files, node_troubles
from kubegap.cluster.objects import Node, Pod

AGE = timedelta(minutes=10)


def cluster_of(text):
    return files.decode([("input", text.encode())])


def node_of(conditions="[]", spec="{}"):
    text = f"{{apiVersion: v1, kind: Node, metadata: {{name: a, uid: '1'}}, spec: {spec}, status: {{conditions: {conditions}}}}}"
    return cluster_of(text).of(Node)[0]


def pod_of(metadata="", status="{}", spec="nodeName: a"):
    text = f"""
{{apiVersion: v1, kind: Node, metadata: {{name: a, uid: '1', creationTimestamp: 2026-11-30T09:00:00Z}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: p, {metadata}}}, spec: {{{spec}}}, status: {status}}}
"""
    cluster = cluster_of(text)
    return cluster, cluster.of(Pod)[0]


@pytest.mark.parametrize(
    ("status", "is_bad"), [("True", False), ("False", True), ("Unknown", True)], ids=["ready", "not", "silent"]
)
def test_only_true_is_ready(status, is_bad):
    node = node_of(f"[{{type: Ready, status: '{status}'}}]")

    assert (node_troubles.readiness(node) is not None) is is_bad
    assert node_troubles.is_ready(node) is not is_bad


def test_a_node_of_which_the_kubelet_has_said_nothing_is_not_ready():
    silent = node_of()

    assert not node_troubles.is_ready(silent)
    assert node_troubles.readiness(silent) is None


def test_a_condition_is_bad_by_its_own_polarity():
    said = """[
        {type: KernelDeadlock, status: 'True'}, {type: KernelReady, status: 'True'},
        {type: StorageReady, status: 'False'}, {type: Other, status: 'True'}]"""

    assert [found.type for found in node_troubles.problems(node_of(said))] == ["KernelDeadlock", "StorageReady"]


@pytest.mark.parametrize(
    ("metadata", "status", "spec", "is_stuck"),
    [
        ("deletionTimestamp: 2026-11-30T08:40:00Z", "{}", "nodeName: a", True),
        ("deletionTimestamp: 2026-11-30T08:55:00Z", "{}", "nodeName: a", False),
        ("deletionTimestamp: 2026-11-30T08:40:00Z", "{}", "", False),
        ("deletionTimestamp: 2026-11-30T08:40:00Z", "{phase: Succeeded}", "nodeName: a", False),
        (
            "creationTimestamp: 2026-11-30T08:40:00Z",
            "{containerStatuses: [{name: c, state: {waiting: {reason: ContainerCreating}}}]}",
            "nodeName: a",
            True,
        ),
        (
            "creationTimestamp: 2026-11-30T08:40:00Z",
            "{containerStatuses: [{name: c, state: {waiting: {reason: CrashLoopBackOff}}}]}",
            "nodeName: a",
            False,
        ),
    ],
    ids=[
        "deleted long ago",
        "deleted just now",
        "never placed",
        "ended",
        "still starting",
        "crashing is another matter",
    ],
)
def test_stuck_is_what_neither_starts_nor_stops(metadata, status, spec, is_stuck):
    cluster, pod = pod_of(metadata, status, spec)

    assert node_troubles.is_stuck(cluster, pod, AGE) is is_stuck
