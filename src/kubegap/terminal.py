"""Text for a terminal: widths in columns (a Hangul syllable takes two), wrapping, tables, and nothing that acts on it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

ELLIPSIS = "…"
_GAP = "  "


def width(text: str) -> int:
    """Columns that a printable text takes."""
    return sum(map(_columns, text))


def visible(text: str) -> str:
    """The text with control, bidirectional and zero-width characters shown as escapes, so that it cannot act."""
    # What is printable has none of them; nearly all text is, and long texts are looked at as a whole much faster.
    return text if text.isprintable() else "".join(map(_shown, text))


def fit(text: str, columns: int) -> str:
    """The text cut to some columns, with an ellipsis where something is missing, and padded to fill them."""
    cut = text if width(text) <= columns else _cut(text, columns - 1) + ELLIPSIS
    return cut + " " * (columns - width(cut))


def wrap(text: str, columns: int) -> list[str]:
    """Lines of at most some columns, broken at spaces; a longer word is broken inside."""
    lines: list[str] = [""]
    for word in text.split():
        while width(word) > columns:
            head = _cut(word, columns)
            lines, word = [*lines, head], word[len(head) :]  # noqa: PLW2901
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width(joined) <= columns:
            lines[-1] = joined
        else:
            lines.append(word)
    return [line for line in lines if line] or [""]


def table(rows: Sequence[Sequence[str]], columns: int) -> str:
    """Rows under each other; the last column is cut so that a line fits the terminal."""
    if not rows:
        return ""
    widths = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    taken = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
    widths[-1] = max(4, min(widths[-1], columns - taken))
    return "\n".join(_GAP.join(map(fit, row, widths)).rstrip() for row in rows)


def _columns(character: str) -> int:
    # The libraries for this take longer to import than everything else that a search does.
    if unicodedata.combining(character) or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _cut(text: str, columns: int) -> str:
    taken = 0
    for place, character in enumerate(text):
        taken += _columns(character)
        if taken > columns:
            return text[: max(1, place)]
    return text


def _shown(character: str) -> str:
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"}:
        return f"\\u{ord(character):04x}"
    return character
