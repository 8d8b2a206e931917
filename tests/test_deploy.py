"""What stands in `deploy/`: silent under our own checks, hardened throughout, and fed from locked requirements only."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def manifests() -> list[dict]:
    found = (yaml.safe_load_all(file.read_text(encoding="utf-8")) for file in sorted(DEPLOY.glob("*.yaml")))
    return [thing for file in found for thing in file]


def pod_specs() -> Iterator[dict]:
    for thing in manifests():
        if thing["kind"] == "CronJob":
            yield thing["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        elif thing["kind"] == "Deployment":
            yield thing["spec"]["template"]["spec"]


def test_no_check_finds_anything_in_what_we_deploy(library_dir: Path) -> None:
    command = [sys.executable, "-m", "kubegap", "check", "-f", str(DEPLOY), "--format", "json"]
    environment = {**os.environ, "KUBEGAP_LIBRARY": str(library_dir)}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    report = json.loads(answer.stdout)

    assert answer.returncode == 0, answer.stderr
    assert [finding for finding in report["findings"] if finding["severity"] != "info"] == []
    # It was looked at: Deployment, CronJob, Service and budget were read and judged.
    states = {check["check"]: check["state"] for check in report["checks"]}
    judged = {"image-unpinned", "pdb-blocks-drain", "pdb-missing", "readiness-missing", "requests-missing"}
    assert {states[name] for name in judged} == {"clear"}


def test_every_file_is_in_the_kustomization() -> None:
    listed = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]

    assert {*listed, "kustomization.yaml"} == {file.name for file in DEPLOY.glob("*.yaml")}


@pytest.mark.parametrize("spec", list(pod_specs()), ids=lambda spec: spec["containers"][0]["name"])
def test_containers_may_do_nothing_beyond_their_work(spec: dict) -> None:
    (container,) = spec["containers"]
    security = container["securityContext"]

    assert spec["securityContext"]["runAsNonRoot"]
    assert security["readOnlyRootFilesystem"]
    assert not security["allowPrivilegeEscalation"]
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert {"cpu", "memory"} <= set(container["resources"]["requests"])
    assert "memory" in container["resources"]["limits"]


def test_only_the_check_has_a_token() -> None:
    accounts = {spec["containers"][0]["name"]: spec.get("serviceAccountName") for spec in pod_specs()}
    withheld = {
        spec["containers"][0]["name"] for spec in pod_specs() if spec.get("automountServiceAccountToken") is False
    }

    assert accounts == {"check": "kubegap-reader", "library": None}
    assert withheld == {"library"}


@pytest.mark.parametrize(
    ("codes", "texts", "expected"),
    [
        ({"json": 1, "openmetrics": 0}, {"json": "new", "openmetrics": "new"}, 0),
        # A check broke: the reports are whole, and one of them is no excuse to leave the other old.
        ({"json": 2, "openmetrics": 2}, {"json": "new", "openmetrics": "new"}, 2),
        ({"json": 2, "openmetrics": 0}, {"json": "", "openmetrics": "new"}, 2),
        ({"json": 137, "openmetrics": 0}, {"json": "ne", "openmetrics": "new"}, 2),
    ],
)
def test_whole_reports_are_in_place_before_the_job_fails(
    codes: dict, texts: dict, expected: int, tmp_path: Path
) -> None:
    (container,) = next(spec for spec in pod_specs() if spec["containers"][0]["name"] == "check")["containers"]
    cases = "".join(f"  *{name}) printf %s '{texts[name]}'; exit {codes[name]} ;;\n" for name in codes)
    stand_in = tmp_path / "kubegap"
    stand_in.write_text(f'#!/bin/sh\ncase "$*" in\n{cases}esac\n', encoding="utf-8")
    stand_in.chmod(0o755)
    for name in codes:
        (tmp_path / f"kubegap.{name}").write_text("old", encoding="utf-8")
    environment = {
        **{setting["name"]: setting["value"] for setting in container["env"]},
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "TMPDIR": str(tmp_path),
        "REPORTS": str(tmp_path),
    }

    done = subprocess.run([*container["command"], *container["args"]], env=environment, check=False)

    assert done.returncode == expected
    reports = {name: (tmp_path / f"kubegap.{name}").read_text(encoding="utf-8") for name in codes}
    was_killed = 137 in codes.values()
    assert reports == {name: "old" if was_killed else text or "old" for name, text in texts.items()}


def test_the_image_bears_the_version_of_the_package_and_names_no_registry() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    images = {spec["containers"][0]["image"] for spec in pod_specs()}
    kustomization = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text(encoding="utf-8"))

    assert images == {f"kubegap:{version}"}
    assert kustomization["images"] == [{"name": "kubegap", "newTag": version}]


def test_the_containerfile_installs_nothing_that_is_not_locked() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install ([^&\n]+)", text)

    assert len(installs) == 3
    assert all("--require-hashes" in one or "--no-deps dist/" in one for one in installs)
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE}"}
    assert re.search(r"^ARG BASE$", text, re.MULTILINE)
    assert re.findall(r"^USER (\S+)$", text, re.MULTILINE) == ["65532:65532"]
    copied = [name for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE) for name in line.split()[:-1]]
    assert [name for name in copied if not (ROOT / name).exists()] == []
