"""Evidence is a field as it stands in the object, and the value that it has there."""

import json

import pytest

from kubegap.checks.pages import finder, read_pages
from kubegap.cluster import files

PAGES = read_pages()
CORDON = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": "2026-11-01T00:00:00Z"}


def node(name="n", labels=None, annotations=None, conditions=(), **spec):
    seen = {"type": "Ready", "status": "True", "lastHeartbeatTime": "2026-11-30T09:00:00Z"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": labels or {}, "annotations": annotations or {}},
        "spec": spec,
        "status": {"conditions": [seen, *conditions]},
    }


def found_in(check, *things):
    page = PAGES[check]
    cluster = files.decode([("cluster", json.dumps({"apiVersion": "v1", "kind": "List", "items": things}).encode())])
    return list(finder(page)(cluster, **page.waits))


def seen_in(check, *things):
    """All evidence of all findings, as (object, path, value)."""
    return {(one.object, one.path, one.value) for found in found_in(check, *things) for one in found.evidence}


@pytest.mark.parametrize("place", ["labels", "annotations"])
def test_the_mark_of_a_holder_is_shown_where_it_stands(place):
    mark = {"k8saas.nvidia.com/cordon-by": "NVSentinel"}

    seen = seen_in("nodes-cordoned-forgotten", node(unschedulable=True, taints=[CORDON], **{place: mark}))

    assert ("Node/n", f'metadata.{place}["k8saas.nvidia.com/cordon-by"]', "NVSentinel") in seen


def pod(name, labels, statuses=(), **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "kube-system", "labels": labels},
        "spec": {"containers": [{"name": "main"}], **spec},
        "status": {"phase": "Running", "containerStatuses": list(statuses)},
    }


def budget(**status):
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "b", "namespace": "kube-system"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "a"}}},
        "status": {"expectedPods": 1, **status},
    }


@pytest.mark.parametrize(
    ("spec", "path", "value"),
    [
        ({"unschedulable": True}, "spec.unschedulable", "true"),
        (
            {"taints": [{"key": "karpenter.sh/disrupted", "effect": "NoSchedule"}]},
            "spec.taints[karpenter.sh/disrupted].effect",
            "NoSchedule",
        ),
    ],
)
def test_what_shows_that_a_node_is_to_be_emptied_is_on_the_node(spec, path, value):
    seen = seen_in("pdb-blocks-drain", node(**spec), pod("p", {"app": "a"}, nodeName="n"), budget())

    assert {one[1:] for one in seen if one[0] == "Node/n"} == {(path, value)}


def dns(*pods):
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "kube-dns", "namespace": "kube-system", "labels": {"k8s-app": "kube-dns"}},
        "spec": {"clusterIP": "10.96.0.10", "selector": {"k8s-app": "kube-dns"}, "ports": [{"port": 53}]},
    }
    slices = {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {"name": "s", "namespace": "kube-system", "labels": {"kubernetes.io/service-name": "kube-dns"}},
        "endpoints": [],
    }
    return [node("a"), node("b"), service, slices, *pods]


KILLED = {"terminated": {"reason": "OOMKilled", "exitCode": 137}}


@pytest.mark.parametrize(
    ("states", "field"),
    [
        ({"state": KILLED}, "state"),
        ({"lastState": KILLED}, "lastState"),
        ({"state": KILLED, "lastState": KILLED}, "state"),
    ],
)
def test_a_pod_that_was_killed_is_counted_once_and_shown_where_it_says_so(states, field):
    killed = pod("coredns-1", {"k8s-app": "kube-dns"}, [{"name": "coredns", **states}])

    (found,) = found_in("dns-capacity-ratio", *dns(killed))

    assert found.messages[0].facts["killed"] == 1
    shown = [(one.path, one.value) for one in found.evidence if one.path.startswith("status.")]
    assert shown == [(f"status.containerStatuses[coredns].{field}.terminated.reason", "OOMKilled")]


@pytest.mark.parametrize(
    ("asked", "path", "value"),
    [
        ({"nodeSelector": {"cloud.google.com/gke-spot": "true"}}, 'nodeSelector["cloud.google.com/gke-spot"]', "true"),
        (
            {"tolerations": [{"key": "kubernetes.azure.com/scalesetpriority", "value": "spot"}]},
            "tolerations[kubernetes.azure.com/scalesetpriority].value",
            "spot",
        ),
    ],
)
def test_the_wish_for_spot_nodes_is_shown_where_it_is_written(asked, path, value):
    worker = {"restartPolicy": "Never", "containers": [{"name": "w", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "sweep", "namespace": "ml"},
        "spec": {"parallelism": 2, "template": {"spec": {**worker, **asked}}},
    }

    assert ("Job/ml/sweep", f"spec.template.spec.{path}", value) in seen_in("train-failure-policy-gap", job)
