"""Text without marks, for places that cannot show them."""

from __future__ import annotations


def plain(text: str) -> str:
    """The text without the marks of code."""
    return text.replace("`", "")
