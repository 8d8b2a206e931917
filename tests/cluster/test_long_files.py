"""Files that are too long to be held whole: the same objects as of short ones, in bounded memory, with the place of each error."""

import json

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kubegap.cluster import files, long_json, stream
from kubegap.cluster.chunks import Chunks
from kubegap.cluster.objects import Namespace
from kubegap.problems import UnreadableFile


@pytest.fixture(autouse=True, params=[1, 7, 64])
def parts(request, monkeypatch):
    """Every input counts as long, and comes in parts of so many bytes."""
    for module in (stream, long_json):
        monkeypatch.setattr(module, "SIZE", 1)
    monkeypatch.setattr(Chunks.__init__, "__defaults__", (request.param,))
    return request.param


def namespace(name, **more):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **more}}


def decode(text):
    return files.decode([("file", text if isinstance(text, bytes) else text.encode())])


def names(text):
    return [found.name for found in decode(text).of(Namespace)]


def bare(name):
    return {"metadata": {"name": name}}


LISTED = {"apiVersion": "v1", "items": [namespace("a"), namespace("b")], "kind": "List", "metadata": {}}
# Only the kind of the list, which stands last, says what its items are.
TYPED = {"apiVersion": "v1", "items": [bare("a"), bare("b")], "kind": "NamespaceList"}
FIRST = {"kind": "NamespaceList", "apiVersion": "v1", "metadata": {}, "items": [bare("a"), bare("b")]}
NESTED = {"apiVersion": "v1", "items": [TYPED], "kind": "List"}


@pytest.mark.parametrize("value", [LISTED, TYPED, FIRST, NESTED, LISTED["items"]])
@pytest.mark.parametrize("indent", [None, 4])
def test_json_lists(value, indent):
    assert names(json.dumps(value, indent=indent)) == ["a", "b"]


@pytest.mark.parametrize("value", [LISTED, TYPED, FIRST, NESTED])
def test_yaml_lists(value):
    assert names(yaml.safe_dump(value, sort_keys=False)) == ["a", "b"]


def test_yaml_lists_whose_items_are_indented():
    text = "kind: NamespaceList\napiVersion: v1\nitems:\n  - metadata:\n      name: a\n\n# x\n  - metadata:\n      name: b\nx: 1\n"

    assert names(text) == ["a", "b"]


@pytest.mark.parametrize("separator", ["", " ", "\n\n"])
def test_values_one_after_the_other(separator):
    assert names(separator.join(map(json.dumps, [namespace("a"), LISTED, namespace("c")]))) == ["a", "b", "c"]


@pytest.mark.parametrize("number", ["0.5", "-0.25", "1e5", "1.5E+3", "-2e-7"])
@pytest.mark.parametrize("blanks", range(8))
def test_a_number_may_lie_across_two_parts(number, blanks):
    text = f'{" " * blanks}{{"weight": {number}, {json.dumps(LISTED)[1:]}'

    assert names(text) == ["a", "b"]
    assert decode(text).unread == ()


def test_documents_one_after_the_other():
    assert names("---\n".join(map(yaml.safe_dump, [namespace("c"), LISTED, {"x": 1}, TYPED]))) == ["c", "a", "b"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("dump", [json.dumps, lambda value: yaml.safe_dump(value, allow_unicode=True)])
def test_byte_order_marks(encoding, dump):
    assert names(dump({**LISTED, "note": "한글 𐍈"}).encode(encoding)) == ["a", "b"]


def test_an_empty_list_is_proof_that_there_is_none():
    assert decode('{"kind": "NamespaceList", "apiVersion": "v1", "items": [ ]}').has(Namespace)


def test_items_of_what_is_no_list_are_its_own():
    thing = {
        "apiVersion": "example.com/v1",
        "items": [{"a": 1}],
        "kind": "Thing",
        "metadata": {"name": "t", "uid": "u"},
    }

    for text in (json.dumps(thing), yaml.safe_dump(thing)):
        snapshot = decode(text + "\n---\n" + yaml.safe_dump(namespace("a")) if text[0] != "{" else text)
        assert snapshot.ignored == ()
        assert snapshot.unread == ()


def test_json_that_breaks_keeps_what_stood_before_it_and_says_the_line():
    text = json.dumps(LISTED, indent=1)
    at = text.index('"name": "b"')

    snapshot = decode(text[:at] + "oops" + text[at:])

    assert [found.name for found in snapshot.of(Namespace)] == ["a"]
    assert snapshot.unread[0].place == f"file:{text[:at].count(chr(10)) + 1}"
    assert not snapshot.has(Namespace)


@pytest.mark.parametrize("text", [json.dumps(LISTED, indent=1), yaml.safe_dump(LISTED)])
def test_a_dump_that_was_cut_off_keeps_what_is_whole(text):
    snapshot = decode(text[: text.rindex("name")])

    assert "a" in [found.name for found in snapshot.of(Namespace)]
    assert not snapshot.has(Namespace) or text[0] != "{"


def test_items_without_a_type_in_a_dump_that_was_cut_off_are_said_to_be_lost():
    snapshot = decode(f"{yaml.safe_dump(namespace('c'))}---\nitems:\n- metadata:\n    name: a\n")

    assert [found.name for found in snapshot.of(Namespace)] == ["c"]
    assert [lost.reason for lost in snapshot.ignored] == ["no apiVersion and kind"]


def test_yaml_that_breaks_loses_one_item_and_says_its_line():
    text = yaml.safe_dump(LISTED).replace("    name: b", "    name: {")

    snapshot = decode(text)

    assert [found.name for found in snapshot.of(Namespace)] == ["a"]
    assert snapshot.unread[0].place == f"file:{text[: text.index('{')].count(chr(10)) + 2}"


def test_what_stands_around_the_items_has_its_own_line():
    snapshot = decode(f"{yaml.safe_dump(LISTED)}oops: [\n")

    assert [found.name for found in snapshot.of(Namespace)] == ["a", "b"]
    assert snapshot.unread[0].place.partition(":")[2] >= "10"


def test_a_byte_that_is_not_utf8_loses_one_object():
    data = json.dumps(LISTED).encode().replace(b'"b"', b'"\xff"')

    snapshot = decode(data)

    assert [found.name for found in snapshot.of(Namespace)] == ["a"]
    assert "UTF-8" in snapshot.unread[0].reason


@pytest.mark.parametrize("text", ["[" * 100_000, '{"items":' * 50_000])
def test_deep_nesting_is_refused(text):
    with pytest.raises(UnreadableFile):
        decode(text)


def test_the_newest_time_may_lie_across_two_parts():
    times = [f"2026-11-{day:02}T04:11:09.123456Z" for day in range(1, 30)]
    text = json.dumps([namespace(f"n{number}", creationTimestamp=time) for number, time in enumerate(times)])

    assert str(decode(text).source.read_at) == "2026-11-29 04:11:09+00:00"


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["apiVersion", "kind", "items", "metadata", "name"]), inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


def told(data, size):
    """What a snapshot says of an input, but for the places in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "SIZE", size)
        try:
            snapshot = decode(data)
        except UnreadableFile:
            return None
    coverage = {path: (part.objects, part.state) for path, part in snapshot.coverage.items()}
    return sorted(map(repr, snapshot.of(Namespace))), coverage, len(snapshot.unread), len(snapshot.ignored)


@example([[], 0.0], None)
@given(VALUES, st.sampled_from([None, 2]))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_is_said_of_any_json_long_or_short(value, indent):
    data = json.dumps(value, indent=indent)

    assert told(data, 1) == told(data, 1 << 20)


# Nothing but `---` stands around these items.
@example([[], {"items": [None]}])
@example([[], {"items": [{}, {"name": "x"}]}])
@example([[], {"items": [None]}, {"apiVersion": "v1", "items": [{}, {}]}])
@given(st.lists(VALUES, max_size=3))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_is_said_of_any_yaml_long_or_short(values):
    # What begins with a bracket and is long counts as JSON.
    data = "# YAML\n" + yaml.safe_dump_all(values)

    assert told(data, 1) == told(data, 1 << 20)


@given(st.binary(max_size=300))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_break_the_reading(data):
    assert told(data, 1) is None or True
