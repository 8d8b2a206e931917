"""Providers by what their nodes show, and what is theirs; namespaces and Services as the API server sees them."""

import pytest

from kubegap.cluster.fields import NodeInfo, NodeSpec, NodeStatus, ObjectReference, ServiceReference
from kubegap.cluster.namespaces import is_system_namespace, labels_of
from kubegap.cluster.objects import (
    EndpointSlice,
    Metadata,
    Namespace,
    Node,
    ValidatingWebhookConfiguration,
)
from kubegap.cluster.providers import is_owned_by_provider, provider_of
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.service_fields import Endpoint, EndpointConditions
from kubegap.cluster.services import Backends, backends_of
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot, Source


def snapshot_of(kind, *objects):
    path = kind.resource.path
    coverage = {path: Coverage(kind.resource, len(objects), ReadState.READ)}
    return Snapshot(Source(Origin.DUMP), {path: objects}, coverage)


def backend(pod, node, ready=True, address="10.0.0.1"):
    return Endpoint([address], EndpointConditions(ready), node, ObjectReference("Pod", pod))


def slice_of(service, *endpoints, name="x"):
    labels = {"kubernetes.io/service-name": service}
    return EndpointSlice(metadata=Metadata(name=name, namespace="opa", labels=labels), endpoints=list(endpoints))


@pytest.mark.parametrize(
    ("node", "provider"),
    [
        (Node(metadata=Metadata(labels={"eks.amazonaws.com/nodegroup": "x"})), "eks"),
        (Node(metadata=Metadata(labels={"cloud.google.com/gke-nodepool": "x"})), "gke"),
        (Node(metadata=Metadata(labels={"kubernetes.azure.com/cluster": "x"})), "aks"),
        (Node(status=NodeStatus(NodeInfo("v1.34.2-gke.1003000"))), "gke"),
        (Node(status=NodeStatus(NodeInfo("v1.34.2+k3s1"))), "k3s"),
        (Node(spec=NodeSpec("kind://docker/kind/kind-control-plane")), "kind"),
        (Node(spec=NodeSpec("aws:///eu-west-1a/i-0abc")), None),
        (Node(), None),
    ],
)
def test_providers(node, provider):
    assert provider_of([Node(), node]) == provider


@pytest.mark.parametrize(
    ("name", "labels", "provider", "owned"),
    [
        ("vpc-resource-mutating-webhook", {}, "eks", True),
        ("vpc-resource-mutating-webhook", {}, None, False),
        ("vpc-resource-mutating-webhook", {}, "gke", False),
        ("neg-annotation.config.common-webhooks.networking.gke.io", {}, "gke", True),
        ("mine", {"addonmanager.kubernetes.io/mode": "Reconcile"}, None, True),
        ("mine", {}, "eks", False),
    ],
)
def test_what_the_provider_owns(name, labels, provider, owned):
    configuration = ValidatingWebhookConfiguration(metadata=Metadata(name=name, labels=labels))

    assert is_owned_by_provider(configuration, provider) is owned


def test_the_name_label_is_always_there():
    snapshot = snapshot_of(Namespace, Namespace(metadata=Metadata(name="a", labels={"team": "x"})))

    assert labels_of(snapshot, "a").labels == {"team": "x", "kubernetes.io/metadata.name": "a"}
    assert labels_of(snapshot, "a").are_real
    assert labels_of(snapshot, "b").labels == {"kubernetes.io/metadata.name": "b"}
    assert not labels_of(snapshot, "b").are_real


def test_system_namespaces():
    assert [is_system_namespace(name) for name in ("kube-system", "openshift-dns", "default", "my-kube-system")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_pod_in_two_address_families_is_one_backend():
    snapshot = snapshot_of(
        EndpointSlice,
        slice_of("opa", backend("p", "n"), name="v4"),
        slice_of("opa", backend("p", "n", address="fd00::1"), name="v6"),
        slice_of("other", backend("q", "n"), name="o"),
    )

    assert backends_of(snapshot, ServiceReference("opa", "opa")) == Backends(
        frozenset({"p"}), frozenset({"p"}), frozenset({"n"})
    )


def test_backends_that_are_not_ready_do_not_count_and_unknown_ones_do():
    snapshot = snapshot_of(
        EndpointSlice, slice_of("opa", backend("p", "a", ready=False), backend("q", "b", ready=None))
    )

    assert backends_of(snapshot, ServiceReference("opa", "opa")).ready == {"q"}


def test_a_service_without_slices_has_no_backends_but_unread_slices_are_unknown():
    assert backends_of(snapshot_of(EndpointSlice), ServiceReference("opa", "opa")) == Backends()
    assert backends_of(snapshot_of(Node), ServiceReference("opa", "opa")) is None
    assert backends_of(snapshot_of(EndpointSlice), None) is None


def test_every_kind_has_its_path_and_grant():
    assert RESOURCES["v1/pods"].resource.grant == "get, list pods"
    assert RESOURCES["discovery.k8s.io/v1/endpointslices"].resource.grant == "get, list endpointslices.discovery.k8s.io"
