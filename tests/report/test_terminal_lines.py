"""Lines for a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from kubegap.report.lines import escaped, shortened, wrapped
from kubegap.terminal import width as width_of

HANGUL = "컨트롤 플레인의 리더 리스가 갱신되지 않는다"


def test_a_hangul_syllable_takes_two_columns():
    assert len(wrapped("가" * 10, 20, "")) == 1
    assert len(wrapped("가" * 11, 20, "")) == 2
    assert all(width_of(line) <= 20 for line in wrapped(HANGUL, 20, "  "))


def test_lines_hang_under_the_first():
    assert wrapped("one two three", 12, "  - ", "    ") == ["  - one two", "    three"]


def test_a_word_wider_than_a_line_is_cut_and_kept():
    assert "".join(wrapped("x" * 50, 20, "")) == "x" * 50


def test_what_is_cut_is_counted():
    assert shortened("노드노드", 4) == "노드… (+2)"
    assert shortened("node", 4) == "node"
    assert shortened("", 4) == ""


@given(st.text(max_size=80), st.integers(20, 100))
def test_nothing_is_lost_and_no_line_too_wide(text, width):
    shown = escaped(text)
    lines = wrapped(shown, width, "  ")

    assert "".join("".join(lines).split()) == "".join(shown.split())
    assert all(width_of(line) <= width for line in lines)


@given(st.text(max_size=40))
def test_escaped_text_holds_one_line_and_no_control(text):
    shown = escaped(text)

    assert len(shown.splitlines()) <= 1
    assert escaped(shown) == shown
    assert all(character.isprintable() or character.isspace() for character in shown)
