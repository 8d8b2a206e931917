"""The names of all terms (labels and synonyms in both languages), found in a text by its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from kubegap.library.normal import folded
from kubegap.library.search.analyse import Word
from kubegap.library.search.function_words import is_particle
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary

NAMES = "names.json"
# What may stand between two words of one name.
_SPACE = frozenset(" \t\n-_/·.,:()")
_WIDEST_SPACE = 2
_PLURALS = frozenset({"s", "es"})
_HEAD = 3


class Found(NamedTuple):
    """A term named in a text: the words [first, last) of the text, and its place in code points."""

    first: int
    last: int
    facet: Facet
    term: str
    start: int
    end: int


class Letter(NamedTuple):
    """A letter of a text, with its word and its place in that; spaces and joints do not count in names."""

    text: str
    word: int
    at: int


def concept(facet: Facet, term: str) -> str:
    """The key of a text in which a term is named, in whatever words and language."""
    return f"@{facet}:{term}"


class Names:
    """The names of a vocabulary by their letters alone."""

    def __init__(self, terms: dict[str, list[tuple[Facet, str]]]) -> None:
        self.terms = terms
        self._heads = {name[:_HEAD] for name in terms}
        self._longest = max(map(len, terms), default=0)

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Names:
        """All names of a vocabulary."""
        terms: dict[str, list[tuple[Facet, str]]] = {}
        for facet in FACETS:
            for term, entry in vocabulary[facet].items():
                for name in dict.fromkeys(map(folded, entry.names())):
                    terms.setdefault(name, []).append((facet, term))
        return cls(terms)

    def find(self, text: Sequence[Word], original: str) -> list[Found]:
        """All names in a text, overlapping ones too, in order of place; a particle at the end is no part of one."""
        letters = [
            Letter(letter, place, at)
            for place, word in enumerate(text)
            for at, letter in enumerate(word.text)
            if letter.isalnum()
        ]
        joined = "".join(letter.text for letter in letters)
        starts = (at for at, letter in enumerate(letters) if letter.at == 0)
        return sorted({found for start in starts for found in self._from(start, joined, letters, text, original)})

    def _from(
        self, start: int, joined: str, letters: Sequence[Letter], text: Sequence[Word], original: str
    ) -> Iterator[Found]:
        first = letters[start].word
        for end in self._ends(start, joined, letters, text, original):
            if (owners := self.terms.get(joined[start:end])) is None:
                continue
            last = letters[end - 1].word
            if (place := _end(letters[end - 1], end - start, text[last])) is not None:
                for facet, term in owners:
                    yield Found(first, last + 1, facet, term, text[first].start, place)

    def _ends(
        self, start: int, joined: str, letters: Sequence[Letter], text: Sequence[Word], original: str
    ) -> Iterator[int]:
        """How far a name from here may reach: not over a gap, and no farther than any name that begins so."""
        for end in range(start + 1, min(len(letters), start + self._longest) + 1):
            letter = letters[end - 1]
            if end > start + 1 and letter.at == 0 and not _close(text[letter.word - 1], text[letter.word], original):
                return
            yield end
            if end == start + _HEAD and joined[start:end] not in self._heads:
                return


def longest(found: Sequence[Found]) -> list[Found]:
    """Of overlapping names only the longest, across facets; of equally long ones at one place, all."""
    kept: list[Found] = []
    for name in sorted(found, key=lambda name: (name.start - name.end, name.start)):
        if all(_apart(name, other) or (name.start, name.end) == (other.start, other.end) for other in kept):
            kept.append(name)
    return sorted(kept)


def encode_names(names: Names) -> bytes:
    """The names as a file of the generation."""
    return msgspec.json.encode(names.terms)


def decode_names(data: bytes) -> Names:
    """The names of `encode_names`."""
    return Names(msgspec.json.decode(data, type=dict[str, list[tuple[Facet, str]]]))


def _end(letter: Letter, length: int, word: Word) -> int | None:
    """Where a name ends that ends with a letter, or None when the word goes on with more than an ending."""
    rest = word.text[letter.at + 1 :]
    if not rest or (rest in _PLURALS and length > 2):
        return word.end
    # A name of one syllable is not looked for inside a word: 행 is no part of 행은.
    if word.is_hangul and length > 1 and is_particle(rest):
        return word.place(letter.at + 1)
    return None


def _apart(one: Found, other: Found) -> bool:
    return one.end <= other.start or other.end <= one.start


def _close(before: Word, word: Word, original: str) -> bool:
    """Whether two words may belong to one name: nothing but a little space or a joint stands between them."""
    return word.start - before.end <= _WIDEST_SPACE and set(original[before.end : word.start]) <= _SPACE
