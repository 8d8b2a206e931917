"""A saved snapshot is the snapshot, holds nothing that it should not, and says when it is too old or damaged."""

import gzip
import json
import stat
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.fake_api import FakeApi, list_path, status

from kubegap.cluster import saved
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import Access
from kubegap.cluster.objects import Namespace, Node, Pod
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Origin, ReadState
from kubegap.problems import UnreadableFile, UnwritableFile

# Whatever could carry a password: no record has such a field, so no snapshot can.
DANGEROUS = {"env", "envFrom", "data", "stringData", "binaryData", "args", "command", "fieldsV1"}


@pytest.fixture
def snapshot():
    with FakeApi().running() as api:
        api.add(Pod, *({"metadata": {"name": f"p{number}", "namespace": "a"}} for number in range(1200)))
        api.add(Node, {"metadata": {"name": "n", "labels": {"cloud.google.com/gke-nodepool": "x"}}})
        api.on(list_path(Namespace.resource), lambda h, _count: status(h, 403, "no"))
        return collect(Access(api.url, (), None, context="c"), RESOURCES)


def lines(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def rewrite(path, change):
    changed = lines(path)
    change(changed)
    path.write_bytes(gzip.compress(b"\n".join(json.dumps(line).encode() for line in changed)))
    return str(path)


def test_what_is_loaded_is_what_was_saved(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")

    loaded = saved.load(str(tmp_path / "s"))

    assert loaded.objects == snapshot.objects
    assert loaded.coverage == snapshot.coverage
    assert loaded.provider == snapshot.provider == "gke"
    assert loaded.source == msgspec.structs.replace(snapshot.source, origin=Origin.SAVED)


def test_only_its_owner_may_read_the_file_and_nothing_is_left_beside_it(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")

    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["s"]


def test_the_same_snapshot_makes_the_same_bytes(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "a")
    saved.save(snapshot, tmp_path / "b")

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_no_record_has_a_field_that_could_carry_a_password():
    for kind in RESOURCES.values():
        names = {part for field in saved.fields_of(kind) for part in field.split(".")}
        assert names.isdisjoint(DANGEROUS), kind


def test_the_fields_of_a_record_are_those_of_the_records_in_it():
    assert "metadata.name" in saved.fields_of(Pod)
    assert not any(issubclass(part, msgspec.Struct) for part in get_args(Pod) if isinstance(part, type))


def test_a_snapshot_of_an_older_kubegap_is_half_read(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")

    def drop(found):
        found[0]["kinds"]["v1/pods"]["fields"].remove("metadata.labels")

    loaded = saved.load(rewrite(tmp_path / "s", drop))

    assert loaded.coverage["v1/pods"].state is ReadState.HALF_READ
    assert "metadata.labels" in loaded.coverage["v1/pods"].reason.en
    assert loaded.has(Node)


def test_a_file_that_objects_were_taken_out_of_is_half_read(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")

    def drop(found):
        found.remove(next(line for line in found[1:] if line["path"] == "v1/pods"))

    pods = saved.load(rewrite(tmp_path / "s", drop)).coverage["v1/pods"]

    assert (pods.objects, pods.state) == (700, ReadState.HALF_READ)
    assert pods.reason.en == "the file says that 1,200 objects were saved, and holds 700"


def test_a_kind_of_a_newer_kubegap_is_passed_over(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")

    def add(found):
        found[0]["kinds"]["v9/things"] = found[0]["kinds"]["v1/nodes"]
        found.append({"path": "v9/things", "objects": [{"a": 1}]})

    assert saved.load(rewrite(tmp_path / "s", add)).objects == snapshot.objects


def test_a_file_of_another_version_or_kind_is_one_line(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")

    with pytest.raises(UnreadableFile, match="format version 2"):
        saved.load(rewrite(tmp_path / "s", lambda found: found[0].update(version=2)))
    with pytest.raises(UnreadableFile, match='no "format"'):
        saved.load(rewrite(tmp_path / "s", lambda found: found[0].update(format="x")))
    (tmp_path / "json").write_text("{}")
    with pytest.raises(UnreadableFile, match="json"):
        saved.load(str(tmp_path / "json"))
    with pytest.raises(UnreadableFile, match="Cannot read"):
        saved.load(str(tmp_path / "missing"))
    with pytest.raises(UnwritableFile, match="Cannot write"):
        saved.save(snapshot, tmp_path / "no" / "folder")


OTHER_RECORDS = {
    "a field of another type": lambda found: found[-1]["objects"].append({"metadata": {"name": {"a": 1}}}),
    "another state": lambda found: found[0]["kinds"]["v1/pods"].update(state="guessed"),
    "another source": lambda found: found[0]["source"].update(origin="moon"),
    "no source": lambda found: found[0].pop("source"),
    "no path": lambda found: found[-1].pop("path"),
}


@pytest.mark.parametrize("change", OTHER_RECORDS.values(), ids=OTHER_RECORDS)
def test_a_file_of_a_kubegap_with_other_records_says_so_and_what_to_do(snapshot, tmp_path, change):
    saved.save(snapshot, tmp_path / "s")

    with pytest.raises(UnreadableFile) as caught:
        saved.load(rewrite(tmp_path / "s", change))

    assert "saved by another version of kubegap" in caught.value.sentence("en")
    assert all("kubegap snapshot save" in caught.value.sentence(lang) for lang in ("ko", "en"))
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("head", ["3", '{"format": 3}', '{"format": "x", "version": "1"}'])
def test_what_is_no_snapshot_is_not_taken_for_one_of_another_kubegap(tmp_path, head):
    (tmp_path / "s").write_bytes(gzip.compress(head.encode()))

    with pytest.raises(UnreadableFile, match="is no file of `kubegap snapshot save`"):
        saved.load(str(tmp_path / "s"))


def test_a_file_that_was_cut_off_is_one_line(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")
    (tmp_path / "s").write_bytes((tmp_path / "s").read_bytes()[:-40])

    with pytest.raises(UnreadableFile, match="cut off"):
        saved.load(str(tmp_path / "s"))


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_break_the_loading(tmp_path_factory, data, packed):
    path = tmp_path_factory.mktemp("fuzz") / "s"
    path.write_bytes(gzip.compress(data) if packed else data)

    with pytest.raises(UnreadableFile):
        saved.load(str(path))


def records(annotation):
    """Every record that objects of a kind can hold, itself first."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
        for field in msgspec.structs.fields(annotation):
            yield from records(field.type)
    for part in get_args(annotation):
        yield from records(part)


def test_what_is_not_set_is_not_written(snapshot, tmp_path):
    saved.save(snapshot, tmp_path / "s")
    written = [line["objects"] for line in lines(tmp_path / "s")[1:]]

    assert json.dumps(written).count("null") == 0
    assert sum(map(len, written)) == 1201


@pytest.mark.parametrize("kind", RESOURCES.values(), ids=lambda kind: kind.__name__)
def test_what_is_left_out_reads_as_not_set(kind):
    open_fields = [
        (record.__name__, field.name)
        for record in records(kind)
        for field in msgspec.structs.fields(record)
        if type(None) in get_args(field.type) and field.default is not None
    ]

    assert open_fields == []


def test_a_file_that_is_not_compressed_is_told_with_what_reads_it(tmp_path):
    (tmp_path / "s").write_text("kind: List\n")

    with pytest.raises(UnreadableFile, match="no file of `kubegap snapshot save`") as caught:
        saved.load(str(tmp_path / "s"))
    assert "check -f" in caught.value.sentence("ko")
    assert "gzipped" not in caught.value.sentence("ko")
