"""How many pods a rollout adds and lacks, by the rules of the Deployment controller."""

import pytest
from tests.cluster.test_templates import decode, pod, template, thing

from kubegap.cluster.kinds.apps import Deployment, DeploymentSpec, RollingUpdate, UpdateStrategy
from kubegap.cluster.rollouts import added_by, deadlocked, missed_by, rolling_update_of


def deployment(replicas=None, strategy=None):
    return Deployment(spec=DeploymentSpec(replicas=replicas, strategy=strategy))


def rolling(surge=None, missed=None):
    return UpdateStrategy("RollingUpdate", RollingUpdate(surge, missed))


@pytest.mark.parametrize(
    ("made", "added", "missed"),
    [
        (deployment(), 1, 0),
        (deployment(3), 1, 0),
        (deployment(4), 1, 1),
        (deployment(5, rolling("25%", "25%")), 2, 1),
        (deployment(0), 0, 1),
        (deployment(2, rolling(0, 1)), 0, 1),
        (deployment(2, rolling(1, 0)), 1, 0),
        (deployment(2, rolling(0, "10%")), 0, 1),
        (deployment(2, rolling("nonsense", 0)), 0, 1),
        (deployment(2, UpdateStrategy("Recreate")), 0, 2),
        (deployment(2, UpdateStrategy("RollingUpdate")), 1, 0),
    ],
)
def test_shares_are_rounded_as_the_controller_does(made, added, missed):
    assert (added_by(made), missed_by(made)) == (added, missed)


def test_what_nobody_wrote_is_empty():
    assert rolling_update_of(deployment()) == RollingUpdate()


def held(kind, label, owner):
    """A workload of which a pod of the new version waits for the GPU of the old one."""
    strategy = {"strategy": {"rollingUpdate": {"maxUnavailable": 0}}}
    waits = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
    waits["message"] = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."
    old, new = (pod(name, (*owner[:2], owner[2].format(name)), {label: name}) for name in ("old", "new"))
    old["spec"]["nodeName"] = "n"
    new["status"] = {"phase": "Pending", "conditions": [waits]}
    return decode(thing("apps/v1", kind, "w", {"template": template(), **strategy}), old, new)


def test_pods_of_a_new_version_wait_for_the_old_only_where_both_stand_at_once():
    beside = held("Deployment", "pod-template-hash", ("apps/v1", "ReplicaSet", "w-{}"))
    after = held("StatefulSet", "controller-revision-hash", ("apps/v1", "StatefulSet", "w"))

    assert [one.shown for one in deadlocked(beside)] == ["Deployment/a/w"]
    assert deadlocked(after) == {}
