"""How much memory processes can share, and how containers ended."""

import pytest

from kubegap.cluster.containers import (
    Container,
    ContainerState,
    ContainerStatus,
    EmptyDir,
    Terminated,
    Volume,
    VolumeMount,
)
from kubegap.cluster.fields import PodSpec, PodStatus
from kubegap.cluster.objects import Pod
from kubegap.cluster.shared_memory import BOUNDLESS, DEFAULT, size_of
from kubegap.cluster.workloads import exit_codes_of


@pytest.mark.parametrize(
    ("path", "volume", "size"),
    [
        ("/data", EmptyDir("1Gi"), DEFAULT),
        ("/dev/shm", EmptyDir("1Gi"), 1 << 30),
        ("/dev/shm/", EmptyDir("512Mi"), 512 << 20),
        ("/dev/shm", EmptyDir(), BOUNDLESS),
        ("/dev/shm", None, BOUNDLESS),
    ],
)
def test_a_volume_stands_in_place_of_the_default(path, volume, size):
    container = Container(name="c", volume_mounts=[VolumeMount("v", path)])
    spec = PodSpec(containers=[container], volumes=[Volume(name="v", empty_dir=volume), Volume(name="w")])

    assert size_of(spec, container) == size


def test_a_container_ended_now_or_before():
    now, before = (ContainerState(terminated=Terminated(exit_code=code)) for code in (1, 135))
    statuses = [ContainerStatus("a", state=now, last_state=before), ContainerStatus("b", state=ContainerState())]
    pod = Pod(status=PodStatus(container_statuses=statuses))

    assert exit_codes_of(pod, "a") == {1, 135}
    assert exit_codes_of(pod, "b") == exit_codes_of(pod, "c") == set()
