"""What becomes of workloads while nodes are emptied: their budgets, who leans on them, who moves them, whose they are."""

import pytest
from tests.cluster.test_templates import decode, pod, template, thing

from kubegap.cluster.budgets import never_allows, overlaps, templates_under
from kubegap.cluster.dependents import ties_of, wanted_behind
from kubegap.cluster.growth import movers
from kubegap.cluster.objects import PodDisruptionBudget, Service
from kubegap.cluster.providers import is_made_by_operator, is_run_by_provider
from kubegap.cluster.scaling import is_leader_elected, wanted_replicas
from kubegap.cluster.templates import templates


def deployment(name="d", replicas=None, namespace="a", image="x:1", labels=None, **more):
    spec = {"template": template(image, app="d", name=name), **more}
    found = thing("apps/v1", "Deployment", name, spec if replicas is None else {**spec, "replicas": replicas})
    found["metadata"] |= {"namespace": namespace, "labels": labels or {}}
    return found


def budget(name="b", selector=None, **numbers):
    return thing("policy/v1", "PodDisruptionBudget", name, {"selector": selector, **numbers})


def node(name, **labels):
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "uid": name, "labels": labels}}


def only(*objects):
    snapshot = decode(*objects)
    return snapshot, templates(snapshot)[0]


BY_LABEL, BY_EXPRESSION = {"matchLabels": {"app": "d"}}, {"matchExpressions": [{"key": "app", "operator": "Exists"}]}


@pytest.mark.parametrize(
    ("selector", "count"), [(BY_LABEL, 1), (BY_EXPRESSION, 1), ({}, 1), (None, 0), ({"matchLabels": {"app": "e"}}, 0)]
)
def test_budgets_are_found_by_every_sort_of_selector(selector, count):
    snapshot = decode(deployment(), budget(selector=selector))
    (found,) = snapshot.of(PodDisruptionBudget)

    assert [one.owner.name for one in templates_under(snapshot, found)] == ["d"] * count


@pytest.mark.parametrize(
    ("numbers", "total", "never"),
    [
        ({"minAvailable": 1}, 1, True),
        ({"minAvailable": 1}, 2, False),
        ({"minAvailable": "50%"}, 1, True),
        ({"minAvailable": "100%"}, 4, True),
        ({"maxUnavailable": 0}, 9, True),
        ({"maxUnavailable": "0%"}, 9, True),
        ({"maxUnavailable": "10%"}, 2, False),
        ({"maxUnavailable": 1}, 1, False),
        ({}, 3, False),
    ],
)
def test_numbers_that_never_allow_an_eviction(numbers, total, never):
    (found,) = decode(budget(selector={}, **numbers)).of(PodDisruptionBudget)

    assert never_allows(found, total) is never


def test_overlapping_budgets_are_told_once_by_the_widest():
    one, two = {"matchLabels": {"name": "one"}}, {"matchLabels": {"name": "two"}}
    workloads = deployment("one"), deployment("two"), deployment("three")
    snapshot = decode(*workloads, budget("a", one), budget("b", two), budget("z", {}))

    assert {wide.name: [one.name for one in others] for wide, others in overlaps(snapshot).items()} == {"z": ["a", "b"]}
    assert overlaps(decode(*workloads, budget("a", one), budget("b", two))) == {}


def test_an_autoscaler_keeps_more_than_is_written():
    target = {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}, "minReplicas": 3}
    autoscaler = thing("autoscaling/v2", "HorizontalPodAutoscaler", "h", {**target, "maxReplicas": 9})

    assert wanted_replicas(*only(deployment(), autoscaler)) == 3
    assert wanted_replicas(*only(deployment(replicas=5), autoscaler)) == 5
    assert wanted_replicas(*only(deployment())) == 1


def test_pods_behind_a_service_are_those_of_all_its_workloads():
    service = thing("v1", "Service", "s", {"selector": {"app": "d"}})
    snapshot = decode(deployment("stable", 4), deployment("canary"), deployment("far", 9, "elsewhere"), service)
    (found,) = snapshot.of(Service)

    assert wanted_behind(snapshot, found) == 5


def test_ties_are_named():
    service = thing("v1", "Service", "s", {"selector": {"app": "d"}, "type": "LoadBalancer"})
    api = {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": "v1.x", "uid": "1"}}
    snapshot = decode(deployment(), service, {**api, "spec": {"service": {"namespace": "a", "name": "s"}}})

    assert ties_of(snapshot, snapshot.of(Service)) == ["api", "outside"]
    assert ties_of(snapshot, []) == []


@pytest.mark.parametrize(
    ("objects", "names"),
    [
        ([node("n", **{"karpenter.sh/nodepool": "default"})], ("karpenter",)),
        ([node("n"), deployment(image="registry.k8s.io/descheduler/descheduler:v0.34.0")], ("descheduler",)),
        ([node("n"), deployment(replicas=0, image="registry.k8s.io/descheduler/descheduler:v0.34.0")], ()),
        ([node("n", **{"eks.amazonaws.com/compute-type": "fargate"})], ()),
    ],
)
def test_who_moves_pods_unasked(objects, names):
    assert movers(decode(*objects)) == names


HELM, ADDON = {"app.kubernetes.io/managed-by": "Helm"}, {"addonmanager.kubernetes.io/mode": "Reconcile"}


@pytest.mark.parametrize(
    ("namespace", "labels", "provider", "theirs"),
    [
        ("kube-system", {}, None, True),
        ("kube-system", HELM, "eks", False),
        ("kube-system", HELM, "k3s", True),
        ("shop", {}, "gke", False),
        ("shop", ADDON, "gke", True),
    ],
)
def test_workloads_of_the_provider(namespace, labels, provider, theirs):
    assert is_run_by_provider(only(deployment(namespace=namespace, labels=labels))[1], provider) is theirs


def test_an_operator_makes_pods_of_its_own_resource():
    assert is_made_by_operator(only(pod("p", ("postgresql.cnpg.io/v1", "Cluster", "c")))[1])
    assert not is_made_by_operator(only(pod("p"))[1])
    assert not is_made_by_operator(only(deployment())[1])


@pytest.mark.parametrize(
    ("namespace", "holder", "leads"),
    [
        ("kube-system", "p-external-cert-manager-controller", True),
        ("kube-system", "p_7c1", True),
        ("elsewhere", "p_7c1", False),
        ("kube-system", "q-external-p", False),
    ],
)
def test_leases_of_cert_manager_are_in_kube_system(namespace, holder, leads):
    lease = thing("coordination.k8s.io/v1", "Lease", "l", {"holderIdentity": holder})
    lease["metadata"]["namespace"] = namespace

    assert is_leader_elected(*only(pod("p"), lease)) is leads
