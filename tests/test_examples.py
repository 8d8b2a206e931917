"""The saved training cluster: every planted gap is found in it, without a cluster and without a trace of where it was made."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from scripts.training_cluster.world import EXAMPLE, HOSTNAME, objects, planted

ROOT = Path(__file__).parent.parent
AGAIN = "make example && make readme"
# Of the cluster itself: what the API server binds to here, Services, and what simulated kubelets give to pods.
OWN = [ip_network(network) for network in ("127.0.0.1/32", "10.96.0.0/16", "10.0.0.0/24")]


@pytest.fixture(scope="module")
def report(library_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What `kubegap check` says of it where there is no kubeconfig and no home."""
    home = str(tmp_path_factory.mktemp("home"))
    own = {"KUBEGAP_LIBRARY": str(library_dir), "PYTHONPATH": str(ROOT / "src"), "HOME": home}
    environment = {"PATH": os.environ["PATH"], **own}
    command = [sys.executable, "-m", "kubegap", "check", "--snapshot", EXAMPLE, "--format", "json"]
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (1, b"")
    return json.loads(answer.stdout)


@pytest.fixture(scope="module")
def text() -> str:
    return gzip.decompress((ROOT / EXAMPLE).read_bytes()).decode()


def test_exactly_the_planted_gaps_are_found(report: dict) -> None:
    found = {(one["check"], one["id"].partition("/")[2].replace("/-/", "/")) for one in report["findings"]}

    assert found == planted(), AGAIN
    assert len({check for check, _ in found}) >= 12


def test_they_are_of_many_areas_and_of_every_severity(report: dict) -> None:
    areas = {
        path.parent.name for path in (ROOT / "src" / "kubegap" / "checks").glob("*/*.yaml") if _found(report, path)
    }

    assert len(areas) >= 5
    assert {one["severity"] for one in report["findings"]} >= {"critical", "high", "medium", "low"}


def _found(report: dict, pair: Path) -> bool:
    return pair.stem.replace("_", "-") in {one["check"] for one in report["findings"]}


def test_nothing_in_it_was_left_unseen(report: dict) -> None:
    assert [one for one in report["checks"] if one["state"] == "not-seen"] == [], AGAIN
    assert not report["coverage"]["partial"], AGAIN


def test_it_is_called_training(report: dict) -> None:
    assert report["cluster"]["context"] == report["cluster"]["name"] == "training"
    assert report["cluster"]["server"] == "https://127.0.0.1:6443"


def test_it_is_small_and_says_nothing_of_where_it_was_made(text: str) -> None:
    addresses = {found for found in re.findall(r"\b(?:\d{1,3}\.){3}\d{1,3}\b", text) if _is_address(found)}
    nodes = {one["metadata"]["name"] for one in objects(late=False) if one["kind"] == "Node"}

    assert (ROOT / EXAMPLE).stat().st_size < 100_000
    assert re.findall(r"/tmp|/home|/root|/work|/Users", text) == []
    assert [one for one in addresses if not any(ip_address(one) in network for network in OWN)] == []
    assert set(re.findall(rf'"{HOSTNAME}":"([^"]+)"', text)) == {*nodes, "control-plane-0"}
    assert set(re.findall(r'"holderIdentity":"(.+?)[-_]', text)) == {"kubelet", "apiserver"}


def _is_address(text: str) -> bool:
    return all(int(part) < 256 for part in text.split("."))
