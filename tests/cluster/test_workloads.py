"""Whose a pod is, which Services, budgets and volumes stand around it, and what an index costs."""

import gc
from datetime import UTC, datetime, timedelta

import pytest

from kubegap.cluster.budgets import budget_of
from kubegap.cluster.containers import Volume, VolumeClaimSource
from kubegap.cluster.dns import dns_services
from kubegap.cluster.evidence import Subject
from kubegap.cluster.exposure import Role, is_held_by_volume, role_of
from kubegap.cluster.fields import (
    ClientConfig,
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    PodCondition,
    PodSpec,
    PodStatus,
    Requirement,
    ServiceReference,
    Webhook,
)
from kubegap.cluster.indexing import indexed
from kubegap.cluster.objects import (
    ClaimReference,
    Metadata,
    OwnerReference,
    PersistentVolume,
    PersistentVolumeSpec,
    Pod,
    PodDisruptionBudget,
    PodDisruptionBudgetSpec,
    Service,
    ValidatingWebhookConfiguration,
    VolumeNodeAffinity,
)
from kubegap.cluster.service_fields import ServicePort, ServiceSpec
from kubegap.cluster.services import pods_behind, services_of
from kubegap.cluster.snapshot import Origin, Snapshot, Source
from kubegap.cluster.workloads import is_batch, is_ready, is_younger, owner_of, pods_by_node, workloads

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)


def cluster_of(*objects):
    found = {}
    for thing in objects:
        found.setdefault(thing.resource.path, []).append(thing)
    return Snapshot(Source(Origin.DUMP, NOW), {path: tuple(things) for path, things in found.items()}, {})


def pod_of(name="p", owner=None, labels=None, created=None, **spec):
    owners = [OwnerReference(*owner, controller=True)] if owner else None
    meta = Metadata(name=name, namespace="shop", labels=labels, owner_references=owners, creation_timestamp=created)
    return Pod(metadata=meta, spec=PodSpec(**spec))


def service_of(name="cart", selector=None, namespace="shop", labels=None, **spec):
    meta = Metadata(name=name, namespace=namespace, labels=labels)
    return Service(metadata=meta, spec=ServiceSpec(selector=selector, **spec))


@pytest.mark.parametrize(
    ("owner", "labels", "top"),
    [
        (None, None, "Pod/shop/p"),
        (("apps/v1", "ReplicaSet", "cart-5f7"), {"pod-template-hash": "5f7"}, "Deployment/shop/cart"),
        (("apps/v1", "ReplicaSet", "cart-5f7"), {"rollouts-pod-template-hash": "5f7"}, "Rollout/shop/cart"),
        (("apps/v1", "ReplicaSet", "by-hand"), None, "ReplicaSet/shop/by-hand"),
        (("apps/v1", "ReplicaSet", "cart-5f7"), {"pod-template-hash": "other"}, "ReplicaSet/shop/cart-5f7"),
        (("apps/v1", "StatefulSet", "db"), None, "StatefulSet/shop/db"),
        (("ray.io/v1", "RayCluster", "train"), None, "RayCluster/shop/train"),
        (("v1", "Node", "node-a"), None, "Node/-/node-a"),
    ],
)
def test_the_top_owner_is_read_from_the_pod(owner, labels, top):
    assert owner_of(pod_of(owner=owner, labels=labels)).path == top


def test_an_owner_that_is_not_the_controller_does_not_count():
    pod = Pod(metadata=Metadata(name="p", owner_references=[OwnerReference("v1", "ConfigMap", "x")]))

    assert owner_of(pod).kind == "Pod"


def test_pods_of_one_deployment_stand_together_across_its_replica_sets():
    old, new = (
        pod_of(name, ("apps/v1", "ReplicaSet", f"cart-{name}"), {"pod-template-hash": name}) for name in ("old", "new")
    )

    assert workloads(cluster_of(old, new)) == {Subject("apps/v1", "Deployment", "shop", "cart"): (old, new)}


def test_pods_without_a_node_stand_on_none():
    placed = pod_of("a", node_name="n")

    assert pods_by_node(cluster_of(placed, pod_of("b"))) == {"n": (placed,)}


@pytest.mark.parametrize(
    ("owner", "policy", "batch"),
    [
        (("batch/v1", "Job", "x"), None, True),
        (("kubeflow.org/v1", "PyTorchJob", "x"), "Always", True),
        (("apps/v1", "StatefulSet", "x"), "Always", False),
        (None, "Never", True),
    ],
)
def test_what_runs_to_an_end(owner, policy, batch):
    pod = pod_of(owner=owner, restart_policy=policy)

    assert is_batch(owner_of(pod), pod) is batch


@pytest.mark.parametrize("labels", [{"ray.io/serve": "true"}, {"ray.io/serve": "false"}])
def test_pods_of_a_ray_service_serve_although_a_ray_cluster_owns_them(labels):
    pod = pod_of(owner=("ray.io/v1", "RayCluster", "model-x"), labels={"ray.io/cluster": "model-x", **labels})

    assert not is_batch(owner_of(pod), pod)


def test_a_pod_that_is_being_deleted_is_not_ready():
    ready = PodStatus(conditions=[PodCondition("Ready", "True")])

    assert is_ready(Pod(status=ready))
    assert not is_ready(Pod(metadata=Metadata(deletion_timestamp=NOW), status=ready))
    assert not is_ready(Pod())


def test_age_is_counted_from_the_snapshot():
    pod = pod_of(created=NOW - timedelta(minutes=9))

    assert is_younger(pod, timedelta(minutes=10), cluster_of(pod))
    assert not is_younger(pod, timedelta(minutes=9), cluster_of(pod))
    assert not is_younger(pod_of(), timedelta(minutes=10), cluster_of(pod))


def test_services_pick_by_all_their_labels_and_only_in_their_namespace():
    pod = pod_of(labels={"app": "cart", "tier": "web"})
    services = [
        service_of("one", {"app": "cart"}),
        service_of("two", {"app": "cart", "tier": "web"}),
        service_of("other", {"app": "cart", "tier": "db"}),
        service_of("far", {"app": "cart"}, namespace="pay"),
        service_of("none", {}),
    ]
    cluster = cluster_of(pod, *services)

    assert sorted(service.name for service in services_of(cluster, pod)) == ["one", "two"]
    assert [len(pods_behind(cluster, service)) for service in services] == [1, 1, 0, 0, 0]


def test_a_budget_without_a_selector_guards_nothing_and_an_empty_one_everything():
    pod = pod_of(labels={"app": "cart"})

    def guards(selector):
        meta = Metadata(name="b", namespace="shop")
        return bool(
            budget_of(cluster_of(PodDisruptionBudget(metadata=meta, spec=PodDisruptionBudgetSpec(selector))), pod)
        )

    assert not guards(None)
    assert guards(LabelSelector())
    assert guards(LabelSelector({"app": "cart"}))
    assert not guards(LabelSelector({"app": "other"}))


DNS_PORT = [ServicePort(53)]


@pytest.mark.parametrize(
    ("service", "found"),
    [
        (service_of("kube-dns", {}, "kube-system", {"k8s-app": "kube-dns"}, ports=DNS_PORT), True),
        (service_of("coredns", {}, "kube-system", {}, ports=DNS_PORT, cluster_ip="10.96.0.10"), True),
        (service_of("dns-default", {}, "openshift-dns", {}, ports=DNS_PORT, cluster_ip="172.30.0.10"), True),
        (service_of("coredns", {}, "kube-system", {}, ports=DNS_PORT, cluster_ip="10.96.7.7"), False),
        (service_of("kube-dns", {}, "kube-system", {"k8s-app": "kube-dns"}, ports=[ServicePort(9153)]), False),
        (service_of("kube-dns", {}, "shop", {"k8s-app": "kube-dns"}, ports=DNS_PORT), False),
    ],
)
def test_dns_is_told_by_place_port_and_label_or_address(service, found):
    assert bool(dns_services(cluster_of(service))) is found


LABELS = {"app": "cart"}
CLAIM = [Volume(VolumeClaimSource("data"))]
HOOK = Webhook(client_config=ClientConfig(ServiceReference("shop", "cart")))


@pytest.mark.parametrize(
    ("around", "owner", "role"),
    [
        ([], ("apps/v1", "StatefulSet", "x"), Role.DATASTORE),
        ([service_of(selector=LABELS)], ("apps/v1", "DaemonSet", "x"), Role.SERVICE),
        ([service_of(selector=LABELS, type="LoadBalancer")], ("apps/v1", "StatefulSet", "x"), Role.ENTRY),
        (
            [service_of(selector=LABELS), ValidatingWebhookConfiguration(webhooks=[HOOK])],
            ("apps/v1", "StatefulSet", "x"),
            Role.WEBHOOK,
        ),
        ([], None, Role.NONE),
    ],
)
def test_roles(around, owner, role):
    pod = pod_of(owner=owner, labels=LABELS, volumes=CLAIM)

    assert role_of(cluster_of(pod, *around), owner_of(pod), pod) is role


@pytest.mark.parametrize(
    ("key", "held"),
    [
        ("topology.kubernetes.io/zone", True),
        ("topology.ebs.csi.aws.com/zone", True),
        ("kubernetes.io/hostname", False),
        (None, False),
    ],
)
def test_volumes_hold_pods_by_zone(key, held):
    term = NodeSelectorTerm([Requirement(key or "", "In", ["a"])])
    affinity = VolumeNodeAffinity(NodeSelector([term])) if key else None
    volume = PersistentVolume(spec=PersistentVolumeSpec(ClaimReference("shop", "data"), affinity))
    pod = pod_of(volumes=CLAIM)

    assert is_held_by_volume(cluster_of(pod, volume), pod) is held


def test_an_index_is_built_once_for_a_snapshot_and_goes_with_it():
    built = []

    @indexed
    def index(_snapshot):
        built.append(1)
        return object()

    first, second = cluster_of(), cluster_of()

    assert index(first) is index(first)
    assert index(second) is not index(first)
    assert len(built) == 2
    del first, second
    gc.collect()
    index(cluster_of())
    assert len(built) == 3
