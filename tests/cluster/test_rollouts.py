"""How many pods a rollout adds and lacks, by the rules of the Deployment controller."""

import pytest

from kubegap.cluster.kinds.apps import Deployment, DeploymentSpec, RollingUpdate, UpdateStrategy
from kubegap.cluster.rollouts import added_by, missed_by, rolling_update_of


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
