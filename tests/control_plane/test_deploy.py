"""`deploy/` on a real API server: everything is accepted, and the account that it makes sees all that the checks read."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kubegap.checks.pages import read_pages
from kubegap.cluster.resources import RESOURCES
from tests.control_plane.asking import ROOT, Kubegap
from tests.control_plane.definitions import definitions
from tests.control_plane.plane import Plane, running, wait
from tests.control_plane.putting_up import install, volume
from tests.schemas import KUSTOMIZATION, faults
from tests.silence.objects import node

DEPLOY = ROOT / "deploy"
ACCOUNT = "kubegap-reader"


@pytest.fixture(scope="module")
def plane(tmp_path_factory):
    """A cluster of its own, in which every custom kind that the checks read is installed before `deploy/` is applied."""
    with running(tmp_path_factory.mktemp("plane"), is_hasty=True) as started:
        groups = {RESOURCES[path].resource.group for page in read_pages().values() for path in page.paths}
        install(started, definitions(groups))
        started.create(*(node(f"n{number}", f"z{number}") for number in range(2)))
        # The suite's user `reader` has a role of the same name.
        kubectl(started, "delete", f"clusterrole/{ACCOUNT}", f"clusterrolebinding/{ACCOUNT}")
        started.applied = kubectl(started, "apply", "-k", str(DEPLOY))
        token_for(started)
        yield started


@pytest.fixture(scope="module")
def kubegap(plane, library) -> Kubegap:
    return Kubegap(plane, library)


def kubectl(plane: Plane, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("kubectl"), "--kubeconfig", plane.kubeconfig("admin"), *arguments]
    environment = {**os.environ, "HOME": str(plane.folder)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


def token_for(plane: Plane) -> None:
    """A kubeconfig of the account, with a token as its pods get one."""
    path = f"/api/v1/namespaces/kubegap/serviceaccounts/{ACCOUNT}/token"
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}}
    token = plane.request("POST", path, request)["status"]["token"]
    config = yaml.safe_load(Path(plane.kubeconfig("nobody")).read_text())
    config["users"][0]["user"]["token"] = token
    Path(plane.kubeconfig(ACCOUNT)).write_text(yaml.safe_dump(config))


def pods(plane: Plane, name: str) -> list[dict]:
    found = plane.list("/api/v1/namespaces/kubegap/pods")
    return [pod for pod in found if pod["metadata"]["labels"]["app.kubernetes.io/name"] == name]


def is_ready(pod: dict) -> bool:
    return any(one["type"] == "Ready" and one["status"] == "True" for one in pod["status"].get("conditions", ()))


def test_everything_is_accepted_without_a_warning(plane):
    made = {line.partition(" ")[0] for line in plane.applied.stdout.splitlines()}

    assert plane.applied.stderr == ""
    assert len(made) == len([1 for file in DEPLOY.glob("*.yaml") for _ in yaml.safe_load_all(file.read_text())]) - 1


def test_the_role_is_enough_for_every_check_and_every_kind(kubegap):
    report = kubegap.report(ACCOUNT)
    kinds = {kind["kind"]: kind["state"] for kind in report["coverage"]["kinds"]}

    assert {kind: state for kind, state in kinds.items() if state != "read"} == {}
    assert len(kinds) == len({path for page in read_pages().values() for path in page.paths})
    assert [check for check in report["checks"] if check["state"] == "not-seen"] == []
    assert not report["coverage"]["partial"]


@pytest.mark.parametrize(
    ("verb", "resource"), [("list", "secrets"), ("list", "configmaps"), ("watch", "pods"), ("delete", "pods")]
)
def test_the_role_allows_nothing_else(plane, verb, resource):
    asked = {"namespace": "kube-system", "verb": verb, "resource": resource}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": f"system:serviceaccount:kubegap:{ACCOUNT}", "resourceAttributes": asked},
    }
    path = "/apis/authorization.k8s.io/v1/subjectaccessreviews"

    assert plane.request("POST", path, review)["status"]["allowed"] is False
    review["spec"]["resourceAttributes"] = {"namespace": "kube-system", "verb": "list", "resource": "pods"}
    assert plane.request("POST", path, review)["status"]["allowed"] is True


def test_the_library_runs_in_a_restricted_namespace_on_two_nodes(plane):
    wait(lambda: sum(map(is_ready, pods(plane, "kubegap-library"))) == 2)

    assert {pod["spec"]["nodeName"] for pod in pods(plane, "kubegap-library")} == {"n0", "n1"}
    budget = "/apis/policy/v1/namespaces/kubegap/poddisruptionbudgets/kubegap-library"
    wait(lambda: plane.request("GET", budget)["status"]["disruptionsAllowed"] == 1)


def test_a_job_of_the_cronjob_gets_its_pod(plane):
    kubectl(plane, "-n", "kubegap", "create", "job", "now", "--from=cronjob/kubegap-check")

    wait(lambda: pods(plane, "kubegap-check"))


def recipes(language: str) -> list[str]:
    """The blocks of docs/deploy.md in a language, which both translations share."""
    english, korean = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("deploy.md", "deploy.ko.md"))
    found = re.findall(rf"^```{language}\n(.*?)^```", english, re.DOTALL | re.MULTILINE)
    assert found == re.findall(rf"^```{language}\n(.*?)^```", korean, re.DOTALL | re.MULTILINE)
    return found


@pytest.fixture
def shell(plane, library, tmp_path):
    """A shell in a folder, of one who may create roles; kubegap is on the PATH, and a name and a key are in the kubeconfig."""
    (tmp_path / "kubegap").write_text(f'#!/bin/sh\nexec {sys.executable} -m kubegap "$@"\n')
    (tmp_path / "kubegap").chmod(0o755)
    config = shutil.copy(plane.kubeconfig("admin"), tmp_path / "config")
    path = f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    own = {"KUBECONFIG": config, "KUBEGAP_LIBRARY": str(library), "PATH": path, "HOME": str(tmp_path)}

    def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **own, "PYTHONPATH": str(ROOT / "src")}
        return subprocess.run(
            ["bash", "-ec", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_the_docs_make_an_account_that_sees_all(shell):
    (block,) = [block for block in recipes("sh") if "set-credentials" in block]
    answer = shell(f"{block.rstrip()} --format json", ROOT)
    assert answer.returncode in {0, 1}, answer.stderr
    report = json.loads("{" + answer.stdout.partition("{")[2])

    assert [check for check in report["checks"] if check["state"] == "not-seen"] == []
    assert report["cluster"]["context"] == "kubegap"
    assert not report["coverage"]["partial"]


def test_the_docs_put_it_up_with_changes_of_ones_own(plane, shell, tmp_path):
    (kustomization,) = recipes("yaml")
    (apply,) = [block for block in recipes("sh") if "apply -k" in block]
    own = tmp_path / "beside" / "own"
    shutil.copytree(DEPLOY, tmp_path / "beside" / "kubegap" / "deploy")
    own.mkdir()
    (own / "kustomization.yaml").write_text(kustomization)
    # The claim of the module's cluster is there already, and its class cannot be changed.
    kubectl(plane, "-n", "kubegap", "delete", "--wait=false", "pvc/kubegap-reports")
    wait(lambda: plane.answer("GET", "/api/v1/namespaces/kubegap/persistentvolumeclaims/kubegap-reports")[0] == 404)

    claim = yaml.safe_load((DEPLOY / "reports.yaml").read_text())["spec"] | {"storageClassName": "standard"}
    plane.create(volume("kubegap", "kubegap-reports", claim))

    answer = shell(apply.replace("15m", "60s"), own)
    cronjob = plane.request("GET", "/apis/batch/v1/namespaces/kubegap/cronjobs/kubegap-check")
    template = cronjob["spec"]["jobTemplate"]["spec"]["template"]["spec"]

    assert answer.returncode == 0, answer.stderr
    assert "job.batch/kubegap-now condition met" in answer.stdout
    assert cronjob["spec"]["schedule"] == "0 2 * * *"
    assert template["containers"][0]["image"] == "registry.example.com/platform/kubegap:0.1.0"
    assert faults(KUSTOMIZATION, yaml.safe_load(kustomization)) == []


def night(plane: Plane, library: Path, reports: Path, user: str = ACCOUNT) -> subprocess.CompletedProcess[str]:
    """The CronJob's own command, with its own environment but for the places on disk."""
    cronjob = yaml.safe_load((DEPLOY / "check.yaml").read_text())
    (container,) = cronjob["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    (reports / "tmp").mkdir(exist_ok=True)
    environment = {
        **{entry["name"]: entry["value"] for entry in container["env"]},
        "REPORTS": str(reports),
        "TMPDIR": str(reports / "tmp"),
        "KUBECONFIG": plane.kubeconfig(user),
        "KUBEGAP_LIBRARY": str(library),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
    }
    command = [*container["command"], *container["args"]]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_nightly_command_writes_each_report_whole(plane, library, tmp_path):
    answer = night(plane, library, tmp_path)
    report = json.loads((tmp_path / "kubegap.json").read_text())

    assert answer.returncode == 0, answer.stderr
    assert report["cluster"]["uid"] == plane.request("GET", "/api/v1/namespaces/kube-system")["metadata"]["uid"]
    assert (tmp_path / "kubegap.openmetrics").read_text().endswith("# EOF\n")
    assert {file.name for file in tmp_path.iterdir()} == {"kubegap.json", "kubegap.openmetrics", "tmp"}


def test_gaps_and_kinds_that_were_refused_do_not_fail_the_night_but_are_told(plane, library, tmp_path):
    answer = night(plane, library, tmp_path, user="lacks-pods")
    report = json.loads((tmp_path / "kubegap.json").read_text())

    assert answer.returncode == 0, answer.stderr
    assert report["coverage"]["partial"]
    assert "kubegap_partial 1" in (tmp_path / "kubegap.openmetrics").read_text()


def test_trouble_fails_the_night_and_leaves_the_last_report_alone(plane, tmp_path):
    (tmp_path / "kubegap.json").write_text("yesterday")

    answer = night(plane, tmp_path / "no-library", tmp_path)

    assert answer.returncode != 0
    assert (tmp_path / "kubegap.json").read_text() == "yesterday"
