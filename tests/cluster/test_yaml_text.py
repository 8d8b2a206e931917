"""YAML as kubectl 1.37.1 reads it (`kubectl label --local -o json`), and the traps of PyYAML."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubegap.cluster.yaml_text import MAX_DEPTH, Piece, YamlError, cut_list, documents, load


def value_of(text):
    return load(Piece(f"key: {text}\n".encode(), 1))["key"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("y", True),
        ("On", True),
        ("TRUE", True),
        ("no", False),
        ("off", False),
        ("0644", 420),
        ("0o644", 420),
        ("0x1F", 31),
        ("0b11", 3),
        ("1e3", 1000),
        ("12e03", 12000),
        ("1_000", 1000),
        ("+12", 12),
        ("-0", 0),
        ("089", 89),
        (".5", 0.5),
        ("1.", 1),
        ("22:22", "22:22"),
        ("2020-01-01", "2020-01-01"),
        ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ("=", "="),
        ("<<", "<<"),
        ("~", None),
        ("", None),
        ("Null", None),
        ("'yes'", "yes"),
        ('"0644"', "0644"),
        ("!!str 12", "12"),
        ("'<<'", "<<"),
        ("1e400", "1e400"),
        ("123e4567-e89b", "123e4567-e89b"),
        ("9" * 60, "9" * 60),
    ],
)
def test_scalars(text, value):
    found = value_of(text)

    assert found == value
    assert type(found) is type(value)


def test_the_last_of_two_equal_keys_wins():
    assert load(Piece(b"a: 1\na: 2\n", 1)) == {"a": 2}


def test_keys_become_text():
    assert load(Piece(b"1: a\nyes: b\n~: c\n", 1)) == {"1": "a", "true": "b", "null": "c"}


def test_merge_keys_bring_in_what_is_not_there():
    text = b"base: &base {a: 1, b: 1}\nmine:\n  <<: *base\n  b: 2\n"

    assert load(Piece(text, 1))["mine"] == {"a": 1, "b": 2}


def test_of_several_merged_mappings_the_first_wins():
    assert load(Piece(b"x: {<<: [{a: 1}, {a: 2, b: 2}]}\n", 1))["x"] == {"a": 1, "b": 2}


def test_a_quoted_merge_key_is_a_plain_key():
    assert load(Piece(b"'<<': {a: 1}\n", 1)) == {"<<": {"a": 1}}


def test_aliases_that_unfold_without_end_are_refused():
    levels = "".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]\n" for n in range(9))

    with pytest.raises(YamlError, match="aliases unfold"):
        load(Piece(f"a0: &a0 x\n{levels}".encode(), 1))


def test_a_value_that_holds_itself_is_refused():
    with pytest.raises(YamlError, match="aliases unfold"):
        load(Piece(b"a: &a [*a]\n", 1))


def _nested(opening, closing, levels):
    return Piece((opening * levels + "1" + closing * levels).encode(), 7)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("{? ", "}"), ("{<<: {b: ", "}}")])
def test_deep_nesting_is_refused_at_one_depth_on_every_python(opening, closing):
    with pytest.raises(YamlError, match="nested too deep") as caught:
        load(_nested(opening, closing, MAX_DEPTH + 1))
    assert caught.value.line == 7


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}")])
def test_nesting_as_deep_as_allowed_is_read(opening, closing):
    value = load(_nested(opening, closing, MAX_DEPTH))
    for _ in range(MAX_DEPTH):
        (value,) = value.values() if isinstance(value, dict) else value

    assert value == 1


@pytest.mark.parametrize("text", ["[" * 900 + "]" * 900, "[" * 100_000, "{a: " * 700 + "1" + "}" * 700])
def test_deep_nesting_breaks_nothing(text):
    with pytest.raises(YamlError):
        load(Piece(text.encode(), 1))


def test_errors_name_the_line_in_the_whole_file():
    first, second = documents(b"a: 1\n---\nb: 1\nc: [\n")

    assert load(first) == {"a": 1}
    with pytest.raises(YamlError) as caught:
        load(second)
    assert caught.value.line == 5


def test_a_byte_that_is_not_utf8_is_named_with_its_line():
    with pytest.raises(YamlError, match="0xff") as caught:
        load(Piece(b"a: 1\nb: \xff\n", 10))
    assert caught.value.line == 11


def test_documents_are_cut_at_marks_only():
    text = b"# head\n%YAML 1.1\n---\na: |\n  ---\n  x\n--- # second\nb: ---x\n---\n# nothing\n---\n...\n"

    assert [load(piece) for piece in documents(text)] == [{"a": "---\nx\n"}, {"b": "---x"}]


def test_a_list_is_cut_into_its_items_with_their_lines():
    text = b"apiVersion: v1\nitems:\n- a: |\n    x\n\n    y\n  b: 1\n- c: 2\nkind: List\n"

    found = cut_list(Piece(text, 1))

    assert [load(item) for item in found.items] == [[{"a": "x\n\ny\n", "b": 1}], [{"c": 2}]]
    assert [item.line for item in found.items] == [3, 8]
    assert load(found.around) == {"apiVersion": "v1", "kind": "List"}


@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(alphabet="ab01:-[]{}&*!#|>%@,?'\"\n <=~", max_size=80).map(str.encode),
    )
)
def test_no_input_breaks_the_reader(data):
    for piece in documents(data):
        with contextlib.suppress(YamlError):
            load(piece)
