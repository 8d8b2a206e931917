"""Workloads with accelerators, whatever runs them: how many, how large, and what becomes of a failure."""

from datetime import timedelta

import pytest
from tests.cluster.test_templates import decode, pod, thing

from kubegap.cluster.containers import Container, ResourceRequirements
from kubegap.cluster.fields import PodSpec
from kubegap.cluster.gpu_workloads import gpu_workloads, users_in
from kubegap.cluster.ownership import objects_by_subject
from kubegap.cluster.recovery import Unit, deadline_of


def template(gpus=8, **spec):
    resources = {"limits": {"nvidia.com/gpu": gpus}} if gpus else {}
    return {"spec": {"containers": [{"name": "c", "resources": resources}], **spec}}


def job(**spec):
    return thing("batch/v1", "Job", "j", {"template": template(), **spec})


def jobset(owner=None, **spec):
    groups = [{"name": "w", "replicas": 2, "template": {"spec": {"parallelism": 3, "template": template()}}}]
    return thing("jobset.x-k8s.io/v1alpha2", "JobSet", "s", {"replicatedJobs": groups, **spec}, owner)


def kubeflow(kind="PyTorchJob", field="pytorch", policy=None, **spec):
    roles = {"Worker": {"replicas": 2, "template": template(), **({"restartPolicy": policy} if policy else {})}}
    return thing("kubeflow.org/v1", kind, "k", {f"{field}ReplicaSpecs": roles, **spec})


CLUSTER = {
    "headGroupSpec": {"template": template(0)},
    "workerGroupSpecs": [{"groupName": "g", "replicas": 2, "template": template()}],
}


def ray_job(**spec):
    return thing("ray.io/v1", "RayJob", "r", {"rayClusterSpec": CLUSTER, **spec})


def ray_cluster(owner=None):
    return thing("ray.io/v1", "RayCluster", "c", CLUSTER, owner)


def volcano(policies=None, **spec):
    tasks = [{"name": "w", "replicas": 2, "template": template()}]
    return thing("batch.volcano.sh/v1alpha1", "Job", "v", {"tasks": tasks, "policies": policies, **spec})


def group(policy=None):
    spec = {"size": 2, "workerTemplate": template(), **({"restartPolicy": policy} if policy else {})}
    return thing("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "l", {"leaderWorkerTemplate": spec})


def deployment(replicas=2):
    return thing("apps/v1", "Deployment", "d", {"replicas": replicas, "template": template()})


IGNORE = {"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}
RESTART = [{"action": "RestartJob", "events": ["PodFailed", "PodEvicted"]}]


@pytest.mark.parametrize(
    ("found", "pods", "gpus", "unit", "restarts"),
    [
        (job(), 1, 8, Unit.POD, 6),
        (job(parallelism=4, completions=2, backoffLimit=0), 2, 16, Unit.POD, 0),
        (job(backoffLimitPerIndex=1), 1, 8, Unit.POD, 1),
        (jobset(), 6, 48, Unit.NONE, 0),
        (jobset(failurePolicy={}), 6, 48, Unit.GROUP, 0),
        (jobset(failurePolicy={"maxRestarts": 3}), 6, 48, Unit.GROUP, 3),
        (kubeflow(), 2, 16, Unit.POD, None),
        (kubeflow(policy="Never"), 2, 16, Unit.NONE, 0),
        (kubeflow(policy="Never", elasticPolicy={"maxRestarts": 2}), 2, 16, Unit.POD, 2),
        (kubeflow(policy="ExitCode", runPolicy={"backoffLimit": 4}), 2, 16, Unit.POD, 4),
        (kubeflow("TFJob", "tf"), 2, 16, Unit.NONE, 0),
        (kubeflow("JAXJob", "jax", "OnFailure"), 2, 16, Unit.POD, None),
        (kubeflow("MPIJob", "mpi"), 2, 16, Unit.NONE, 0),
        (ray_job(), 3, 16, Unit.GROUP, 0),
        (ray_job(backoffLimit=2), 3, 16, Unit.GROUP, 2),
        (ray_cluster(), 3, 16, Unit.POD, None),
        (volcano(), 2, 16, Unit.NONE, 0),
        (volcano(RESTART), 2, 16, Unit.GROUP, 3),
        (volcano([{"action": "RestartTask", "event": "*"}], maxRetry=1), 2, 16, Unit.POD, 1),
        (volcano([{"action": "AbortJob", "event": "PodFailed"}]), 2, 16, Unit.NONE, 0),
        (group(), 2, 16, Unit.GROUP, None),
        (group("None"), 2, 16, Unit.POD, None),
        (deployment(), 2, 16, Unit.POD, None),
    ],
)
def test_every_kind_is_told_in_the_same_words(found, pods, gpus, unit, restarts):
    (workload,) = gpu_workloads(decode(found))

    assert (workload.pods, workload.gpus) == (pods, gpus)
    assert (workload.recovery.unit, workload.recovery.restarts) == (unit, restarts)
    assert workload.decider == workload.subject
    assert workload.recovery.path.startswith("spec.")


@pytest.mark.parametrize(
    ("found", "spares"),
    [
        (job(), False),
        (job(podFailurePolicy=IGNORE), True),
        (jobset(failurePolicy={"rules": [{"action": "RestartJobSetAndIgnoreMaxRestarts"}]}), True),
        (volcano(RESTART), True),
        (volcano([{"action": "RestartJob", "event": "PodFailed"}]), False),
    ],
)
def test_disruptions_may_be_spared(found, spares):
    assert gpu_workloads(decode(found))[0].recovery.spares_disruptions is spares


def test_what_two_operators_take_differently_is_said():
    assert gpu_workloads(decode(kubeflow("MPIJob", "mpi")))[0].recovery.is_assumed
    assert not gpu_workloads(decode(kubeflow("MPIJob", "mpi", "Never")))[0].recovery.is_assumed


def test_the_highest_owner_that_says_so_decides():
    made = ray_cluster(("ray.io/v1", "RayJob", "r"))
    (ray,) = gpu_workloads(decode(ray_job(backoffLimit=2), made))
    train = thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "t", {"runtimeRef": {"name": "torch"}})
    owned = jobset(("trainer.kubeflow.org/v1alpha1", "TrainJob", "t"), failurePolicy={"maxRestarts": 1})
    (trained,) = gpu_workloads(decode(train, owned))

    assert (ray.subject.kind, ray.decider.kind, ray.recovery.restarts) == ("RayJob", "RayJob", 2)
    assert (trained.subject.kind, trained.decider.kind, trained.recovery.restarts) == ("TrainJob", "JobSet", 1)


def test_what_cannot_be_seen_is_not_made_up():
    one = pod("p", ("x.example/v1", "Experiment", "e"))
    one["spec"] = template()["spec"]
    resources = {"limits": {"nvidia.com/gpu": 1}}
    train = thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "t", {"trainer": {"resourcesPerNode": resources}})

    for snapshot in (decode(one), decode(train)):
        assert [(found.recovery, found.decider) for found in gpu_workloads(snapshot)] == [(None, None)]


def claim_template(requests):
    spec = {"spec": {"devices": {"requests": requests}}}
    return thing("resource.k8s.io/v1", "ResourceClaimTemplate", "two", spec)


@pytest.mark.parametrize(
    ("requests", "gpus"),
    [
        ([{"name": "g", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}}], 4),
        ([{"name": "g", "deviceClassName": "gpu.nvidia.com"}], 2),
        ([{"name": "g", "firstAvailable": [{"deviceClassName": "mig.nvidia.com", "count": 3}]}], 6),
        ([{"name": "n", "exactly": {"deviceClassName": "dranet"}}], None),
    ],
)
def test_devices_may_be_claimed(requests, gpus):
    claims = [{"name": "gpus", "resourceClaimTemplateName": "two"}]
    found = thing("apps/v1", "Deployment", "d", {"replicas": 2, "template": template(0, resourceClaims=claims)})

    assert [one.gpus for one in gpu_workloads(decode(found, claim_template(requests)))] == ([gpus] if gpus else [])


@pytest.mark.parametrize(("name", "gpus"), [("two-gpus", [2]), ("nics", [])])
def test_claims_that_were_not_read_are_told_by_their_names(name, gpus):
    claims = [{"name": "c", "resourceClaimTemplateName": name}]
    found = thing("apps/v1", "Deployment", "d", {"replicas": 2, "template": template(0, resourceClaims=claims)})

    assert [one.gpus for one in gpu_workloads(decode(found))] == gpus


def test_containers_that_ask_for_none_use_what_is_claimed():
    asking, other = Container("a", resources=ResourceRequirements(limits={"nvidia.com/gpu": "1"})), Container("b")

    assert users_in(PodSpec(containers=[asking, other])) == [asking]
    assert users_in(PodSpec(containers=[other])) == [other]


def test_workloads_without_accelerators_are_left_out_and_suspended_ones_say_so():
    assert gpu_workloads(decode(thing("apps/v1", "Deployment", "d", {"template": template(0)}))) == []
    assert gpu_workloads(decode(job(suspend=True)))[0].is_suspended
    assert gpu_workloads(decode(job()))[0].is_batch
    assert not gpu_workloads(decode(deployment()))[0].is_batch


@pytest.mark.parametrize(
    ("found", "seconds"),
    [
        (job(), None),
        (job(activeDeadlineSeconds=60), 60),
        (ray_job(activeDeadlineSeconds=60), 60),
        (kubeflow(runPolicy={"activeDeadlineSeconds": 60}), 60),
        (thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "t", {"activeDeadlineSeconds": 60}), 60),
        (thing("batch/v1", "CronJob", "c", {"jobTemplate": {"spec": {"activeDeadlineSeconds": 60}}}), 60),
        (jobset(), None),
        (deployment(), None),
    ],
)
def test_some_kinds_give_up_by_themselves(found, seconds):
    (one,) = objects_by_subject(decode(found)).values()

    assert deadline_of(one) == (seconds and timedelta(seconds=seconds))
