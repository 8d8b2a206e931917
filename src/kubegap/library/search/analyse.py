"""The one analyser, for records, queries and highlights alike: words by script, each with its place in the original.

Text is composed (NFC) and case-folded, then split by script. A Hangul run is one word, compared by its bigrams; a Latin run
keeps identifiers whole (`nvidia-smi`, `OOMKilled`) and also has parts. Places count code points of the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from kubegap.library.normal import normal

_HANGUL = "\uac00-\ud7a3\u3131-\u318e"
_LATIN = "a-z0-9\u00b5\u00df-\u00f6\u00f8-\u024f"
# Characters that join the parts of an identifier or a number: nvidia-smi, /dev/shm, x509:, 1.29, v1@sha256.
_WORD = re.compile(
    rf"(?P<hangul>[{_HANGUL}]+)|(?P<latin>[{_LATIN}]+(?:[-_./:@+][{_LATIN}]+)*)|[^\W{_HANGUL}{_LATIN}_]+"
)
# How far apart neighbours may stand: `: "`.
_NEIGHBOURS = 3
_PARTS = re.compile(rf"[{_LATIN}]+")
_ALONE = "="
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Word(Struct, frozen=True):
    """One word of a text: its normal form, its parts if it is an identifier, and its place [start, end).

    `places` has the place of each of its characters and of its end where those differ from counting on from `start`.
    """

    text: str
    start: int
    end: int
    is_hangul: bool
    parts: tuple[str, ...] = ()
    places: tuple[int, ...] = ()

    def place(self, at: int) -> int:
        """Where the character `at` of the normal form stands in the original text."""
        return self.places[at] if self.places else self.start + at


def bigrams(text: str) -> tuple[str, ...]:
    """Pairs of neighbouring characters."""
    return tuple(text[at : at + 2] for at in range(len(text) - 1))


def alone(syllable: str) -> str:
    """The key of a Hangul word of one syllable, which must not be found inside longer words."""
    return f"{_ALONE}{syllable}"


def words(text: str) -> list[Word]:
    """All words of a text in order; any text is taken, also one that is no valid Unicode."""
    folded, places = _fold(text)
    return [_word(match, text, places) for match in _WORD.finditer(folded)]


def words_like(text: str, keys: Iterable[str]) -> Iterator[Word]:
    """The words of a text that may have one of some keys, and few others: most are passed over before they are looked at."""
    beginnings = [_beginning(key) for key in keys]
    folded, places = _fold(text)
    if any(beginning in folded for beginning in beginnings):
        matches = (found for found in _WORD.finditer(folded) if any(one in found.group() for one in beginnings))
        yield from (_word(match, text, places) for match in matches)


def _beginning(key: str) -> str:
    """What stands in every word with a key: a stem differs from its word at the end only, by a y for ies at most."""
    bare = key.removeprefix(_ALONE)
    return bare.removesuffix("y") or bare


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """An English word without the endings that a reader does not see: pods → pod, crashed → crash, crashing → crash."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, kept in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _undoubled(word[: -len(ending)] + kept)
    return word


_ENDINGS: tuple[tuple[str, str], ...] = (
    *(
        ("sses", "ss"),
        ("ies", "y"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("xes", "x"),
        ("ss", "ss"),
        ("us", "us"),
        ("is", "is"),
    ),
    *(("ings", ""), ("ing", ""), ("ed", ""), ("s", "")),
)


def keys(text: str) -> Iterator[str]:
    """What a text is found by: bigrams of Hangul, words of one syllable, stems of Latin words, of identifiers and their parts."""
    return keys_of(words(text))


def keys_of(text_words: Iterable[Word]) -> Iterator[str]:
    """The keys of a text that was split into words already."""
    for word in text_words:
        if word.is_hangul:
            yield from bigrams(word.text) or (alone(word.text),)
        else:
            yield stem(word.text)
            yield from map(stem, word.parts)


def pairs(text: Sequence[Word]) -> Iterator[str]:
    """Neighbouring Latin words as one key: `Xid 79` says more than Xid and 79."""
    for before, word in pairwise(text):
        if not before.is_hangul and not word.is_hangul and word.start - before.end <= _NEIGHBOURS:
            yield f"{stem(before.text)}~{stem(word.text)}"


def _undoubled(word: str) -> str:
    """evict(ed), cordon(ed), but drop(p)ed."""
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt" else word


def _word(match: re.Match[str], text: str, places: list[int] | None) -> Word:
    """A word found in the normal form of a text."""
    start, end = match.span()
    own: tuple[int, ...] = ()
    if places is not None:
        own = tuple(places[start : end + 1])
        start, end = own[0], own[-1]
    is_latin = match["latin"] is not None
    parts = _parts(match.group(), text[start:end]) if is_latin else ()
    return Word(match.group(), start, end, match["hangul"] is not None, parts, own)


def _parts(folded: str, original: str) -> tuple[str, ...]:
    """The parts of an identifier, split at its joints and at its humps; none for a plain word."""
    if folded.isalnum() and original[1:].islower():
        return ()
    parts = _PARTS.findall(folded)
    humps = [normal(hump) for hump in _CAMEL.findall(original)] if original.isascii() else []
    found = dict.fromkeys([*parts, *humps])
    found.pop(folded, None)
    return tuple(part for part in found if len(part) > 1 or part.isdigit())


def _fold(text: str) -> tuple[str, list[int] | None]:
    """The normal form, and for each of its characters (and its end) the place in the original; None if they agree."""
    folded = normal(text)
    if len(folded) == len(text) and (text.isascii() or unicodedata.is_normalized("NFC", text)):
        return folded, None
    pieces: list[str] = []
    places: list[int] = []
    for start, end in _clusters(text):
        piece = normal(text[start:end])
        pieces.append(piece)
        places += [start] * len(piece)
    return "".join(pieces), [*places, len(text)]


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Stretches that normalise on their own: a character with the marks and jamo that compose with it."""
    start = 0
    for at in range(1, len(text)):
        if not _joins(text[at]):
            yield start, at
            start = at
    if text:
        yield start, len(text)


def _joins(character: str) -> bool:
    return unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"
