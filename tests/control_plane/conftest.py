"""One control plane for the whole suite, with everything planted, and kubegap as a process that looks at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kubegap.checks import pages
from tests.control_plane.impatient import compile_impatient
from tests.control_plane.plane import OWN, Plane, running
from tests.control_plane.world import plant

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_impatient(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory):
    with running(tmp_path_factory.mktemp("plane")) as started:
        plant(started)
        yield started


class Kubegap:
    """Runs kubegap as one of the users of the cluster."""

    def __init__(self, plane: Plane, library: Path) -> None:
        self.plane, self.library = plane, library

    def __call__(self, user: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        own = {"KUBECONFIG": self.plane.kubeconfig(user), "KUBEGAP_LIBRARY": str(self.library), "COLUMNS": "100"}
        command = [sys.executable, "-m", "kubegap", *arguments]
        environment = {**os.environ, "LC_ALL": "en_US.UTF-8", **own}
        return subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, check=False)

    def report(self, user: str, *arguments: str, stdin: bytes = b"") -> dict:
        answer = self(user, "check", "--format", "json", *arguments, stdin=stdin)
        assert answer.returncode in {0, 1, 3}, answer.stderr
        return json.loads(answer.stdout)


@pytest.fixture(scope="session")
def kubegap(plane: Plane, library: Path) -> Kubegap:
    return Kubegap(plane, library)


@pytest.fixture(scope="session")
def dump(plane: Plane):
    """What the real kubectl prints of everything that the checks read, in a format."""

    def get(form: str) -> bytes:
        kinds = sorted({path for page in pages.read_pages().values() for path in page.paths} & set(OWN))
        names = ",".join(as_kubectl_says(kind) for kind in kinds)
        kubectl = Path(sys.executable).parent / "kubectl"
        command = [kubectl, "--kubeconfig", plane.kubeconfig("admin"), "get", names, "-A", "-o", form]
        return subprocess.run(command, capture_output=True, check=True, env={"HOME": str(plane.folder)}).stdout

    return get


def as_kubectl_says(path: str) -> str:
    """`discovery.k8s.io/v1/endpointslices` is `endpointslices.v1.discovery.k8s.io` to kubectl."""
    *group, version, plural = path.split("/")
    return f"{plural}.{version}.{group[0]}" if group else plural
