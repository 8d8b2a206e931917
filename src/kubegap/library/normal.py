"""Words brought to one form, so that the same word written differently compares equal."""

from __future__ import annotations

import unicodedata


def normal(words: str) -> str:
    """Composed characters (NFC) in one case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", words).casefold())


def folded(words: str) -> str:
    """Letters and digits alone: spaces, hyphens and dots no longer tell names apart."""
    return "".join(character for character in normal(words) if character.isalnum())
