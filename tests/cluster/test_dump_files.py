"""Dumps and manifests as people have them: every layout, every trap, and nothing lost without a word."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubegap.cluster import files
from kubegap.cluster.objects import EndpointSlice, Namespace, Node, Pod, ValidatingWebhookConfiguration
from kubegap.cluster.snapshot import Origin, ReadAtFrom, ReadState
from kubegap.problems import UnreadableFile

DUMP = Path(__file__).parent / "data" / "eks-policy-engines.json"


def decode(*contents, **options):
    named = [
        (f"file{number}", text if isinstance(text, bytes) else text.encode()) for number, text in enumerate(contents)
    ]
    return files.decode(named, **options)


def namespace(name, **more):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **more}}


def listed(*items, kind="List"):
    return json.dumps({"apiVersion": "v1", "kind": kind, "items": items}, indent=4)


def names(snapshot):
    return [found.name for found in snapshot.of(Namespace)]


def is_read_or_refused(data):
    try:
        return decode(data).coverage
    except UnreadableFile as error:
        return error.message.ko


def test_a_real_dump_is_read_whole():
    snapshot = files.read([str(DUMP)], io.BytesIO())

    assert snapshot.source.origin is Origin.DUMP
    assert snapshot.unread == ()
    assert snapshot.provider == "eks"
    assert {kind: len(snapshot.of(kind)) for kind in (Namespace, Node, Pod, EndpointSlice)} == {
        Namespace: 9,
        Node: 3,
        Pod: 12,
        EndpointSlice: 6,
    }
    assert all(coverage.state is ReadState.READ for coverage in snapshot.coverage.values() if coverage.objects)


def test_json_and_yaml_of_one_dump_are_the_same():
    items = json.loads(DUMP.read_text())
    as_yaml = yaml.safe_dump(items)

    assert decode(as_yaml).objects == decode(DUMP.read_bytes()).objects


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(namespace("a")),
        listed(namespace("a")),
        listed(json.loads(listed(namespace("a")))),
        json.dumps([namespace("a")]),
        yaml.safe_dump(namespace("a")),
        yaml.safe_dump(json.loads(listed(namespace("a")))),
        yaml.safe_dump([namespace("a")]),
        "{apiVersion: v1, kind: Namespace, metadata: {name: a}}",
        "---\n# only a comment\n---\n" + yaml.safe_dump(namespace("a")) + "---\n",
        "\n\n  " + json.dumps(namespace("a")),
        json.dumps({"apiVersion": "v1", "kind": "NamespaceList", "items": [{"metadata": {"name": "a"}}]}),
        yaml.safe_dump({"apiVersion": "v1", "kind": "NamespaceList", "items": [{"metadata": {"name": "a"}}]}),
        yaml.safe_dump(namespace("a")).replace("\n", "\r\n"),
    ],
)
def test_layouts(text):
    snapshot = decode(text)

    assert names(snapshot) == ["a"]
    assert snapshot.unread == snapshot.ignored == ()


@pytest.mark.parametrize("separator", ["\n", "", "\n\n"])
def test_json_after_json(separator):
    assert names(decode(listed(namespace("a")) + separator + listed(namespace("b")))) == ["a", "b"]


def test_yaml_documents_in_a_row():
    assert names(decode(yaml.safe_dump_all([namespace("a"), namespace("b")]))) == ["a", "b"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_byte_order_marks_of_editors_and_powershell(encoding):
    assert names(decode(json.dumps(namespace("a")).encode(encoding))) == ["a"]
    assert names(decode(yaml.safe_dump(namespace("a")).encode(encoding))) == ["a"]


def test_one_bad_object_does_not_lose_the_rest():
    bad = namespace("bad", labels={"a": 1})

    for text in (
        listed(namespace("a"), bad, namespace("b")),
        yaml.safe_dump(json.loads(listed(namespace("a"), bad, namespace("b")))),
    ):
        snapshot = decode(text)

        assert names(snapshot) == ["a", "b"]
        assert "Namespace/bad" in snapshot.unread[0].reason
        assert snapshot.coverage_of("v1/namespaces").state is ReadState.HALF_READ
        assert snapshot.coverage_of("v1/pods").state is ReadState.NOT_IN_THIS_INPUT


def test_a_label_that_yaml_makes_a_boolean_is_refused_as_kubectl_does():
    with pytest.raises(UnreadableFile, match="got `bool`"):
        decode("apiVersion: v1\nkind: Namespace\nmetadata: {name: a, labels: {enabled: yes}}\n")


def test_a_broken_document_might_have_held_any_kind():
    snapshot = decode(yaml.safe_dump(namespace("a")) + "---\nb: [\n---\n" + yaml.safe_dump(namespace("c")))

    assert names(snapshot) == ["a", "c"]
    assert snapshot.unread[0].kind is None
    assert {coverage.state for coverage in snapshot.coverage.values()} == {ReadState.HALF_READ}


def test_invalid_utf8_loses_one_object_of_a_list():
    good = listed(namespace("a"), namespace("b", annotations={"x": "QQQ"}), namespace("c")).encode()
    for data in (good, yaml.safe_dump(json.loads(good)).encode()):
        snapshot = decode(data.replace(b"QQQ", b"\xff\xfe"))

        assert names(snapshot) == ["a", "c"]
        assert len(snapshot.unread) == 1


@pytest.mark.parametrize("value", [None, 3, "text"])
def test_an_item_that_is_no_object_is_named(value):
    snapshot = decode(listed(namespace("a"), value))

    assert names(snapshot) == ["a"]
    assert len(snapshot.unread) == 1


def test_items_null_is_an_empty_list():
    snapshot = decode('{"apiVersion": "v1", "kind": "NamespaceList", "items": null}')

    assert snapshot.has(Namespace)
    assert snapshot.source.origin is Origin.DUMP


def test_an_empty_list_of_an_unknown_kind_says_nothing_about_any():
    snapshot = decode(listed())

    assert not any(coverage.state is ReadState.READ for coverage in snapshot.coverage.values())


def test_an_alias_across_items_is_followed():
    text = (
        "apiVersion: v1\nkind: List\nitems:\n"
        "- apiVersion: v1\n  kind: Namespace\n  metadata: {name: a, labels: &l {x: z}}\n"
        "- apiVersion: v1\n  kind: Namespace\n  metadata: {name: b, labels: *l}\n"
    )

    assert [found.labels for found in decode(text).of(Namespace)] == [{"x": "z"}, {"x": "z"}]


def test_an_old_version_of_a_kind_is_not_lost_silently():
    old = {
        "apiVersion": "admissionregistration.k8s.io/v1beta1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": "x"},
    }

    snapshot = decode(listed(old, namespace("a")))

    assert not snapshot.has(ValidatingWebhookConfiguration)
    assert "v1beta1" in snapshot.unread[0].reason


def test_documents_that_are_no_objects_are_counted_apart():
    snapshot = decode("replicaCount: 3\n", yaml.safe_dump(namespace("a")))

    assert snapshot.unread == ()
    assert snapshot.ignored[0].place == "file0:1"


def test_an_unrendered_chart_is_not_taken_for_clean():
    snapshot = decode("apiVersion: v1\nkind: {{ .Values.kind }}\n", yaml.safe_dump(namespace("a")))

    assert len(snapshot.unread) == 1


def test_the_same_object_twice_counts_once_as_read_last():
    snapshot = decode(json.dumps(namespace("a", labels={"x": "1"})), json.dumps(namespace("a", labels={"x": "2"})))

    assert [found.labels for found in snapshot.of(Namespace)] == [{"x": "2"}]


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"# nothing\n", b"null\n", b"{", b"\xff\xfe", b"replicas: 1\n", b"[" * 100_000]
)
def test_input_without_any_object_is_an_error(data):
    with pytest.raises(UnreadableFile):
        decode(data)


def test_a_dump_that_was_cut_off_says_where():
    with pytest.raises(UnreadableFile) as caught:
        decode(DUMP.read_bytes()[:5000])

    assert "file0" in caught.value.message.en
    assert "file0" in caught.value.message.ko


def test_only_objects_that_a_server_stored_make_a_dump():
    assert decode(json.dumps(namespace("a"))).source.origin is Origin.MANIFESTS
    assert decode(json.dumps(namespace("a", uid="u"))).source.origin is Origin.DUMP
    other = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "uid": "u"}}
    assert decode(json.dumps(other)).source.origin is Origin.DUMP


def test_the_time_is_the_newest_in_the_objects():
    source = decode(DUMP.read_bytes()).source

    assert source.read_at == datetime(2026, 11, 29, 4, 11, 9, tzinfo=UTC)
    assert source.read_at_from is ReadAtFrom.NEWEST_OBJECT


def test_a_time_that_lies_ahead_by_design_is_not_taken():
    text = yaml.safe_dump(namespace("a", uid="u", annotations={"notAfter": "2099-01-01T00:00:00Z"}))

    assert decode(text).source.read_at is None


def test_a_given_time_overrules():
    given_time = datetime(2026, 12, 1, tzinfo=UTC)

    source = decode(DUMP.read_bytes(), read_at=given_time).source

    assert (source.read_at, source.read_at_from) == (given_time, ReadAtFrom.OPTION)


def test_folders_files_and_stdin_together(tmp_path):
    (tmp_path / "deep" / ".git").mkdir(parents=True)
    (tmp_path / "deep" / "a.yaml").write_text(yaml.safe_dump(namespace("a")))
    (tmp_path / "deep" / ".git" / "b.yaml").write_text(yaml.safe_dump(namespace("hidden")))
    (tmp_path / "c.json").write_text(json.dumps(namespace("c")))
    (tmp_path / "notes.txt").write_text("no manifest")

    snapshot = files.read([str(tmp_path), "-"], io.BytesIO(json.dumps(namespace("d")).encode()))

    assert sorted(names(snapshot)) == ["a", "c", "d"]


def test_progress_tells_file_objects_and_seconds(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(listed(namespace("x"), namespace("y")))
    seen = []

    files.read([str(tmp_path)], io.BytesIO(), on_progress=seen.append)

    assert [(Path(told.name).name, told.objects, told.total) for told in seen] == [
        ("a.json", 1, 1), ("a.json", 2, 2), ("b.json", 1, 3), ("b.json", 2, 4)
    ]  # fmt: skip
    assert seen == sorted(seen, key=lambda told: told.seconds)


@pytest.mark.parametrize("make", [lambda path: path / "gone.yaml", lambda path: path])
def test_a_path_that_holds_nothing_is_named(tmp_path, make):
    with pytest.raises(UnreadableFile) as caught:
        files.read([str(make(tmp_path))], io.BytesIO())

    assert str(tmp_path) in caught.value.message.ko


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reading(data):
    assert is_read_or_refused(data)


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(
                st.sampled_from(["apiVersion", "kind", "items", "metadata", "webhooks", "name"]), inner, max_size=4
            ),
        ),
        max_leaves=12,
    )
)
def test_no_json_breaks_the_reading(value):
    assert is_read_or_refused(json.dumps(value))
