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
# Few words begin as a name does: so many letters tell most of them apart at once.
_HEAD = 2
_STEM = 5


class Found(NamedTuple):
    """A term named in a text: the words [first, last) of the text, and its place in code points."""

    first: int
    last: int
    facet: Facet
    term: str
    start: int
    end: int


class Letters:
    """The letters of a text in a row: of each, its word and its place in that. Spaces and joints do not count in names."""

    def __init__(self, text: Sequence[Word]) -> None:
        kept: list[str] = []
        self.starts: list[int] = []
        self.words: list[int] = []
        self.places: list[int] = []
        for number, word in enumerate(text):
            self.starts.append(len(self.words))
            if word.text.isalnum():
                kept.append(word.text)
                self.places += range(len(word.text))
            else:
                at = [at for at, letter in enumerate(word.text) if letter.isalnum()]
                kept += [word.text[place] for place in at]
                self.places += at
            self.words += [number] * (len(self.places) - len(self.words))
        self.joined = "".join(kept)


def concept(facet: Facet, term: str) -> str:
    """The key of a text in which a term is named, in whatever words and language."""
    return f"@{facet}:{term}"


class Names:
    """The names of a vocabulary by their letters alone."""

    def __init__(self, terms: dict[str, list[tuple[Facet, str]]]) -> None:
        self.terms = terms
        self._heads = {name[:_HEAD] for name in terms}
        self._stems = {name[:_STEM] for name in terms}
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
        letters = Letters(text)
        likely = [start for start in letters.starts if letters.joined[start : start + _HEAD] in self._heads]
        return sorted({found for start in likely for found in self._from(start, letters, text, original)})

    def _from(self, start: int, letters: Letters, text: Sequence[Word], original: str) -> Iterator[Found]:
        first = letters.words[start]
        for end in self._ends(start, letters, text, original):
            last = letters.words[end - 1]
            if (place := _end(letters.places[end - 1], end - start, text[last])) is not None:
                for facet, term in self.terms[letters.joined[start:end]]:
                    yield Found(first, last + 1, facet, term, text[first].start, place)

    def _ends(self, start: int, letters: Letters, text: Sequence[Word], original: str) -> Iterator[int]:
        """Where names end that begin here: not over a gap, and no farther than any name that begins so."""
        joined, words, terms = letters.joined, letters.words, self.terms
        word = words[start]
        for end in range(start + 1, min(len(words), start + self._longest) + 1):
            if words[end - 1] != word:
                if not _close(text[word], text[words[end - 1]], original):
                    return
                word = words[end - 1]
            so_far = joined[start:end]
            if so_far in terms:
                yield end
            if end == start + _STEM and so_far not in self._stems:
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


def _end(at: int, length: int, word: Word) -> int | None:
    """Where a name ends that ends with a letter of a word, or None when the word goes on with more than an ending."""
    rest = word.text[at + 1 :]
    if not rest or (rest in _PLURALS and length > 2):
        return word.end
    # A name of one syllable is not looked for inside a word: 행 is no part of 행은.
    if word.is_hangul and length > 1 and is_particle(rest):
        return word.place(at + 1)
    return None


def _apart(one: Found, other: Found) -> bool:
    return one.end <= other.start or other.end <= one.start


def _close(before: Word, word: Word, original: str) -> bool:
    """Whether two words may belong to one name: nothing but a little space or a joint stands between them."""
    return word.start - before.end <= _WIDEST_SPACE and set(original[before.end : word.start]) <= _SPACE
