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
