"""Formats, baselines and comparisons on the command line: files, exit codes, and what is said on stderr."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DUMP = ROOT / "tests/cluster/data/eks-policy-engines.json"
CHECK = "webhook-fail-closed-wide"
GATEKEEPER = f"{CHECK}/ValidatingWebhookConfiguration/-/gatekeeper-validating-webhook-configuration"


@pytest.fixture
def check(library_dir, tmp_path):
    """Runs `kubegap check` in a folder of its own: (exit code, stdout, stderr)."""

    def run(*arguments, **environment):
        own = {"LC_ALL": "en_US.UTF-8", "KUBEGAP_LIBRARY": str(library_dir), **environment}
        command = [sys.executable, "-m", "kubegap", "check", "--select", CHECK, *map(str, arguments)]
        done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **own}, capture_output=True, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


def test_what_a_baseline_knows_counts_no_more(check, tmp_path):
    assert check("-f", DUMP, "--write-baseline", "known.yaml")[0] == 0

    code, out, _ = check("-f", DUMP, "--baseline", "known.yaml", "--format", "json")

    assert code == 0
    assert {finding["status"] for finding in json.loads(out)["findings"]} == {"known"}
    assert GATEKEEPER in (tmp_path / "known.yaml").read_text(encoding="utf-8")


def test_an_acceptance_that_ended_counts_and_one_that_lasts_is_carried_on(check, tmp_path):
    check("-f", DUMP, "--write-baseline", "known.yaml")
    path = tmp_path / "known.yaml"
    accepted = "severity: critical\n  accepted:\n    reason: moves\n    until: 2026-11-30"
    path.write_text(path.read_text(encoding="utf-8").replace("severity: critical", accepted), encoding="utf-8")

    lasting = check("-f", DUMP, "--baseline", "known.yaml", "--write-baseline", "known.yaml")
    ended = check("-f", DUMP, "--baseline", "known.yaml", "--read-at", "2026-12-01T00:00:00Z")

    assert (lasting[0], ended[0]) == (0, 1)
    assert "accepted 1" in lasting[1]
    assert "its acceptance ended on 2026-11-30 (moves)" in " ".join(ended[1].split())


def test_a_baseline_is_written_over_no_other_file_than_the_one_that_was_read(check, tmp_path):
    (tmp_path / "other.yaml").write_text("version: 1\nfindings: []\n", encoding="utf-8")
    check("-f", DUMP, "--write-baseline", "known.yaml")
    before = (tmp_path / "known.yaml").read_bytes()

    alone = check("-f", tmp_path / "missing.json", "--write-baseline", "known.yaml")
    beside_another = check("-f", DUMP, "--baseline", "other.yaml", "--write-baseline", "known.yaml")
    itself = check("-f", DUMP, "--baseline", "known.yaml", "--write-baseline", "./known.yaml")

    assert (alone[0], beside_another[0], itself[0]) == (2, 2, 0)
    assert "Give `--baseline known.yaml` as well to carry it on" in alone[2]
    assert (tmp_path / "known.yaml").read_bytes() == before


def test_another_cluster_is_one_line_and_two(check, tmp_path):
    (tmp_path / "other.yaml").write_text("version: 1\ncluster: somebody-else\nfindings: []\n", encoding="utf-8")

    code, out, err = check("-f", DUMP, "--baseline", "other.yaml")

    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "somebody-else" in err


def test_a_mistake_in_a_baseline_is_told_at_its_line(check, tmp_path):
    (tmp_path / "bad.yaml").write_text("version: 1\nfinding: []\n", encoding="utf-8")

    code, _, err = check("-f", DUMP, "--baseline", "bad.yaml")

    assert code == 2
    assert "bad.yaml:2:1: finding: there is no field `finding`; did you mean `findings`?" in err


def test_two_times_are_compared(check, tmp_path):
    dump = json.loads(DUMP.read_text(encoding="utf-8"))
    healthy = [item for item in dump["items"] if item["kind"] != "ValidatingWebhookConfiguration"]
    harmless = {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "harmless"},
        "webhooks": [],
    }
    after = tmp_path / "after.json"
    after.write_text(json.dumps(dump | {"items": [*healthy, harmless]}), encoding="utf-8")

    mended = check("--compare", DUMP, after, "--format", "json")
    broken = check("--compare", after, DUMP, "--format", "json")

    assert (mended[0], broken[0]) == (0, 1)
    assert GATEKEEPER in json.loads(mended[1])["baseline"]["gone"]
    assert {finding["status"] for finding in json.loads(broken[1])["findings"]} == {"new"}


def test_what_could_not_be_seen_before_is_said(check, tmp_path):
    dump = json.loads(DUMP.read_text(encoding="utf-8"))
    lacking = [item for item in dump["items"] if item["kind"] != "ValidatingWebhookConfiguration"]
    before = tmp_path / "before.json"
    before.write_text(json.dumps(dump | {"items": lacking}), encoding="utf-8")

    _, compared, note = check("--compare", before, DUMP, "--format", "json")
    check("-f", before, "--write-baseline", "known.yaml")
    _, _, again = check("-f", DUMP, "--baseline", "known.yaml")

    assert {finding["status"] for finding in json.loads(compared)["findings"]} == {"new"}
    assert f"may have been there before: {CHECK}." in note
    assert f"may have been there before: {CHECK}." in again


@pytest.mark.parametrize(
    "arguments", [["-f", DUMP, "--compare", DUMP, DUMP], ["--compare", DUMP, DUMP, "--baseline", "x.yaml"]]
)
def test_one_input_and_one_baseline(check, arguments):
    assert check(*arguments)[0] == 2


def test_an_object_accepts_a_finding_itself(check, tmp_path):
    dump = json.loads(DUMP.read_text(encoding="utf-8"))
    for item in dump["items"]:
        if item["metadata"]["name"] == GATEKEEPER.rpartition("/")[2]:
            item["metadata"]["annotations"] = {f"accept.kubegap.io/{CHECK}": "the vendor mends it; until 2027-03-01"}
    path = tmp_path / "accepted.json"
    path.write_text(json.dumps(dump), encoding="utf-8")

    code, out, _ = check("-f", path, "--format", "json")

    assert code == 0
    assert json.loads(out)["findings"][0]["accepted"] == {"reason": "the vendor mends it", "until": "2027-03-01"}


def test_an_annotation_of_no_check_is_told_and_one_of_a_check_that_was_not_chosen_is_not(check, tmp_path):
    dump = json.loads(DUMP.read_text(encoding="utf-8"))
    reason = "the vendor mends it; until 2027-03-01"
    misspelt = f"accept.kubegap.io/{CHECK}r"
    dump["items"][0]["metadata"]["annotations"] = {misspelt: reason, "accept.kubegap.io/replicas-colocated": reason}
    path = tmp_path / "accepted.json"
    path.write_text(json.dumps(dump), encoding="utf-8")

    _, out, err = check("-f", path, "--format", "json")

    assert [note["en"] for note in json.loads(out)["notes"]] == [err.removeprefix("kubegap: ").rstrip()]
    assert misspelt in err
    assert err.rstrip().endswith(f"there is no such check; did you mean `{CHECK}`?")


def test_the_address_of_the_library_may_come_from_the_environment(check):
    told = check("-f", DUMP, "--format", "ndjson", KUBEGAP_LIBRARY_URL="https://incidents.example.com")[1]

    assert "https://incidents.example.com/ko/incidents/" in told
    assert check("-f", DUMP, "--library-url", "javascript:alert(1)")[0] == 2


def test_every_format_is_an_option(check):
    from kubegap.report import formats

    for form in formats.names():
        code, out, err = check("-f", DUMP, "--format", form)
        assert (code, err) == (1, ""), form
        assert out.endswith("\n")


def test_what_a_namespace_leaves_out_is_counted_and_is_not_clear(check):
    table = check("-f", DUMP, "--namespace", "kube-system")
    found = json.loads(check("-f", DUMP, "--namespace", "kube-system", "--format", "json")[1])

    assert table[0] == 0
    assert "found 1" in table[1]
    words = " ".join(table[1].split())
    assert "Left out by `--namespace`: 2 (checks: 1), on subjects outside of kube-system or in no namespace" in words
    assert (found["findings"], found["checks"][0]["state"]) == ([], "found")
    assert found["checks"][0]["reason"]["en"].endswith("left out: 2.")


def test_a_namespace_that_does_not_exist_is_a_mistake(check):
    code, out, err = check("-f", DUMP, "--namespace", "kube-sistem")

    assert (code, out) == (2, "")
    assert "There is no namespace `kube-sistem`, and nothing in it. did you mean `kube-system`" in err
