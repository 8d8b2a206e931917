"""The names of all terms (labels and synonyms in both languages) and words of the field that mean the same, found in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from kubegap.library.normal import folded
from kubegap.library.search.analyse import Word
from kubegap.library.search.function_words import ENGLISH_ENDINGS, is_ending
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary

# A term of a facet, or a group of words that mean the same.
Kind = Facet | Literal["word"]
NAMES = "names.json"
_Named = dict[str, list[tuple[Kind, str]]]
# What may stand between two words of one name.
_SPACE = frozenset(" \t\n-_/·.,:()")
_WIDEST_SPACE = 2
# Few words begin as a name does: so many letters tell most of them apart at once.
_HEAD = 2
_STEM = 5


class Found(NamedTuple):
    """A term (or a group of words) named in a text: the words [first, last) of the text, and its place in code points."""

    first: int
    last: int
    facet: Kind
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


def concept(facet: Kind, term: str) -> str:
    """The key of a text in which a term is named, in whatever words and language."""
    return f"@{facet}:{term}"


class Names:
    """The names of a vocabulary, and the words of the field that mean the same."""

    def __init__(self, terms: NameIndex, words: NameIndex) -> None:
        self.terms = terms
        self.words = words

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Names:
        """All names and words of a vocabulary."""
        terms = (
            (name, (facet, term))
            for facet in FACETS
            for term, entry in vocabulary[facet].items()
            for name in entry.names()
        )
        kind: Kind = "word"
        words = ((name, (kind, group)) for group, same in vocabulary.words.items() for name in (*same.ko, *same.en))
        return cls(NameIndex.of(terms), NameIndex.of(words))

    def find(self, text: Sequence[Word], original: str) -> list[Found]:
        """The terms named in a text; of overlapping names only the longest."""
        return longest(self.terms.find(text, original))

    def find_words(self, text: Sequence[Word], original: str) -> list[Found]:
        """The groups of words in a text that others could stand for, inside names of terms too."""
        return longest(self.words.find(text, original))


class NameIndex:
    """Names by their letters alone, with what they name."""

    def __init__(self, named: dict[str, list[tuple[Kind, str]]]) -> None:
        self.named = named
        self._heads = {name[:_HEAD] for name in named}
        self._stems = {name[:_STEM] for name in named}
        self._longest = max(map(len, named), default=0)

    @classmethod
    def of(cls, names: Iterable[tuple[str, tuple[Kind, str]]]) -> NameIndex:
        """An index of names, however they are spaced or written in capitals."""
        named: dict[str, list[tuple[Kind, str]]] = {}
        for name, owner in names:
            owners = named.setdefault(folded(name), [])
            if owner not in owners:
                owners.append(owner)
        return cls(named)

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
                for facet, term in self.named[letters.joined[start:end]]:
                    yield Found(first, last + 1, facet, term, text[first].start, place)

    def _ends(self, start: int, letters: Letters, text: Sequence[Word], original: str) -> Iterator[int]:
        """Where names end that begin here: not over a gap, and no farther than any name that begins so."""
        joined, words, terms = letters.joined, letters.words, self.named
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
    return msgspec.json.encode([names.terms.named, names.words.named])


def decode_names(data: bytes) -> Names:
    """The names of `encode_names`."""
    terms, words = msgspec.json.decode(data, type=tuple[_Named, _Named])
    return Names(NameIndex(terms), NameIndex(words))


def _end(at: int, length: int, word: Word) -> int | None:
    """Where a name ends that ends with a letter of a word, or None when the word goes on with more than an ending."""
    rest = word.text[at + 1 :]
    if not rest or (rest in ENGLISH_ENDINGS and length > 2):
        return word.end
    # A name of one syllable is not looked for inside a word: 행 is no part of 행은.
    if word.is_hangul and length > 1 and is_ending(rest):
        return word.place(at + 1)
    return None


def _apart(one: Found, other: Found) -> bool:
    return one.end <= other.start or other.end <= one.start


def _close(before: Word, word: Word, original: str) -> bool:
    """Whether two words may belong to one name: nothing but a little space or a joint stands between them."""
    return word.start - before.end <= _WIDEST_SPACE and set(original[before.end : word.start]) <= _SPACE
