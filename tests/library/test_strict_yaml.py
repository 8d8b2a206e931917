"""The traps of YAML are refused, with their place; plain content comes through as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubegap.library.strict_yaml import MAX_BYTES, Mark, parse

TRAPS = {
    "duplicate key": (b"a: 1\nb: 2\na: 3\n", Mark(3, 1)),
    "duplicate key deep down": (b"a:\n  b: 1\n  b: 2\n", Mark(3, 3)),
    "anchor": (b"a: &x 1\n", Mark(1, 4)),
    "alias": (b"a: 1\nb: *x\n", Mark(2, 4)),
    "merge key": (b"a: 1\n<<: {b: 1}\n", Mark(2, 1)),
    "tag": (b"a: !!int 3\n", Mark(1, 4)),
    "tab": (b"a:\tb\n", Mark(1, 3)),
    "several documents": (b"a: b\n---\nc: d\n", Mark(2, 1)),
    "control character": (b"a: x\x07y\n", Mark(1, 5)),
    "bidirectional override": ("a: x\u202ey".encode(), Mark(1, 5)),
    "zero-width space": ("a: x\u200by".encode(), Mark(1, 5)),
    "byte-order mark": (b"\xef\xbb\xbfa: 1\n", Mark(1, 1)),
    "invalid UTF-8": (b"a: 1\nb: \xff\n", Mark(2, 1)),
    "too large": (b"a: " + b"x" * MAX_BYTES, Mark(1, 1)),
    "deep nesting": (b"a: " + b"[" * 40 + b"]" * 40, Mark(1, 16)),
    "null": (b"a: null\n", Mark(1, 4)),
    "no value": (b"a:\nb: 1\n", Mark(1, 3)),
    "key that is no text": (b"[1]: x\n", Mark(1, 1)),
    "syntax": (b"a: [\n", Mark(2, 1)),
    "nothing": (b"", Mark(1, 1)),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_trap_is_refused_at_its_place(trap: str) -> None:
    data, mark = TRAPS[trap]

    faults = parse(data).faults

    assert faults
    assert mark in {fault.mark for fault in faults}


def test_scalars_stay_text() -> None:
    parsed = parse(b"a: yes\nb: 012\nc: 2024-01-01\nd: 1e3\ne: 'null'\nf: 1:30\n")

    assert parsed.root == {"a": "yes", "b": "012", "c": "2024-01-01", "d": "1e3", "e": "null", "f": "1:30"}
    assert parsed.faults == []


def test_every_value_knows_its_place() -> None:
    parsed = parse("a:\n  - b: 노드\n    c: 2\n".encode())

    assert parsed.marks[("a", 0, "c")] == Mark(3, 8)
    assert parsed.keys[("a", 0, "c")] == Mark(3, 5)


def test_windows_line_ends_are_fine() -> None:
    assert parse(b"a: 1\r\nb: 2\r\n").root == {"a": "1", "b": "2"}


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fall_over(data: bytes) -> None:
    parsed = parse(data)

    assert parsed.root is not None or parsed.faults


@given(
    st.recursive(
        st.text(st.characters(categories=("L", "N", "P", "Zs"), exclude_characters="\xa0"), min_size=1),
        lambda inner: st.lists(inner, min_size=1) | st.dictionaries(st.text("abc", min_size=1), inner, min_size=1),
        max_leaves=8,
    )
)
def test_plain_data_comes_back_as_it_was_written(value: object) -> None:
    import json

    data = json.dumps({"value": value}, ensure_ascii=False).encode()

    assert parse(data).root == {"value": value}
