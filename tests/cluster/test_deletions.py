"""What is being deleted: what it waits for, who still uses it, and what it holds."""

import pytest
from tests.cluster.test_surroundings import wide
from tests.cluster.test_templates import decode, pod, thing

from kubegap.cluster.deletions import evidence, holds_volume, leaving, pods_with, remaining
from kubegap.cluster.kinds.storage import PersistentVolumeClaim
from kubegap.cluster.objects import Namespace, Pod
from kubegap.cluster.workloads import is_staying

SINCE = "2026-01-01T00:00:00Z"


def going(object_, *finalizers):
    object_["metadata"] |= {"deletionTimestamp": SINCE, "finalizers": [*finalizers]}
    return object_


def mounting(name, claim="data", node="n", phase="Running"):
    found = pod(name, phase=phase)
    found["spec"] |= {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": claim}}], "nodeName": node}
    return found


def claim(*modes, name="data"):
    return thing("v1", "PersistentVolumeClaim", name, {"accessModes": [*modes]})


def test_only_what_is_being_deleted_leaves():
    snapshot = decode(pod("a"), going(pod("b")))

    assert [one.name for one in leaving(snapshot, Pod)] == ["b"]
    assert [is_staying(one) for one in snapshot.of(Pod)] == [True, False]
    assert not is_staying(decode(pod("c", phase="Succeeded")).of(Pod)[0])


def test_a_namespace_waits_for_what_its_conditions_hold_true():
    conditions = [
        {"type": "NamespaceContentRemaining", "status": "True", "message": "pods. has 1 resource instances"},
        {"type": "NamespaceFinalizersRemaining", "status": "False"},
        {"type": "Other", "status": "True"},
    ]
    [found] = decode(going(wide("v1", "Namespace", "n", status={"conditions": conditions}), "a/b")).of(Namespace)

    assert [one.type for one in remaining(found)] == ["NamespaceContentRemaining"]
    assert [(one.path, one.value) for one in evidence(found)] == [
        ("metadata.deletionTimestamp", "2026-01-01T00:00:00+00:00"),
        ("metadata.finalizers", "a/b"),
        ("status.conditions[NamespaceContentRemaining]", "True: pods. has 1 resource instances"),
    ]


def test_pods_on_nodes_use_a_claim_also_when_they_ended():
    pods = [mounting("a"), mounting("b", phase="Succeeded"), mounting("c", node=None), mounting("d", "other")]
    snapshot = decode(going(claim("ReadWriteOnce")), *pods)

    assert [one.name for one in pods_with(snapshot, snapshot.of(PersistentVolumeClaim)[0])] == ["a", "b"]


@pytest.mark.parametrize(
    ("modes", "holds"),
    [
        (["ReadWriteOnce"], True),
        (["ReadWriteOncePod"], True),
        (["ReadWriteOnce", "ReadWriteMany"], False),
        (["ReadWriteMany"], False),
        ([], False),
    ],
)
def test_a_volume_is_held_where_one_node_alone_can_use_it(modes, holds):
    snapshot = decode(claim(*modes), mounting("a"))

    assert holds_volume(snapshot, snapshot.of(Pod)[0]) is holds
    assert [one.path for one in evidence(snapshot.of(Pod)[0])] == ["metadata.deletionTimestamp", "spec.nodeName"]
