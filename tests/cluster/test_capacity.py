"""What pods take from nodes, as the scheduler adds it up, and whether they would fit elsewhere."""

import pytest
from msgspec import structs

from kubegap.cluster.capacity import (
    most_room,
    pools,
    reasons_of,
    rooms,
    short_of_memory,
    unplaced_without,
    waiting,
)
from kubegap.cluster.containers import Container, ResourceRequirements
from kubegap.cluster.fields import Condition, NodeSpec, NodeStatus, PodCondition, PodSpec, PodStatus, Taint
from kubegap.cluster.objects import Metadata, Node, OwnerReference, Pod
from kubegap.cluster.requests import limit_of, requested, requested_by
from kubegap.cluster.snapshot import Origin, Snapshot, Source

GIB = 1 << 30


def asks(cpu=None, limits=None, restart=None, **more):
    requests = {**({"cpu": cpu} if cpu else {}), **more} or None
    return Container(restart_policy=restart, resources=ResourceRequirements(requests, limits))


def node(name, cpu="4", pods="10", unschedulable=None, taints=None, **more):
    size = {"cpu": cpu, "memory": "8Gi", "pods": pods, **more}
    return Node(
        metadata=Metadata(name=name),
        spec=NodeSpec(unschedulable=unschedulable, taints=taints),
        status=NodeStatus(allocatable=size),
    )


def pod(name, on=None, cpu="1", owner=None, status=PodStatus(), **spec):  # noqa: B008 - immutable
    owners = [OwnerReference("apps/v1", owner, "x", controller=True)] if owner else None
    meta = Metadata(name=name, namespace="a", owner_references=owners)
    return Pod(metadata=meta, spec=PodSpec(node_name=on, containers=[asks(cpu)], **spec), status=status)


def cluster_of(*objects):
    found = {}
    for thing in objects:
        found.setdefault(thing.resource.path, []).append(thing)
    return Snapshot(Source(Origin.DUMP), {path: tuple(things) for path, things in found.items()}, {})


@pytest.mark.parametrize(
    ("spec", "cpu"),
    [
        (PodSpec(), 0),
        (PodSpec(containers=[asks("500m"), asks("1")]), 1500),
        (PodSpec(containers=[asks(limits={"cpu": "2"})]), 2000),
        (PodSpec(containers=[asks("1", limits={"cpu": "2"})]), 1000),
        (PodSpec(init_containers=[asks("3"), asks("2")], containers=[asks("1")]), 3000),
        (PodSpec(init_containers=[asks("1", restart="Always")], containers=[asks("1")]), 2000),
        (PodSpec(init_containers=[asks("1", restart="Always"), asks("3")], containers=[asks("1")]), 4000),
        (PodSpec(init_containers=[asks("3"), asks("1", restart="Always")], containers=[asks("1")]), 3000),
        (PodSpec(containers=[asks("1")], overhead={"cpu": "250m"}), 1250),
        (PodSpec(containers=[asks("1")], resources=ResourceRequirements({"cpu": "3"})), 3000),
        (PodSpec(containers=[asks("1")], resources=ResourceRequirements({"nvidia.com/gpu": "3"})), 1000),
        (PodSpec(containers=[asks("nonsense")]), 0),
    ],
)
def test_requests_are_added_up_as_the_scheduler_does(spec, cpu):
    assert requested(spec).get("cpu", 0) == cpu


@pytest.mark.parametrize(
    ("spec", "limit"),
    [
        (PodSpec(containers=[asks(limits={"memory": "1Gi"}), asks(limits={"memory": "1Gi"})]), 2 * GIB),
        (PodSpec(containers=[asks(limits={"memory": "1Gi"}), asks("1")]), None),
        (PodSpec(containers=[asks("1")], resources=ResourceRequirements(limits={"memory": "3Gi"})), 3 * GIB),
        (PodSpec(init_containers=[asks("1")], containers=[asks(limits={"memory": "1Gi"})]), GIB),
    ],
)
def test_a_pod_is_limited_where_all_that_goes_on_running_is(spec, limit):
    assert limit_of(spec, "memory") == limit


def test_pods_that_are_alike_are_added_up_once():
    snapshot = cluster_of(first := pod("a"), second := Pod(spec=first.spec))

    assert requested_by(snapshot, first) is requested_by(snapshot, second)


def test_room_is_what_pods_that_have_not_ended_leave():
    ended = pod("c", "n", status=PodStatus(phase="Succeeded"))
    room = rooms(cluster_of(node("n"), pod("a", "n"), pod("b", "n", priority=-5), ended))["n"]

    assert (room.requested["cpu"], room.requested["pods"], room.yielding["cpu"]) == (2000, 2, 1000)
    assert (room.free("cpu"), room.free("pods"), room.free("memory"), room.free("nvidia.com/gpu")) == (
        3000,
        9,
        8 * GIB,
        0,
    )


def test_pools_are_nodes_that_are_alike_and_open():
    taint = [Taint("gpu", None, "NoSchedule")]
    found = pools(
        cluster_of(
            node("a"),
            node("b"),
            node("c", unschedulable=True),
            node("d", taints=taint),
            node("e", **{"nvidia.com/gpu": "8"}),
        )
    )

    assert [[room.node.name for room in there] for there in found.values()] == [["a", "b"], ["d"], ["e"]]


@pytest.mark.parametrize(
    ("objects", "left"),
    [
        ([node("a"), node("b"), pod("p", "a", "3")], []),
        ([node("a"), node("b"), pod("p", "a", "3"), pod("q", "b", "2")], ["p"]),
        ([node("a"), node("b"), pod("p", "a", "3"), pod("q", "b", "2", priority=-1)], []),
        ([node("a"), node("b", unschedulable=True), pod("p", "a")], ["p"]),
        ([node("a"), node("b", taints=[Taint("x", None, "NoSchedule")]), pod("p", "a")], ["p"]),
        ([node("a"), node("b", pods="1"), pod("p", "a"), pod("q", "b")], ["p"]),
        ([node("a"), pod("p", "a", owner="DaemonSet"), pod("q", "a", owner="Node"), pod("r", "a", priority=-1)], []),
        ([node("a"), pod("p", "a", status=PodStatus(phase="Failed"))], []),
        ([node("a"), node("b"), node("c"), *(pod(f"p{number}", "a", "2") for number in range(5))], ["p4"]),
        ([node("a"), node("b"), pod("small", "a"), pod("large", "a", "4")], ["small"]),
    ],
)
def test_pods_of_a_lost_node_are_placed_on_the_others(objects, left):
    assert [pod.name for pod in unplaced_without(cluster_of(*objects), {"a"})] == left


_NO_ROOM = (
    "0/5 nodes are available: 2 Insufficient cpu, 1 Insufficient nvidia.com/gpu, 2 node(s) had untolerated taint {x: }."
)
# What a scheduler says after it looked for weaker pods.
_NO_VICTIMS = "preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."
_NO_HELP = (
    "no new claims to deallocate, preemption: 0/9 nodes are available: 9 Preemption is not helpful for scheduling."
)


@pytest.mark.parametrize(
    ("words", "reasons"),
    [
        (_NO_ROOM, ("cpu", "taint", "gpu")),
        (_NO_ROOM.rstrip("."), ("cpu", "taint", "gpu")),
        (f"0/3 nodes are available: 3 Insufficient nvidia.com/gpu. {_NO_VICTIMS}", ("gpu",)),
        (f"0/9 nodes are available: 9 Insufficient nvidia.com/mig-1g.5gb. {_NO_HELP}", ("gpu",)),
        (f"0/3 nodes are available: 3 Insufficient cpu. {_NO_VICTIMS}", ("cpu",)),
        ("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.", ("gpu",)),
        ("0/1 nodes are available: 1 Insufficient example.com/gpus.", ()),
    ],
)
def test_pods_that_wait_say_why(words, reasons):
    condition = PodCondition("PodScheduled", "False", "Unschedulable", words)
    gated = PodCondition("PodScheduled", "False", "SchedulingGated")
    snapshot = cluster_of(
        pod("w", status=PodStatus("Pending", conditions=[condition])),
        pod("g", status=PodStatus(conditions=[gated])),
        pod("r"),
    )

    assert [pod.name for pod in waiting(snapshot)] == ["w"]
    assert reasons_of(waiting(snapshot)[0]) == reasons
    assert reasons_of(pod("r")) == ()


def test_claims_that_no_node_can_meet_are_devices():
    words = "0/3 nodes are available: 3 cannot allocate all claims."
    conditions = [PodCondition("PodScheduled", "False", "Unschedulable", words)]

    assert reasons_of(pod("c", status=PodStatus(conditions=conditions))) == ("devices",)


def test_a_pod_finds_what_is_left_and_what_weaker_pods_hold():
    held = pod("held", on="n1", cpu="3")
    strong = pod("strong", on="n1", cpu="1", priority=100)
    snapshot = cluster_of(node("n1"), node("n2", cpu="2", unschedulable=True), held, strong)

    assert most_room(snapshot, PodSpec(), "cpu") == (0, "n1")
    assert most_room(snapshot, PodSpec(priority=100), "cpu") == (3000, "n1")
    assert most_room(snapshot, PodSpec(priority=100, preemption_policy="Never"), "cpu") == (0, "n1")
    assert most_room(snapshot, PodSpec(), "nvidia.com/gpu") == (0, "")


def test_pods_below_zero_make_way_once():
    snapshot = cluster_of(node("n1"), pod("filler", on="n1", cpu="4", priority=-1))

    assert most_room(snapshot, PodSpec(priority=5), "cpu") == (4000, "n1")


def test_nodes_that_are_short_of_memory_are_named_once():
    pressed, calm = node("n1"), node("n2")
    condition = [Condition(type="MemoryPressure", status="True")]
    pressed = structs.replace(pressed, status=structs.replace(pressed.status, conditions=condition))
    pods = [pod("a", on="n1"), pod("b", on="n1"), pod("c", on="n2"), pod("d"), pod("e", on="gone")]

    assert short_of_memory(cluster_of(pressed, calm, *pods), pods) == ["n1"]
