"""kubegap as a process, run by one of the users of a real cluster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from kubegap.checks import pages
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import access
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import ReadState
from tests.control_plane.plane import Plane
from tests.control_plane.world import GAPS

ROOT = Path(__file__).parent.parent.parent


class Kubegap:
    """Runs kubegap as one of the users of the cluster."""

    def __init__(self, plane: Plane, library: Path) -> None:
        self.plane, self.library = plane, library

    def environment(self, user: str) -> dict[str, str]:
        own = {"KUBECONFIG": self.plane.kubeconfig(user), "KUBEGAP_LIBRARY": str(self.library), "COLUMNS": "100"}
        return {**os.environ, "LC_ALL": "en_US.UTF-8", **own}

    def __call__(self, user: str, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "kubegap", *arguments]
        environment = self.environment(user)
        return subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, check=False)

    def report(self, user: str, *arguments: str, stdin: bytes = b"") -> dict:
        answer = self(user, "check", "--format", "json", *arguments, stdin=stdin)
        assert answer.returncode in {0, 1, 3}, answer.stderr
        return json.loads(answer.stdout)


def found(report: dict) -> set[tuple[str, str]]:
    """Checks and subjects, as in ids, of the findings of a report."""
    return {(finding["check"], finding["id"].partition("/")[2]) for finding in report["findings"]}


def states(report: dict) -> dict[str, str]:
    """The state of each check in a report."""
    return {check["check"]: check["state"] for check in report["checks"]}


def visible(table: str) -> set[str]:
    """Checks of planted gaps that have a line with how many findings there are and one of their subjects."""
    lines = table.splitlines()
    return {check for check, subjects in _SUBJECTS.items() if any(_tells(line, check, subjects) for line in lines)}


def _tells(line: str, check: str, subjects: set[str]) -> bool:
    return f"{check} ({len(subjects)})" in line and any(f"  {subject}" in line for subject in subjects)


_SUBJECTS: dict[str, set[str]] = defaultdict(set)
for _check, _subject in GAPS:
    _SUBJECTS[_check].add(_subject.replace("/-/", "/"))


def printed(plane: Plane, form: str) -> bytes:
    """What the real kubectl prints of everything that the checks read and the server has, in a format."""
    read = collect(access(plane.kubeconfig("reader"), None, {}), RESOURCES)
    there = {path for path, coverage in read.coverage.items() if coverage.state is ReadState.READ}
    there -= {path for path, kind in RESOURCES.items() if kind.resource.is_metric}
    kinds = sorted({path for page in pages.read_pages().values() for path in page.paths} & there)
    names = ",".join(as_kubectl_says(kind) for kind in kinds)
    kubectl = Path(sys.executable).parent / "kubectl"
    command = [kubectl, "--kubeconfig", plane.kubeconfig("admin"), "get", names, "-A", "-o", form]
    return subprocess.run(command, capture_output=True, check=True, env={"HOME": str(plane.folder)}).stdout


def as_kubectl_says(path: str) -> str:
    """`discovery.k8s.io/v1/endpointslices` is `endpointslices.v1.discovery.k8s.io` to kubectl."""
    *group, version, plural = path.split("/")
    return f"{plural}.{version}.{group[0]}" if group else plural
