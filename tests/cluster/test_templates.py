"""Every workload as one record: from manifests, from live owners, and from pods of owners that nobody reads."""

import json

import pytest

from kubegap.cluster import files
from kubegap.cluster.objects import Pod
from kubegap.cluster.templates import templates, templates_by_subject, templates_of


def decode(*objects):
    return files.decode((f"file{index}", json.dumps(one).encode()) for index, one in enumerate(objects))


def thing(version, kind, name, spec=None, owner=None, labels=None, **more):
    metadata = {"name": name, "namespace": "a", "uid": name, "labels": labels or {}}
    if owner:
        metadata["ownerReferences"] = [
            {**dict(zip(("apiVersion", "kind", "name"), owner, strict=True)), "controller": True}
        ]
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec or {}, **more}


def template(image="x:1", **labels):
    return {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": image}]}}


def pod(name, owner=None, labels=None, phase="Running", image="x:1"):
    spec = {"containers": [{"name": "c", "image": image}], "restartPolicy": "Always"}
    return thing("v1", "Pod", name, spec, owner, labels, status={"phase": phase})


def told(snapshot):
    return [
        (found.subject.shown, found.part.role, found.replicas, [pod.name for pod in found.pods], found.is_batch)
        for found in templates(snapshot)
    ]


def deployment(name="d", owner=None, replicas=2):
    return thing("apps/v1", "Deployment", name, {"replicas": replicas, "template": template(app=name)}, owner)


def test_a_manifest_and_a_live_workload_are_told_alike():
    owner = ("apps/v1", "ReplicaSet", "d-1")
    pods = [pod(f"d-1-{number}", owner, {"pod-template-hash": "1", "app": "d"}) for number in (1, 2)]

    assert told(decode(deployment())) == [("Deployment/a/d", "", 2, [], False)]
    assert told(decode(deployment(), *pods)) == [("Deployment/a/d", "", 2, ["d-1-1", "d-1-2"], False)]
    assert told(decode(*pods)) == [("Deployment/a/d", "", 2, ["d-1-1", "d-1-2"], False)]


def test_what_admission_added_is_seen_in_the_youngest_pod():
    owner = ("apps/v1", "ReplicaSet", "d-1")
    old, young = (pod(name, owner, {"pod-template-hash": "1"}, image=name) for name in ("old", "young"))
    old["metadata"]["creationTimestamp"], young["metadata"]["creationTimestamp"] = (
        "2026-01-01T00:00:00Z",
        "2026-02-01T00:00:00Z",
    )

    (found,) = templates(decode(deployment(), young, old))

    assert (found.spec.containers[0].image, found.running_spec.containers[0].image) == ("x:1", "young")


def test_owners_roll_up_also_to_a_kind_that_nobody_reads():
    owner = ("db.example/v1", "Database", "orders")
    stateful = thing("apps/v1", "StatefulSet", "orders-0", {"template": template()}, owner)

    (found,) = templates(decode(stateful, pod("p", ("apps/v1", "StatefulSet", "orders-0"))))

    assert (found.subject.shown, found.owner.shown) == ("Database/a/orders", "StatefulSet/a/orders-0")
    assert [one.name for one in found.pods] == ["p"]


def test_pods_of_an_owner_that_nobody_reads_stand_under_it():
    snapshot = decode(deployment("z"), pod("p", ("x.example/v1", "Thing", "t")), pod("bare"))

    assert told(snapshot)[1:] == [("Pod/a/bare", "", 1, ["bare"], False), ("Thing/a/t", "", 1, ["p"], False)]


JOB = {"template": template(), "parallelism": 2}


def test_jobs_of_a_cron_job_are_its_pods():
    cron = thing("batch/v1", "CronJob", "c", {"jobTemplate": {"spec": JOB}})
    job = thing("batch/v1", "Job", "c-1", JOB, ("batch/v1", "CronJob", "c"))

    assert told(decode(cron, job, pod("p", ("batch/v1", "Job", "c-1")))) == [("CronJob/a/c", "", 2, ["p"], True)]


def test_what_is_over_is_left_out():
    over = thing("batch/v1", "Job", "j", JOB, status={"conditions": [{"type": "Complete", "status": "True"}]})

    assert told(decode(over, pod("p", ("batch/v1", "Job", "j"), phase="Succeeded"))) == []


def jobset(owner=None):
    groups = [
        {"name": "leader", "template": {"spec": JOB}},
        {"name": "worker", "replicas": 3, "template": {"spec": JOB}},
    ]
    return thing("jobset.x-k8s.io/v1alpha2", "JobSet", "s", {"replicatedJobs": groups}, owner)


def test_each_part_of_a_set_has_its_own_pods():
    label = "jobset.sigs.k8s.io/replicatedjob-name"
    job = thing("batch/v1", "Job", "s-worker-0", JOB, ("jobset.x-k8s.io/v1alpha2", "JobSet", "s"))
    one = pod("w", ("batch/v1", "Job", "s-worker-0"), {label: "worker"})

    assert told(decode(jobset(), job, one)) == [
        ("JobSet/a/s", "leader", 2, [], True),
        ("JobSet/a/s", "worker", 6, ["w"], True),
    ]


def test_what_a_train_job_makes_counts_more_than_what_it_says():
    spec = {"runtimeRef": {"name": "torch"}, "trainer": {"numNodes": 4, "image": "t:1"}}
    train = thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "t", spec)
    made = jobset(("trainer.kubeflow.org/v1alpha1", "TrainJob", "t"))

    assert told(decode(train)) == [("TrainJob/a/t", "node", 4, [], True)]
    assert [row[:3] for row in told(decode(train, made))] == [
        ("TrainJob/a/t", "leader", 2),
        ("TrainJob/a/t", "worker", 6),
    ]


def ray(kind, name, spec, owner=None):
    return thing("ray.io/v1", kind, name, spec, owner)


CLUSTER = {
    "headGroupSpec": {"template": template()},
    "workerGroupSpecs": [{"groupName": "gpu", "replicas": 2, "numOfHosts": 2, "template": template()}],
}


@pytest.mark.parametrize(
    ("kind", "spec", "is_batch"),
    [("RayJob", {"rayClusterSpec": CLUSTER}, True), ("RayService", {"rayClusterConfig": CLUSTER}, False)],
)
def test_a_ray_cluster_stands_under_what_made_it(kind, spec, is_batch):
    above = ray(kind, "r", spec)
    made = ray("RayCluster", "r-x", CLUSTER, ("ray.io/v1alpha1", kind, "r"))
    workers = pod("w", ("ray.io/v1", "RayCluster", "r-x"), {"ray.io/group": "gpu"})

    for snapshot, names in ((decode(above), []), (decode(above, made, workers), ["w"])):
        assert [(row[0], row[1], row[2], row[3]) for row in told(snapshot)] == [
            (f"{kind}/a/r", "headgroup", 1, []),
            (f"{kind}/a/r", "gpu", 4, names),
        ]
        assert {found.subject.kind for found in templates(snapshot)} == {kind}
        assert [found.is_batch for found in templates(snapshot)] == [is_batch] * 2


def test_a_ray_cluster_that_nobody_made_trains():
    assert [found.is_batch for found in templates(decode(ray("RayCluster", "r", CLUSTER)))] == [True] * 2


def test_a_pod_leads_to_the_parts_of_its_workload():
    made = ray("RayCluster", "r-x", CLUSTER, ("ray.io/v1", "RayService", "r"))
    worker, alone = pod("w", ("ray.io/v1alpha1", "RayCluster", "r-x")), pod("alone")
    over = pod("over", ("batch/v1", "Job", "j"), phase="Succeeded")
    snapshot = decode(ray("RayService", "r", {"rayClusterConfig": CLUSTER}), made, worker, alone, over)

    found = {one.name: [part.subject.shown for part in templates_of(snapshot, one)] for one in snapshot.of(Pod)}

    assert found == {"w": ["RayService/a/r"] * 2, "alone": ["Pod/a/alone"], "over": []}


def test_a_leader_and_its_workers_are_found_through_the_leader():
    version, kind = "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"
    group = {"size": 3, "leaderTemplate": template(), "workerTemplate": template()}
    index = "leaderworkerset.sigs.k8s.io/worker-index"
    leaders = thing("apps/v1", "StatefulSet", "l", {"template": template()}, (version, kind, "l"))
    workers = thing("apps/v1", "StatefulSet", "l-0", {"template": template()}, ("v1", "Pod", "l-0"))
    snapshot = decode(
        thing(version, kind, "l", {"replicas": 2, "leaderWorkerTemplate": group}),
        leaders,
        workers,
        pod("l-0", ("apps/v1", "StatefulSet", "l"), {index: "0"}),
        pod("l-0-1", ("apps/v1", "StatefulSet", "l-0"), {index: "1"}),
    )

    assert told(snapshot) == [
        ("LeaderWorkerSet/a/l", "leader", 2, ["l-0"], False),
        ("LeaderWorkerSet/a/l", "worker", 4, ["l-0-1"], False),
    ]


def test_kubeflow_jobs_are_read_by_role():
    roles = {"Master": {"template": template()}, "Worker": {"replicas": 3, "template": template()}}
    job = thing("kubeflow.org/v1", "PyTorchJob", "p", {"pytorchReplicaSpecs": roles})
    one = pod("w", ("kubeflow.org/v1", "PyTorchJob", "p"), {"training.kubeflow.org/replica-type": "worker"})

    found = templates(decode(job, one))

    assert told(decode(job, one)) == [
        ("PyTorchJob/a/p", "Master", 1, [], True),
        ("PyTorchJob/a/p", "Worker", 3, ["w"], True),
    ]
    assert found[1].part.path == "spec.pytorchReplicaSpecs.Worker.template.spec"


def test_volcano_jobs_have_tasks():
    tasks = [{"name": "w", "replicas": 2, "template": template()}]

    assert told(decode(thing("batch.volcano.sh/v1alpha1", "Job", "v", {"tasks": tasks}))) == [
        ("Job/a/v", "w", 2, [], True)
    ]


SERVING = thing("serving.kserve.io/v1beta1", "InferenceService", "m", {"predictor": {"model": {"image": "v:1"}}})


def test_a_deployment_of_an_inference_service_counts_in_its_place():
    made = deployment("m-predictor", ("serving.kserve.io/v1beta1", "InferenceService", "m"))

    assert told(decode(SERVING)) == [("InferenceService/a/m", "predictor", 1, [], False)]
    assert told(decode(SERVING, made)) == [("InferenceService/a/m", "", 2, [], False)]


@pytest.mark.parametrize(
    ("above", "seen", "shown"),
    [
        (
            ray("RayService", "r", {"rayClusterConfig": CLUSTER}),
            [pod("w", ("ray.io/v1", "RayCluster", "r-x"))],
            "RayCluster/a/r-x",
        ),
        (
            thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "t", {"trainer": {"numNodes": 1, "image": "t:1"}}),
            [
                thing(
                    "batch/v1", "Job", "t-node-0", {"template": template()}, ("jobset.x-k8s.io/v1alpha2", "JobSet", "t")
                )
            ],
            "JobSet/a/t",
        ),
        (
            SERVING,
            [deployment("m-predictor-1-deployment", ("serving.knative.dev/v1", "Revision", "m-predictor-1"))],
            "Revision/a/m-predictor-1",
        ),
        (SERVING, [pod("w", ("apps/v1", "Deployment", "m-predictor"))], "Deployment/a/m-predictor"),
    ],
)
def test_what_was_made_by_way_of_a_kind_that_was_not_read_counts_once(above, seen, shown):
    assert [row[0] for row in told(decode(above, *seen))] == [shown]


@pytest.mark.parametrize(
    "other",
    [
        pod("w", ("ray.io/v1", "RayCluster", "other-x")),
        pod("w", ("ray.io/v1", "RayCluster", "model-x")),
        pod("w", ("ray.io/v1", "RayCluster", "m-x"), phase="Succeeded"),
        pod("m-x"),
    ],
)
def test_what_others_made_takes_no_stand_in_away(other):
    assert ("InferenceService/a/m", "predictor", 1, [], False) in told(decode(SERVING, other))


@pytest.mark.parametrize("replicas", [0, 1])
def test_what_wants_no_pods_is_suspended(replicas):
    assert templates(decode(deployment(replicas=replicas)))[0].is_suspended is (replicas == 0)


def test_owners_that_own_each_other_end():
    first = deployment("a", ("apps/v1", "Deployment", "b"))
    second = deployment("b", ("apps/v1", "Deployment", "a"))

    assert templates_by_subject(decode(first, second)) is not None
