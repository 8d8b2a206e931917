"""GPU nodes, what they offer and what their agents say."""

from datetime import UTC, datetime, timedelta

import pytest

from kubegap.cluster import gpu_faults
from kubegap.cluster.containers import Container, ResourceRequirements
from kubegap.cluster.fields import Condition, NodeSpec, NodeStatus, PodResourceClaim, PodSpec, PodStatus, Taint
from kubegap.cluster.gpus import accelerators, expected_by_label, is_gpu_node, is_gpu_pod
from kubegap.cluster.objects import Metadata, Node, Pod
from kubegap.cluster.snapshot import Origin, Snapshot, Source
from kubegap.cluster.tables import AS_OF, are_tables_old

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
BAD = Condition("XIDErrors", "True")


def node_of(name="n", *conditions, labels=None, capacity=None, taints=()):
    status = NodeStatus(capacity=capacity, conditions=list(conditions))
    return Node(metadata=Metadata(name=name, labels=labels), spec=NodeSpec(taints=list(taints)), status=status)


def cluster_of(*nodes, read_at=NOW):
    return Snapshot(Source(Origin.DUMP, read_at), {Node.resource.path: nodes}, {})


def test_accelerators_are_counted_by_name():
    seen = {"cpu": "64", "nvidia.com/gpu": "8", "nvidia.com/mig-1g.5gb": 3, "amd.com/gpu": "0", "nvidia.com/x": "1"}

    assert accelerators(seen) == {"nvidia.com/gpu": 8, "nvidia.com/mig-1g.5gb": 3, "amd.com/gpu": 0}


@pytest.mark.parametrize(
    ("node", "found"),
    [
        (node_of(capacity={"nvidia.com/gpu": "8"}), True),
        (node_of(capacity={"aws.amazon.com/neuron": "1"}), True),
        (node_of(labels={"nvidia.com/gpu.product": "T4"}), True),
        (node_of(labels={"nvidia.com/gpu.count": "0"}), False),
        (node_of(capacity={"cpu": "8", "nvidia.com/gpu": "0"}), False),
    ],
)
def test_gpu_nodes(node, found):
    assert is_gpu_node(node) is found


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({}, 0),
        ({"nvidia.com/gpu.count": "8"}, 8),
        ({"nvidia.com/gpu.count": "2", "nvidia.com/gpu.replicas": "4"}, 8),
        ({"nvidia.com/gpu.count": "8", "nvidia.com/gpu.replicas": "0"}, 8),
        ({"nvidia.com/gpu.count": "eight"}, 0),
        ({"nvidia.com/gpu.count": "９"}, 0),
    ],
)
def test_what_a_label_promises(labels, expected):
    assert expected_by_label(node_of(labels=labels)) == expected


def test_gpu_pods_ask_by_resource_or_by_claim():
    limits = ResourceRequirements(limits={"nvidia.com/gpu": "1"})

    assert is_gpu_pod(Pod(spec=PodSpec(containers=[Container(), Container(resources=limits)])))
    assert is_gpu_pod(Pod(spec=PodSpec(resource_claims=[PodResourceClaim("gpu")])))
    assert not is_gpu_pod(Pod(spec=PodSpec(containers=[Container(resources=ResourceRequirements())])))


@pytest.mark.parametrize(
    ("kind", "status", "bad", "doubtful"),
    [
        ("AcceleratedHardwareReady", "False", True, False),
        ("AcceleratedHardwareReady", "True", False, False),
        ("AcceleratedHardwareReady", "Unknown", False, False),
        ("GPUMissing", "True", True, False),
        ("GPUMissing", "False", False, False),
        ("SysLogsXIDError", "True", True, False),
        ("VendorGpuHealthy", "False", False, True),
        ("VendorGpuHealthy", "True", False, False),
        ("MyXidCheck", "True", False, True),
        ("KernelDeadlock", "True", False, False),
        ("Ready", "False", False, False),
    ],
)
def test_polarity_of_conditions(kind, status, bad, doubtful):
    node = node_of("n", Condition(kind, status))

    assert bool(gpu_faults.bad_conditions(node)) is bad
    assert bool(gpu_faults.doubtful_conditions(node)) is doubtful


@pytest.mark.parametrize(
    ("message", "xids"),
    [
        ("NVRM: Xid (PCI:0000:90:1c): 64, pid=1234", (64,)),
        ("NVRM: Xid (PCI:0000:3b:00.0): 31 and NVRM: Xid (PCI:0000:3b:00.0): 79", (31, 79)),
        ("XidCriticalError: Xid=48 on Device=GPU-1", (48,)),
        ("ErrorCode:79 GPU:0 Recommended Action=RESTART_VM;", (79,)),
        ("Xid 94, Xid 94", (94,)),
        ("GPU 3 at 64 degrees", ()),
        (None, ()),
    ],
)
def test_xids_in_messages(message, xids):
    assert gpu_faults.xids_of(Condition("XIDErrors", "True", message=message)) == xids


@pytest.mark.parametrize(
    ("taints", "quarantined"),
    [
        ([], False),
        ([Taint("nvidia.com/gpu", None, "NoSchedule")], False),
        ([Taint("team", "ml", "NoSchedule")], False),
        ([Taint("gpu-fault", None, "NoSchedule")], True),
        ([Taint("gpu-fault", None, "NoExecute")], True),
        ([Taint("gpu-fault", None, "PreferNoSchedule")], False),
    ],
)
def test_a_taint_that_healthy_nodes_bear_is_no_quarantine(taints, quarantined):
    healthy = node_of("well", capacity={"nvidia.com/gpu": "8"}, taints=[Taint("team", "ml", "NoSchedule")])
    node = node_of("n", BAD, taints=taints)

    assert gpu_faults.is_quarantined(cluster_of(healthy, node), node) is quarantined


def test_a_refusal_counts_only_for_a_lost_gpu():
    lost = PodStatus(reason="UnexpectedAdmissionError", message="error creating nvml.Device 3: nvml: GPU is lost")

    assert gpu_faults.is_refused_for_lost_gpu(Pod(status=lost))
    assert not gpu_faults.is_refused_for_lost_gpu(Pod(status=PodStatus(reason="UnexpectedAdmissionError")))
    assert not gpu_faults.is_refused_for_lost_gpu(Pod(status=PodStatus(reason="Evicted", message="GPU is lost")))


def test_tables_are_old_after_a_year():
    assert not are_tables_old(cluster_of(read_at=AS_OF + timedelta(days=365)))
    assert are_tables_old(cluster_of(read_at=AS_OF + timedelta(days=366)))
    assert not are_tables_old(cluster_of(read_at=None))
