"""Scans in the user's cache: private, whole, few, not old; and what else lies there is left alone and told of."""

import gzip
import os
import stat
from datetime import timedelta

import msgspec
import pytest

from kubegap.mcp import scans as kept_scans
from kubegap.mcp.scans import Scans, UnknownScan
from kubegap.report import kept
from kubegap.report.formats.json import render
from kubegap.report.kept import NoReport
from kubegap.report.view import View


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "scans"


@pytest.fixture
def scans(folder, shelf):
    return Scans(folder, shelf)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_scan_is_the_same_when_it_is_read_again(scans, folder, shelf, everything):
    scan = scans.keep(everything)
    again = Scans(folder, shelf).get(scan.id)

    assert render(View(again.report, "en", verdict=again.verdict)) == render(
        View(scan.report, "en", verdict=scan.verdict)
    )
    assert again.report.snapshot.uid == everything.snapshot.uid


def test_no_object_is_kept_beside_what_owners_accepted():
    from kubegap.checks.run import Report
    from kubegap.cluster import files

    text = b"""
apiVersion: v1
kind: Namespace
metadata: {name: kube-system, uid: u-1, labels: {secret-label: x}}
---
apiVersion: v1
kind: Service
metadata:
  name: cart
  namespace: shop
  annotations: {accept.kubegap.io/webhook-fail-closed-wide: "moving; until 2027-01-01", other: hidden-value}
spec: {selector: {app: hidden-selector}}
"""
    snapshot = files.decode([("x.yaml", text)])
    data = gzip.decompress(kept.encode(Report(snapshot, ()), "x")).decode()
    restored = kept.decode(kept.encode(Report(snapshot, ()), "x"), {}, "x")

    assert "moving; until 2027-01-01" in data
    assert restored.snapshot.uid == "u-1"
    for hidden in ("hidden-value", "hidden-selector", "secret-label"):
        assert hidden not in data


def test_only_its_owner_may_read_a_scan(scans, folder, everything):
    folder.mkdir(parents=True, mode=0o777)
    scan = scans.keep(everything)
    (path,) = folder.iterdir()

    assert scan.id in path.name
    assert mode(folder) == 0o700
    assert mode(path) == 0o600


def test_the_newest_scan_is_meant_where_none_is_named(scans, everything):
    scans.keep(everything)
    newest = scans.keep(everything)

    assert scans.get("").id == newest.id


def test_no_more_than_a_number_of_scans_are_kept(scans, folder, shelf, everything, monkeypatch):
    monkeypatch.setattr(kept_scans, "MOST", 3)
    ids = [scans.keep(everything).id for _ in range(5)]

    assert len(list(folder.iterdir())) == 3
    assert Scans(folder, shelf).ids() == ids[2:]


def test_scans_are_forgotten_when_they_take_too_much_room(scans, folder, everything, monkeypatch):
    scans.keep(everything)
    monkeypatch.setattr(kept_scans, "MOST_BYTES", 10)
    scans.keep(everything)

    assert len(list(folder.iterdir())) == 1


def test_an_old_scan_is_forgotten(scans, folder, shelf, everything):
    scan = scans.keep(everything)
    path = next(folder.iterdir())
    old = scan.made - timedelta(days=8)
    path.rename(folder / f"{old:%Y%m%dt%H%M%S%fz}-0000.report.gz")
    fresh = Scans(folder, shelf)

    assert fresh.ids() == []
    with pytest.raises(UnknownScan):
        fresh.get("")
    fresh.keep(everything)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize(
    "data",
    [b"", b"no gzip", gzip.compress(b"{}"), gzip.compress(b"[" * 100_000), gzip.compress(b'{"format":"other"}')],
    ids=["empty", "no gzip", "no fields", "deep", "other format"],
)
def test_a_damaged_scan_is_ignored_and_told_of(folder, shelf, everything, data):
    scans = Scans(folder, shelf)
    good = scans.keep(everything)
    bad = good.made + timedelta(seconds=5)
    name = f"{bad:%Y%m%dt%H%M%S%fz}-0000"
    (folder / f"{name}.report.gz").write_bytes(data)
    fresh = Scans(folder, shelf)

    assert fresh.get("").id == good.id
    assert any(name in note.en and name in note.ko for note in fresh.notes())
    with pytest.raises(UnknownScan, match="cannot be read"):
        fresh.get(name)


def test_a_scan_of_other_checks_is_ignored_and_told_of(folder, shelf, everything):
    Scans(folder, shelf).keep(everything)
    (path,) = folder.iterdir()
    path.write_bytes(kept.encode(everything, "another edition"))
    fresh = Scans(folder, shelf)

    assert fresh.newest() is None
    assert "another edition of the checks" in fresh.notes()[0].en


def test_foreign_files_are_left_alone_and_told_of(folder, shelf, everything, tmp_path):
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / "99999999t999999999999z-0000.report.gz").write_text("no time")
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    (folder / "20261130t000000000000z-0000.report.gz").symlink_to(secret)
    scans = Scans(folder, shelf)
    scans.keep(everything)

    assert (folder / "notes.txt").read_text() == "mine"
    assert "2 file(s)" in scans.notes()[0].en
    assert "hunter2" not in str(scans.notes())


def test_a_pipe_or_a_folder_in_the_place_of_a_scan_holds_nothing_up(folder, shelf, everything):
    folder.mkdir()
    os.mkfifo(folder / "20991130t000000000000z-0000.report.gz")
    (folder / "20200101t000000000000z-0000.report.gz").mkdir()
    scans = Scans(folder, shelf)
    good = scans.keep(everything)

    assert scans.get("").id == good.id
    notes = [note.en for note in scans.notes()]
    assert any("20991130" in note and "ignored" in note for note in notes)
    assert not any("only as long as this process" in note for note in notes)


def test_a_folder_that_can_be_written_again_is_told_of_no_more(tmp_path, shelf, everything):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    scans = Scans(blocked / "scans", shelf)
    scans.keep(everything)
    blocked.unlink()
    scans.keep(everything)

    assert scans.notes() == []


def test_a_folder_that_cannot_be_written_leaves_scans_in_memory_and_says_so(tmp_path, shelf, everything):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    scans = Scans(blocked / "scans", shelf)
    scan = scans.keep(everything)

    assert scans.get("").id == scan.id
    assert "only as long as this process" in scans.notes()[0].en


def test_bytes_that_are_no_report_are_refused(everything, shelf):
    data = kept.encode(everything, shelf.checks)
    whole = msgspec.json.decode(gzip.decompress(data))

    for wrong in (
        data[: len(data) // 2],
        gzip.compress(msgspec.json.encode({**whole, "version": 2})),
        gzip.compress(msgspec.json.encode({**whole, "metadata": {"v1/unicorns": [{"name": "x"}]}})),
        gzip.compress(msgspec.json.encode({**whole, "results": [{"check": "unicorn", "state": "clear"}]})),
    ):
        with pytest.raises(NoReport):
            kept.decode(wrong, shelf.pages, shelf.checks)
