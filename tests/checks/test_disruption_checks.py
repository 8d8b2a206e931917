"""The three checks on budgets and single pods share the field: one workload is told by the one whose cure it needs."""

from itertools import combinations

import pytest
from tests.checks.test_check_cases import PAGES, cluster_of

from kubegap.checks.run import run
from kubegap.cluster import files

THREE = [PAGES[check] for check in ("critical-singleton", "pdb-blocks-drain", "pdb-missing")]
CASES = [(page, case) for page in THREE for case in page.cases]

TOGETHER = """
{apiVersion: v1, kind: Node, metadata: {name: a, uid: "1"}}
---
{apiVersion: v1, kind: Node, metadata: {name: b}}
---
{apiVersion: v1, kind: Service, metadata: {name: held, namespace: x}, spec: {type: LoadBalancer, selector: {app: held}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: held, namespace: x}
spec: {replicas: 1, template: {metadata: {labels: {app: held}}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: held, namespace: x}
spec: {minAvailable: 1, selector: {matchLabels: {app: held}}}
---
{apiVersion: v1, kind: Service, metadata: {name: lone, namespace: x}, spec: {type: LoadBalancer, selector: {app: lone}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: lone, namespace: x}
spec: {replicas: 1, template: {metadata: {labels: {app: lone}}}}
---
{apiVersion: v1, kind: Service, metadata: {name: many, namespace: x}, spec: {type: LoadBalancer, selector: {app: many}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: many, namespace: x}
spec: {replicas: 3, template: {metadata: {labels: {app: many}}}}
"""


def told_of(snapshot):
    """The names that each check speaks of, with the pods behind them."""
    results = run(snapshot, THREE).results
    return [
        {(found.subject.namespace, name) for found in one.findings for name in (found.subject.name, *found.members)}
        for one in results
    ]


@pytest.mark.parametrize(("page", "case"), CASES, ids=[f"{page.id}: {case.tells.en}" for page, case in CASES])
def test_no_workload_is_told_twice(page, case):
    assert all(one.isdisjoint(other) for one, other in combinations(told_of(cluster_of(page, case)), 2))


def test_each_workload_is_told_by_the_check_whose_cure_it_needs():
    snapshot = files.decode([("together", TOGETHER.encode())])

    assert told_of(snapshot) == [{("x", "lone")}, {("x", "held")}, {("x", "many")}]


AUTOSCALED = """
{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 8}
"""


def test_manifests_may_leave_the_number_of_replicas_to_an_autoscaler():
    assert told_of(files.decode([("chart", AUTOSCALED.encode())])) == [set(), set(), {("default", "web")}]
