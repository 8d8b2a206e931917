"""Every gap that was planted in the real cluster is found, with what was seen, and no look-alike is, however it is read."""

import json
import os
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from kubegap.checks.pages import read_pages
from kubegap.cluster.resources import RESOURCES
from tests.control_plane.asking import ROOT, found, states
from tests.control_plane.plane import path_of
from tests.control_plane.world import GAPS, LOOK_ALIKES, PLANTED

PLANTED_CHECKS = {check for check, _ in GAPS}
# What only the API server's metrics and its notes of who wrote what show is in nothing that kubectl prints.
BY_METRICS = {
    page.id for page in read_pages().values() if any(RESOURCES[path].resource.is_metric for path in page.paths)
}
HANGUL = re.compile("[가-힣]")
# What is not there is what makes it a look-alike: nothing would ask for this Service.
NOWHERE = {"Service/gated/unasked"}


def evidence(report):
    return {finding["id"]: finding["evidence"] for finding in report["findings"]}


def test_a_look_alike_stands_beside_every_gap():
    assert {check for check, _ in LOOK_ALIKES} == PLANTED_CHECKS
    assert not GAPS & set(LOOK_ALIKES)


@pytest.mark.parametrize("check", read_pages())
def test_every_check_is_planted(live, check):
    assert states(live)[check] != "not-seen"
    if check not in PLANTED_CHECKS:
        pytest.skip("no room of the world has this gap yet")


def test_every_gap_is_found_live_and_no_look_alike_is(live):
    assert found(live) == GAPS
    assert {states(live)[check] for check in PLANTED_CHECKS} == {"found"}
    assert not live["coverage"]["partial"]


@pytest.mark.parametrize("gap", PLANTED, ids=lambda gap: f"{gap.check}-{gap.subject}")
def test_the_evidence_is_what_was_planted(live, gap):
    seen = evidence(live).get(f"{gap.check}/{gap.subject}")

    assert seen is not None
    assert [path for path, value in gap.seen.items() if not any(_is_of(one, path, value) for one in seen)] == [], seen


def _is_of(one, path, value):
    fits = one["value"] is value if value is None else fnmatchcase(one["value"] or "", value)
    return one["path"] == path and fits


def test_look_alikes_are_there(plane):
    missing = []
    for _, subject in LOOK_ALIKES:
        kind, place, name = subject.split("/")
        paths = [path_of(version, kind, place.strip("-") or None) for version in _versions(kind)]
        names = {one["metadata"]["name"] for path in paths for one in plane.list(path)}
        missing += [subject] if name not in names and subject not in NOWHERE else []

    assert missing == []


def _versions(kind):
    return [known.resource.api_version for known in RESOURCES.values() if known.resource.kind == kind]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_the_same_is_found_in_what_kubectl_prints(kubegap, live, dump, form):
    files = kubegap.report("reader", "-f", "-", stdin=dump(form))

    assert found(files) == {gap for gap in GAPS if gap[0] not in BY_METRICS}
    assert {states(files)[check] for check in BY_METRICS} == {"not-seen"}
    shown = {name: seen for name, seen in evidence(live).items() if name.partition("/")[0] not in BY_METRICS}
    assert evidence(files) == shown


def test_the_same_is_found_by_the_line_of_the_readme(kubegap, tmp_path):
    (line,) = re.findall(r"^for kind in .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    (tmp_path / "kubegap").write_text(f'#!/bin/sh\nexec {sys.executable} -m kubegap "$@"\n')
    (tmp_path / "kubegap").chmod(0o755)
    own = {"PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    # What kubectl asks must not count as asked by one of those whom kubegap is run as.
    environment = kubegap.environment("admin") | own
    answer = subprocess.run(
        ["sh", "-c", f"{line} --format json"], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    told = [text for text in answer.stderr.decode().splitlines() if "doesn't have a resource type" not in text]

    assert found(json.loads(answer.stdout)) == {gap for gap in GAPS if gap[0] not in BY_METRICS}
    assert told == []


def test_the_same_is_found_in_a_saved_snapshot(kubegap, live, tmp_path):
    path = str(tmp_path / "s")
    assert kubegap("reader", "snapshot", "save", path).returncode == 0

    saved = kubegap.report("reader", "--snapshot", path)

    assert saved["findings"] == live["findings"]
    assert saved["checks"] == live["checks"]


def test_every_finding_says_what_to_do_in_both_languages(live):
    texts = [finding[part] for finding in live["findings"] for part in ("message", "remediation")]

    assert [text for text in texts if not HANGUL.search(text["ko"]) or HANGUL.search(text["en"])] == []


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_whole_report_names_every_subject(kubegap, lang):
    text = kubegap("reader", "check", "--verbose", "--lang", lang).stdout.decode()

    assert [gap for gap in GAPS if gap[1].replace("/-/", "/") not in text] == []
    assert bool(HANGUL.search(text)) is (lang == "ko")
