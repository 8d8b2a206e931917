"""What stands around workloads: Services, routes, budgets, programs, autoscalers, and whether all is still moving."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.test_templates import decode, pod, template, thing

from kubegap.cluster.addresses import size_of, used_in
from kubegap.cluster.budgets import budgets_for, count_of, guarded_by
from kubegap.cluster.containers import Container
from kubegap.cluster.dependents import (
    is_behind_api,
    is_behind_conversion,
    is_behind_webhook,
    is_routed,
    services_before,
)
from kubegap.cluster.duties import duties_of, nodes_leaned_on
from kubegap.cluster.evidence import Subject
from kubegap.cluster.fields import PodOS, PodSpec, ServiceReference
from kubegap.cluster.growth import Growth, growth_of, is_leaving
from kubegap.cluster.images import Image, names_version, parsed
from kubegap.cluster.namespaces import is_for_trial
from kubegap.cluster.objects import Node, PodDisruptionBudget
from kubegap.cluster.programs import Program, has_data_plane_elsewhere, program_of, programs_of, runs
from kubegap.cluster.providers import is_run_by_provider, is_virtual, is_windows
from kubegap.cluster.pulled import pulled_by
from kubegap.cluster.requests import defaults_in
from kubegap.cluster.scaling import autoscaler_of, is_leader_elected
from kubegap.cluster.schedules import NEVER, longest_wait
from kubegap.cluster.services import service_named
from kubegap.cluster.settling import is_settling
from kubegap.cluster.templates import templates

HOUR = timedelta(hours=1)
SERVICE = thing("v1", "Service", "front", {"selector": {"app": "d"}})
REFERENCE = {"clientConfig": {"service": {"namespace": "a", "name": "front"}}}


def deployment(image="x:1", generation=2, **status):
    found = thing("apps/v1", "Deployment", "d", {"template": template(image, app="d")}, status=status)
    found["metadata"]["generation"] = generation
    return found


def wide(version, kind, name, spec=None, **more):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "uid": name}, "spec": spec or {}, **more}


def before(*objects):
    snapshot = decode(deployment(), SERVICE, *objects)
    return snapshot, services_before(snapshot, templates(snapshot)[0])


CONVERSION = wide(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    "c",
    {"conversion": {"strategy": "Webhook", "webhook": REFERENCE}},
)
BACKEND = {"backend": {"service": {"name": "front"}}}
ROUTES = [
    (thing("networking.k8s.io/v1", "Ingress", "i", {"defaultBackend": BACKEND["backend"]}), True),
    (thing("networking.k8s.io/v1", "Ingress", "i", {"rules": [{"http": {"paths": [BACKEND]}}]}), True),
    (thing("networking.k8s.io/v1", "Ingress", "i", {"rules": [{"host": "x"}]}), False),
    (thing("gateway.networking.k8s.io/v1", "HTTPRoute", "r", {"rules": [{"backendRefs": [{"name": "front"}]}]}), True),
    (
        thing(
            "gateway.networking.k8s.io/v1",
            "HTTPRoute",
            "r",
            {"rules": [{"backendRefs": [{"name": "front", "namespace": "b"}]}]},
        ),
        False,
    ),
    (
        thing(
            "gateway.networking.k8s.io/v1",
            "HTTPRoute",
            "r",
            {"rules": [{"backendRefs": [{"name": "front", "kind": "Pool"}]}]},
        ),
        False,
    ),
]


@pytest.mark.parametrize(("route", "leads"), ROUTES)
def test_routes_lead_to_services(route, leads):
    snapshot, services = before(route)

    assert [service.name for service in services] == ["front"]
    assert is_routed(snapshot, services) is leads


@pytest.mark.parametrize(
    ("question", "leaning"),
    [
        (
            is_behind_webhook,
            {
                **wide("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "v"),
                "webhooks": [{"name": "w", **REFERENCE}],
            },
        ),
        (
            is_behind_webhook,
            {
                **wide("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "v"),
                "webhooks": [{"name": "w", **REFERENCE}],
            },
        ),
        (is_behind_conversion, CONVERSION),
        (is_behind_api, wide("apiregistration.k8s.io/v1", "APIService", "v1.x", REFERENCE["clientConfig"])),
    ],
)
def test_parts_of_the_api_lean_on_services(question, leaning):
    snapshot, services = before(leaning)
    alone, same = before()

    assert question(snapshot, services)
    assert not question(alone, same)


def test_a_conversion_that_is_switched_off_leads_nowhere():
    off = {"conversion": {"strategy": "None", "webhook": REFERENCE}}
    snapshot, services = before(wide("apiextensions.k8s.io/v1", "CustomResourceDefinition", "c", off))

    assert not is_behind_conversion(snapshot, services)


def test_a_service_is_found_by_its_name():
    snapshot, _ = before()

    assert service_named(snapshot, ServiceReference("a", "front")).name == "front"
    assert service_named(snapshot, ServiceReference("b", "front")) is None


def test_all_budgets_that_guard_a_pod_are_known():
    budgets = [
        thing("policy/v1", "PodDisruptionBudget", name, {"selector": {"matchLabels": {"app": "d"}}}) for name in "xy"
    ]
    snapshot = decode(*budgets, pod("p", labels={"app": "d"}), pod("q", labels={"app": "d"}, phase="Failed"), pod("r"))

    assert [budget.name for budget in budgets_for(snapshot, "a", {"app": "d"})] == ["x", "y"]
    assert budgets_for(snapshot, "b", {"app": "d"}) == []
    assert [one.name for one in guarded_by(snapshot, snapshot.of(PodDisruptionBudget)[0])] == ["p"]


@pytest.mark.parametrize(
    ("share", "total", "up", "down"),
    [
        (2, 3, 2, 2),
        ("25%", 3, 1, 0),
        ("50%", 4, 2, 2),
        ("100%", 3, 3, 3),
        ("x", 3, None, None),
        ("3", 3, None, None),
        (None, 3, None, None),
    ],
)
def test_shares_are_rounded_as_their_controllers_do(share, total, up, down):
    assert (count_of(share, total, round_up=True), count_of(share, total, round_up=False)) == (up, down)


@pytest.mark.parametrize(
    ("image", "parts"),
    [
        ("nginx", Image("docker.io", "library/nginx", None, None)),
        ("nginx:1.27", Image("docker.io", "library/nginx", "1.27", None)),
        ("grafana/agent:v1", Image("docker.io", "grafana/agent", "v1", None)),
        ("localhost/x", Image("localhost", "x", None, None)),
        ("reg.example:5000/a/b/c:2@sha256:ab", Image("reg.example:5000", "a/b/c", "2", "sha256:ab")),
        ("reg.example:5000/x", Image("reg.example:5000", "x", None, None)),
        ("x@sha256:ab", Image("docker.io", "library/x", None, "sha256:ab")),
    ],
)
def test_names_of_images_are_taken_apart(image, parts):
    assert parsed(image) == parts


@pytest.mark.parametrize(
    ("image", "program"),
    [
        ("registry.k8s.io/ingress-nginx/controller:v1.13.0", Program.INGRESS),
        ("mirror.example/x/ingress-nginx/controller", Program.INGRESS),
        ("rancher/mirrored-library-traefik:3", Program.INGRESS),
        ("docker.io/library/controller", None),
        ("registry.k8s.io/coredns/coredns:v1", Program.DNS),
        ("quay.io/prometheus/prometheus:v3", Program.MONITORING),
        ("public.ecr.aws/karpenter/controller:1", Program.NODE_AUTOSCALER),
        ("registry.k8s.io/autoscaling/cluster-autoscaler:v1", Program.NODE_AUTOSCALER),
        ("team/prometheus-client-demo:1", None),
        ("apache/apisix:3", Program.INGRESS),
        ("apache/apisix-ingress-controller:2", Program.INGRESS),
        ("apache/apisix-dashboard:3", None),
        ("envoyproxy/envoy:v1.35.0", None),
        ("", None),
    ],
)
def test_programs_are_told_by_the_last_parts_of_an_image(image, program):
    assert program_of(image) is program


def test_a_mesh_proxy_is_a_gateway_where_it_stands_alone():
    alone, beside = (templates(decode(deployment("istio/proxyv2:1")))[0].spec, templates(decode(deployment()))[0].spec)

    assert programs_of(alone) == {Program.INGRESS}
    assert not runs(beside, {Program.INGRESS})
    assert programs_of(PodSpec()) == frozenset()


def node(labels=None, taints=None):
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n", "uid": "n", "labels": labels or {}},
        "spec": {"taints": taints},
    }


@pytest.mark.parametrize(
    ("objects", "growth"),
    [
        ([node()], Growth.NONE),
        ([node({"karpenter.sh/nodepool": "x"})], Growth.SEEN),
        ([node(), pod("p", image="registry.k8s.io/autoscaling/cluster-autoscaler:v1")], Growth.SEEN),
        ([node({"cloud.google.com/gke-nodepool": "x"})], Growth.HIDDEN),
    ],
)
def test_who_adds_nodes_is_seen_or_hidden(objects, growth):
    assert growth_of(decode(*objects)) is growth


def test_a_node_that_an_autoscaler_takes_away_is_leaving():
    taint = [{"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule"}]

    assert [is_leaving(found) for taints in (taint, None) for found in decode(node(taints=taints)).of(Node)] == [
        True,
        False,
    ]


def test_virtual_clusters_and_windows_are_told_by_their_marks():
    fake = decode(node({"vcluster.loft.sh/fake-node": "true"})).of(Node)

    assert is_virtual(fake)
    assert not is_virtual(decode(node()).of(Node))
    assert not is_virtual([])
    assert is_windows(PodSpec(os=PodOS("windows")))
    assert is_windows(PodSpec(node_selector={"kubernetes.io/os": "windows"}))
    assert not is_windows(PodSpec())


DONE = {"observedGeneration": 2, "updatedReplicas": 3, "replicas": 3}


@pytest.mark.parametrize(
    ("status", "settling"),
    [
        ({}, False),
        (DONE, False),
        ({**DONE, "observedGeneration": 1}, True),
        ({**DONE, "updatedReplicas": 1}, True),
        ({**DONE, "updatedReplicas": 1, "conditions": [{"type": "Progressing", "status": "False"}]}, False),
    ],
)
def test_a_rollout_that_goes_on_is_settling(status, settling):
    snapshot = decode(deployment(**status))

    assert is_settling(snapshot, templates(snapshot)[0], HOUR) is settling


def test_a_set_that_is_updated_by_hand_or_in_part_is_not_settling():
    for strategy in ({"type": "OnDelete"}, {"rollingUpdate": {"partition": 1}}):
        found = thing(
            "apps/v1", "StatefulSet", "s", {"updateStrategy": strategy}, status={**DONE, "updatedReplicas": 1}
        )
        snapshot = decode(found)

        assert not is_settling(snapshot, templates(snapshot)[0], HOUR)


def test_a_young_pod_is_settling():
    old, young = pod("old", ("apps/v1", "StatefulSet", "s")), pod("young", ("apps/v1", "StatefulSet", "s"))
    old["metadata"]["creationTimestamp"], young["metadata"]["creationTimestamp"] = (
        "2026-01-01T00:00:00Z",
        "2026-01-01T02:00:00Z",
    )
    snapshot = decode(old, young)

    assert is_settling(snapshot, templates(snapshot)[0], HOUR)
    assert not is_settling(snapshot, templates(snapshot)[0], timedelta(0))


def test_an_autoscaler_is_found_by_what_it_scales():
    target = {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}, "maxReplicas": 3}
    snapshot = decode(deployment(), thing("autoscaling/v2", "HorizontalPodAutoscaler", "h", target))
    (found,) = templates(snapshot)

    assert autoscaler_of(snapshot, found.owner).spec.max_replicas == 3
    assert autoscaler_of(snapshot, Subject("apps/v1", "StatefulSet", "a", "d")) is None


@pytest.mark.parametrize(("holder", "leads"), [("p_7c1", True), ("p", True), ("p-other_7c1", False), (None, False)])
def test_a_pod_that_holds_a_lease_leads(holder, leads):
    lease = thing("coordination.k8s.io/v1", "Lease", "l", {"holderIdentity": holder})
    snapshot = decode(pod("p"), lease)

    assert is_leader_elected(snapshot, templates(snapshot)[0]) is leads


@pytest.mark.parametrize(
    ("schedule", "longest"),
    [
        ("* * * * *", timedelta(minutes=1)),
        ("*/15 * * * *", timedelta(minutes=15)),
        ("7,37 * * * *", timedelta(minutes=30)),
        ("0 9-17 * * *", timedelta(hours=16)),
        ("30 2 * * *", timedelta(days=1)),
        ("0 3 * * mon-fri", timedelta(days=3)),
        ("0 3 * * 0", timedelta(days=7)),
        ("0 0 1 * *", timedelta(days=31)),
        ("0 0 1 jan *", timedelta(days=366)),
        ("0 0 1 * 1", timedelta(days=7)),
        ("5/20 * * * *", timedelta(minutes=20)),
        ("@hourly", timedelta(hours=1)),
        ("@every 1h30m", timedelta(minutes=90)),
        ("TZ=Asia/Seoul 0 0 * * *", timedelta(days=1)),
        ("0 0 30 2 *", NEVER),
        ("0 0 31 4,6 *", NEVER),
        ("0 0 29 2 *", timedelta(days=1461)),
        ("61 * * * *", None),
        ("1-99999999999 * * * *", None),
        ("99999999999 * * * *", None),
        ("30-10 * * * *", None),
        ("@every 99999999999999999h", None),
        ("@every 2562048h", None),
        ("@every 1.5h", timedelta(minutes=90)),
        ("@every .5h0.1s", timedelta(minutes=30)),
        ("@every 1500ms", timedelta(seconds=1)),
        ("@every 100ms", timedelta(seconds=1)),
        ("@every -1h", timedelta(seconds=1)),
        ("@every 0", timedelta(seconds=1)),
        ("@every 5m7x", None),
        ("@every 1h 30m", None),
        ("CRON_TZ=Asia/Seoul @daily", timedelta(days=1)),
        ("TZ=Asia/Seoul", None),
        ("0 0 */2 * 1", timedelta(days=2)),
        ("0 0 1 * */3", timedelta(days=3)),
        ("0 0 */1 * 1", timedelta(days=7)),
        ("0 0 10,* * 1", timedelta(days=7)),
        ("0 0 ? * 1", timedelta(days=7)),
        ("0 0 29 feb ?", timedelta(days=1461)),
        ("every day", None),
        ("* * * *", None),
        ("@every x", None),
        ("", None),
    ],
)
def test_the_longest_wait_of_a_schedule(schedule, longest):
    assert longest_wait(schedule) == longest


@given(st.text(max_size=20))
def test_no_text_breaks_a_schedule(text):
    assert longest_wait(text) is None or longest_wait(text) > timedelta(0)


def test_addresses_are_counted_in_their_range():
    assert (size_of("10.0.0.0/24"), size_of("fd00::/64"), size_of("x")) == (256, None, None)
    assert used_in("10.0.0.0/24", ["10.0.0.1", "10.0.0.1", "10.0.1.1", None, "None", "fd00::1", "x"]) == 1
    assert used_in("x", ["10.0.0.1"]) == 0


@pytest.mark.parametrize(
    ("images", "is_elsewhere"),
    [
        (["registry.example/eks/aws-load-balancer-controller:v2.13.0"], True),
        (["registry.example/envoyproxy/gateway:v1.4.0"], True),
        (["envoyproxy/envoy:distroless-v1.35.0", "envoyproxy/gateway:v1.5.0"], False),
        (["ghcr.io/projectcontour/contour:v1.33.0", "envoyproxy/envoy:v1.35.0"], False),
        (["ghcr.io/projectcontour/contour:v1.33.0"], True),
        (["apache/apisix:3.13.0-debian"], False),
        (["apache/apisix-ingress-controller:2.0.0"], True),
        (["kong/kubernetes-ingress-controller:3.5"], True),
        (["kong/kubernetes-ingress-controller:3.5", "library/kong:3.9"], False),
        (["eks/aws-load-balancer-controller:v2.13.0", "istio/proxyv2:1.27"], True),
        (["registry.example/ingress-nginx/controller:v1.13.0"], False),
        (["registry.example/eks/aws-load-balancer-controller:v2.13.0", "traefik:v3.5"], False),
        (["registry.example/shop/web:1"], False),
    ],
)
def test_a_controller_that_only_sets_up_carries_no_traffic(images, is_elsewhere):
    spec = PodSpec(containers=[Container(name=str(number), image=image) for number, image in enumerate(images)])

    assert has_data_plane_elsewhere(spec) is is_elsewhere


CLASS = thing("networking.k8s.io/v1", "Ingress", "i", {"defaultBackend": BACKEND["backend"]})


def duties(workload, *objects):
    snapshot = decode(workload, *objects)
    return duties_of(snapshot, next(one for one in templates(snapshot) if one.subject.name == "d"))


@pytest.mark.parametrize(
    ("objects", "told"),
    [
        ([], ()),
        ([SERVICE], ()),
        ([SERVICE, CLASS], ("route",)),
        ([{**SERVICE, "spec": {**SERVICE["spec"], "type": "NodePort"}}], ("outside",)),
        ([SERVICE, wide("apiregistration.k8s.io/v1", "APIService", "v1.x", REFERENCE["clientConfig"])], ("api",)),
        ([SERVICE, CONVERSION], ("conversion",)),
    ],
)
def test_duties_are_told_by_what_leads_to_a_workload(objects, told):
    assert duties(deployment(), *objects) == told


@pytest.mark.parametrize(
    ("images", "told"),
    [
        (["quay.io/prometheus/prometheus:v3"], ("monitoring",)),
        (["x:1", "fluent/fluent-bit:4"], ()),
        (["istio/proxyv2:1.27"], ("ingress",)),
        (["istio/proxyv2:1.27", "x:1"], ()),
    ],
)
def test_a_program_is_that_of_the_first_container(images, told):
    workload = deployment()
    containers = [{"name": f"c{number}", "image": image} for number, image in enumerate(images)]
    workload["spec"]["template"]["spec"]["containers"] = containers

    assert duties(workload) == told


@pytest.mark.parametrize(
    ("image", "on_nodes", "told"),
    [
        ("traefik:3", {"ports": [{"containerPort": 80, "hostPort": 80}]}, ("outside", "ingress")),
        ("traefik:3", {"ports": [{"containerPort": 80}]}, ("ingress",)),
        ("traefik:3", {"hostNetwork": True}, ("outside", "ingress")),
        ("eks/aws-load-balancer-controller:v2.13.0", {"hostNetwork": True}, ("ingress",)),
        ("x:1", {"hostNetwork": True}, ()),
    ],
)
def test_an_ingress_controller_on_the_ports_of_nodes_is_open_to_outside(image, on_nodes, told):
    workload = deployment(image)
    spec = workload["spec"]["template"]["spec"]
    spec["hostNetwork"], spec["containers"][0]["ports"] = on_nodes.get("hostNetwork"), on_nodes.get("ports")

    assert duties(workload) == told


def test_volumes_of_a_stateful_set_are_data():
    claims = {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}

    assert duties(thing("apps/v1", "StatefulSet", "d", {"template": template(), **claims})) == ("data",)
    assert duties(thing("apps/v1", "StatefulSet", "d", {"template": template()})) == ()


@pytest.mark.parametrize(
    ("namespace", "image", "labels", "provider", "is_theirs"),
    [
        ("a", "x:1", {}, None, False),
        ("a", "x:1", {"addonmanager.kubernetes.io/mode": "Reconcile"}, None, True),
        ("kube-system", "x:1", {}, None, True),
        ("kube-system", "x:1", {"app.kubernetes.io/managed-by": "Helm"}, None, False),
        ("kube-system", "x:1", {"app.kubernetes.io/managed-by": "Helm"}, "k3s", True),
        ("kube-system", "amazon-k8s-cni:v1", {"app.kubernetes.io/managed-by": "Helm"}, "eks", True),
    ],
)
def test_what_the_provider_runs(namespace, image, labels, provider, is_theirs):
    workload = deployment(image)
    workload["metadata"] |= {"namespace": namespace, "labels": labels}

    assert is_run_by_provider(templates(decode(workload))[0], provider) is is_theirs


@pytest.mark.parametrize(
    ("name", "labels", "is_trial"),
    [
        ("shop", {}, False),
        ("shop-dev", {}, True),
        ("devices", {}, False),
        ("a", {"env": "Staging"}, True),
        ("b", {}, False),
    ],
)
def test_namespaces_that_serve_nobody(name, labels, is_trial):
    snapshot = decode(wide("v1", "Namespace", "a") | {"metadata": {"name": "a", "uid": "a", "labels": labels}})

    assert is_for_trial(snapshot, name) is is_trial


def test_containers_are_found_by_name_in_the_object_of_their_owner():
    workload = deployment()
    workload["spec"]["template"]["spec"]["initContainers"] = [{"name": "first", "image": "y:1"}]

    (found,) = templates(decode(workload))
    containers = [*found.spec.init_containers, *found.spec.containers]

    assert [found.path_of(container) for container in containers] == [
        "spec.template.spec.initContainers[first]",
        "spec.template.spec.containers[c]",
    ]


def test_what_containers_of_a_namespace_ask_for_unsaid():
    limits = [
        {"type": "Container", "defaultRequest": {"memory": "1Gi"}, "default": {"cpu": "1"}},
        {"type": "PersistentVolumeClaim", "default": {"storage": "1Gi"}},
    ]
    snapshot = decode(thing("v1", "LimitRange", "l", {"limits": limits}))

    assert defaults_in(snapshot, "a") == {"memory", "cpu"}
    assert defaults_in(snapshot, "b") == frozenset()


def test_nodes_are_leaned_on_for_pods_with_duties():
    owner = ("apps/v1", "ReplicaSet", "d-1")
    one = pod("d-1-x", owner, {"app": "d", "pod-template-hash": "1"})
    other, job = pod("alone"), pod("j", ("batch/v1", "Job", "j"), {"app": "d"})
    for number, found in enumerate((one, other, job)):
        found["spec"]["nodeName"] = f"n{number}"

    assert nodes_leaned_on(decode(deployment(), SERVICE, CLASS, one, other, job)) == {"n0"}


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        *(
            (tag, False)
            for tag in (None, "latest", "main", "stable", "alpine", "8.0-latest", "1.2-SNAPSHOT", "main-amd64")
        ),
        *(
            (tag, True)
            for tag in ("16", "v1.2.3", "8-alpine", "2026.02.11", "main-4f1c2d9", "deadbeef", "nightly-20260101")
        ),
    ],
)
def test_tags_that_name_a_version(tag, names):
    assert names_version(tag) is names


def test_what_pods_got_is_told_with_the_version_of_their_template_and_the_architecture():
    node = wide("v1", "Node", "n", status={"nodeInfo": {"architecture": "arm64"}})
    pods = []
    for number in (1, 2):
        found = pod(f"d-1-{number}", ("apps/v1", "ReplicaSet", "d-1"), {"app": "d", "pod-template-hash": "1"})
        found["spec"]["nodeName"] = "n" if number == 1 else "gone"
        found["status"]["containerStatuses"] = [{"name": "c", "imageID": f"x@sha256:{number}"}]
        pods.append(found)
    snapshot, alike = decode(node, *pods), decode(node, pods[0])

    told = [
        (one.image, one.image_id, one.revision, one.architecture) for one in pulled_by(snapshot, *templates(snapshot))
    ]

    assert told == [("x:1", "x@sha256:1", "1", "arm64"), ("x:1", "x@sha256:2", "1", "")]
    assert list(pulled_by(alike, *templates(alike))) == []
