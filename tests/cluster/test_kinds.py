"""Kinds are found by walking, read in whichever version is served, and pods that are alike share their parts."""

import ast
import json
from pathlib import Path
from typing import get_args

import pytest
import yaml
from msgspec import Struct, structs
from tests.cluster.fake_api import FakeApi, page, send

import kubegap
from kubegap.cluster import files, saved
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import Access
from kubegap.cluster.kinds.kserve import InferenceService
from kubegap.cluster.kinds.kubeflow import MPIJob
from kubegap.cluster.kinds.ray import RayCluster, RayJob
from kubegap.cluster.kinds.workload import TrainingWorkload, Workload
from kubegap.cluster.objects import Pod, ResourceSlice
from kubegap.cluster.resources import GROUP_NAMES, GROUPS, RESOURCES, name_of, paths_of
from kubegap.cluster.snapshot import ReadState

TOKEN = {"name": "kube-api-access-x7f2p", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}


def pod(name, node="a", **status):
    return {
        "metadata": {"name": name, "namespace": "shop", "labels": {"app": "cart"}, "finalizers": ["x/y"]},
        "spec": {
            "nodeName": node,
            "hostIPC": True,
            "containers": [
                {
                    "name": "app",
                    "image": "cart:1",
                    "env": [{"name": "PASSWORD", "value": "s3cr3t"}],
                    "args": ["--token=s3cr3t"],
                    "resources": {"requests": {"cpu": "1"}},
                    "volumeMounts": [
                        {"name": "shm", "mountPath": "/dev/shm"},
                        {**TOKEN, "name": f"{TOKEN['name']}{name}"},
                    ],
                }
            ],
            "volumes": [
                {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
                {"name": f"{TOKEN['name']}{name}", "projected": {}},
            ],
        },
        "status": {
            "conditions": [
                {"type": "Ready", "status": "True", "lastTransitionTime": f"2026-11-01T00:00:0{len(name)}Z"},
                {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes"},
            ],
            "containerStatuses": [{"name": "app", "ready": True, "restartCount": 2, "imageID": "cart@sha256:1"}],
            **status,
        },
    }


def decode(*objects):
    return files.decode([("file", yaml.safe_dump_all(objects).encode())])


def api_version(kind, version):
    return {"apiVersion": f"{kind.resource.group}/{version}", "kind": kind.resource.kind}


def test_groups_are_the_kinds_that_say_so():
    assert set(GROUPS) == set(GROUP_NAMES)
    assert set(paths_of("workloads")) == {path for path, kind in RESOURCES.items() if issubclass(kind, Workload | Pod)}
    assert set(paths_of("training")) == {path for path, kind in RESOURCES.items() if issubclass(kind, TrainingWorkload)}
    assert paths_of("v1/pods") == ("v1/pods",)


def test_kinds_know_where_they_are_served():
    assert len({kind.resource for kind in RESOURCES.values()}) == len(RESOURCES)
    assert all(kind.resource.version not in kind.resource.also for kind in RESOURCES.values())


def test_kinds_of_one_name_are_told_apart():
    assert name_of(RESOURCES["batch/v1/jobs"].resource) == "Job"
    assert name_of(RESOURCES["batch.volcano.sh/v1alpha1/jobs"].resource) == "Job.batch.volcano.sh"
    assert len({name_of(kind.resource) for kind in RESOURCES.values()}) == len(RESOURCES)


@pytest.mark.parametrize("kind", [MPIJob, RayCluster, RayJob, ResourceSlice])
@pytest.mark.parametrize("aggregated", [True, False])
def test_a_kind_that_only_another_version_has_is_read_in_that(kind, aggregated):
    other = kind.resource.versions[-1]
    group = {"name": other.group, "versions": [{"groupVersion": other.api_version, "version": other.version}]}
    listed = {"version": other.version, "resources": [{"resource": other.plural}]}
    whole = {"metadata": {"name": other.group}, "versions": [listed]}
    with FakeApi(aggregated=aggregated).running() as api:
        api.on("/apis", lambda h, _count: send(h, 200, {"items": [whole]} if aggregated else {"groups": [group]}))
        names = {"resources": [{"name": other.plural}]}
        api.on(f"/apis/{other.api_version}", lambda h, _count: send(h, 200, names))
        items = [{"metadata": {"name": "x", "namespace": "a"}}]
        api.on(f"/apis/{other.api_version}/{other.plural}", lambda h, _count: send(h, 200, page(other, items)))
        snapshot = collect(Access(api.url, (), None), [kind.resource.path])

    assert [thing.name for thing in snapshot.of(kind)] == ["x"]
    assert snapshot.coverage_of(kind.resource.path).state is ReadState.READ


def test_a_version_that_nobody_can_read_is_said_even_where_the_server_lists_no_kinds():
    group = {"name": "ray.io", "versions": [{"groupVersion": "ray.io/v9", "version": "v9"}]}
    with FakeApi(aggregated=False).running() as api:
        api.on("/apis", lambda h, _count: send(h, 200, {"groups": [group]}))
        part = collect(Access(api.url, (), None), [RayJob.resource.path]).coverage_of(RayJob.resource.path)

    assert part.state is ReadState.HALF_READ
    assert "v9" in part.reason.en


def test_files_are_read_in_every_version_that_means_the_same():
    snapshot = decode(
        {**api_version(MPIJob, "v2beta1"), "metadata": {"name": "a"}},
        {**api_version(MPIJob, "v1"), "metadata": {"name": "b"}},
        {**api_version(MPIJob, "v1alpha1"), "metadata": {"name": "c"}},
    )

    assert [job.name for job in snapshot.of(MPIJob)] == ["a", "b"]
    assert "v1alpha1" in snapshot.unread[0].reason


def shared_parts(first, second):
    return (
        first.spec.containers is second.spec.containers,
        first.spec.volumes is second.spec.volumes,
        first.metadata.labels is second.metadata.labels,
        first.status.conditions is second.status.conditions,
        first.status.container_statuses is second.status.container_statuses,
    )


def test_pods_that_are_alike_share_their_parts_wherever_they_come_from(tmp_path):
    with FakeApi().running() as api:
        api.add(Pod, pod("a"), pod("bb", node="b"))
        live = collect(Access(api.url, (), None), [Pod.resource.path])
    documents = [{"apiVersion": "v1", "kind": "Pod", **pod(name)} for name in ("a", "bb")]
    saved.save(live, tmp_path / "s")

    for snapshot in (live, decode(*documents), saved.load(str(tmp_path / "s"))):
        assert all(shared_parts(*snapshot.of(Pod)))
        assert snapshot.of(Pod)[0].name != snapshot.of(Pod)[1].name


def test_what_differs_stays_apart():
    other = pod("bb")
    other["spec"]["containers"][0]["image"] = "cart:2"
    other["metadata"]["labels"] = {"app": "pay"}
    first, second = decode(*({"apiVersion": "v1", "kind": "Pod", **one} for one in (pod("a"), other))).of(Pod)

    assert (first.spec.containers[0].image, second.spec.containers[0].image) == ("cart:1", "cart:2")
    assert (first.labels["app"], second.labels["app"]) == ("cart", "pay")


def test_parts_of_two_sorts_that_are_written_alike_stay_what_they_are():
    plain = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}
    spec = {"volumes": [{"name": ""}], "tolerations": [{"key": "x"}], "topologySpreadConstraints": []}
    found = decode({**plain, "spec": {**spec, "containers": [], "initContainers": []}}).of(Pod)[0]

    assert found.spec.tolerations[0].key == "x"
    assert found.spec.volumes[0].name == ""


def test_of_a_pod_only_what_checks_read_is_kept():
    (found,) = decode({"apiVersion": "v1", "kind": "Pod", **pod("a")}).of(Pod)

    (container,) = found.spec.containers
    assert [(mount.name, mount.mount_path) for mount in container.volume_mounts] == [("shm", "/dev/shm")]
    assert [(volume.name, volume.empty_dir.size_limit) for volume in found.spec.volumes] == [("shm", "1Gi")]
    ready, scheduled = found.status.conditions
    assert (ready.status, ready.last_transition_time) == ("True", None)
    assert (scheduled.reason, scheduled.message) == ("Unschedulable", "0/3 nodes")
    assert found.spec.host_ipc
    assert found.metadata.finalizers == ["x/y"]
    assert found.status.container_statuses[0].image_id == "cart@sha256:1"


def test_no_value_of_the_environment_is_carried_about(tmp_path):
    snapshot = decode({"apiVersion": "v1", "kind": "Pod", **pod("a")})
    saved.save(snapshot, tmp_path / "s")

    assert "s3cr3t" not in repr(snapshot)
    assert saved.load(str(tmp_path / "s")).objects == snapshot.objects


def test_the_model_of_a_component_is_a_container_of_its_pods():
    model = {"modelFormat": {"name": "vllm"}, "storageUri": "hf://x", "resources": {"limits": {"nvidia.com/gpu": 2}}}
    spec = {"predictor": {"minReplicas": 2, "model": model, "nodeSelector": {"a": "b"}}}
    (found,) = decode({**api_version(InferenceService, "v1beta1"), "metadata": {"name": "m"}, "spec": spec}).of(
        InferenceService
    )

    (part,) = found.parts()
    assert (part.role, part.replicas, part.template.spec.node_selector) == ("predictor", 2, {"a": "b"})
    assert part.template.spec.containers[0].resources.limits == {"nvidia.com/gpu": 2}


def test_the_schema_of_a_definition_is_not_kept():
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"description": "long"}}}
    snapshot = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "x.example"},
            "spec": {"group": "example", "versions": [version], "conversion": {"strategy": "None"}},
        }
    )

    assert "long" not in json.dumps(repr(snapshot.objects))


def structs_in(kind):
    """The records within a type, itself among them."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield kind
        yield from (found for field in structs.fields(kind) for found in structs_in(field.type))
    yield from (found for one in get_args(kind) for found in structs_in(one))


def test_every_field_is_asked_for_somewhere():
    trees = (ast.parse(path.read_text()) for path in Path(kubegap.__file__).parent.rglob("*.py"))
    asked = {node.attr for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    known = {found for kind in RESOURCES.values() for found in structs_in(kind)}
    unread = {(one.__name__, field.name) for one in known for field in structs.fields(one) if field.name not in asked}

    # The roles of a job of Kubeflow are walked.
    assert {name for _, name in unread if not name.endswith("_replica_specs")} == set()
