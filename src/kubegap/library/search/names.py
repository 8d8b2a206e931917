"""The names of all terms (labels and synonyms in both languages) and words of the field that mean the same, found in a text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

import msgspec

from kubegap.library.normal import folded
from kubegap.library.search.analyse import Word
from kubegap.library.search.function_words import ENGLISH_ENDINGS, is_ending
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary

# A term of a facet, or a group of words that mean the same.
Kind = Facet | Literal["word"]
NAMES = "names.json"
Named = dict[str, list[tuple[Kind, str]]]
# What may stand between two words of one name.
_SPACE = frozenset(" \t\n-_/·.,:()")
_WIDEST_SPACE = 2
# Few words begin as a name does: so many letters tell most of them apart at once; shorter names are their own heads.
_HEAD = 4
_HEADS = range(1, _HEAD + 1)


class Found(NamedTuple):
    """A term (or a group of words) named in a text: the words [first, last) of the text, and its place in code points."""

    first: int
    last: int
    facet: Kind
    term: str
    start: int
    end: int


class Letters:
    """The letters of a text in a row, and where in it each word begins. Spaces and joints do not count in names."""

    def __init__(self, text: Sequence[Word]) -> None:
        kept = [word.text if word.text.isalnum() else _letters(word.text) for word in text]
        self.joined = "".join(kept)
        self.starts = list(accumulate(map(len, kept[:-1]), initial=0)) if kept else []
        self._text = text

    def word_at(self, letter: int) -> int:
        """The number of the word that a letter stands in."""
        return bisect_right(self.starts, letter) - 1

    def place_of(self, letter: int) -> int:
        """Where in its word a letter stands."""
        number = self.word_at(letter)
        word, nth = self._text[number].text, letter - self.starts[number]
        return nth if word.isalnum() else [at for at, one in enumerate(word) if one.isalnum()][nth]


def concept(facet: Kind, term: str) -> str:
    """The key of a text in which a term is named, in whatever words and language."""
    return f"@{facet}:{term}"


def concepts_of(facet: Kind, term: str, vocabulary: Vocabulary) -> list[str]:
    """The keys of a text in which a term is named: its own and those of all broader terms; a group of words has none above it."""
    above = [term] if facet == "word" else vocabulary.with_broader(facet, term)
    return [concept(facet, one) for one in above]


class Names:
    """The names of a vocabulary, and the words of the field that mean the same, by their letters alone."""

    def __init__(self, named: Named) -> None:
        self.named = named
        # Most words begin as no name does; a name of one letter is its own beginning.
        self._beginnings = {name[:2] for name in named}
        lengths: dict[str, set[int]] = defaultdict(set)
        for name in named:
            lengths[name[:_HEAD]].add(len(name))
        self._lengths = {head: tuple(sorted(found)) for head, found in lengths.items()}

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Names:
        """All names and words of a vocabulary, however they are spaced or written in capitals."""
        named: Named = {}
        for name, owner in _owned(vocabulary):
            owners = named.setdefault(folded(name), [])
            if owner not in owners:
                owners.append(owner)
        return cls(named)

    def find_both(self, text: Sequence[Word], original: str) -> tuple[list[Found], list[Found]]:
        """The terms, and the groups of words that others could stand for, also inside names of terms; of both the longest."""
        found = self.find_all(text, original)
        terms = [name for name in found if name.facet != "word"]
        return longest(terms), longest([name for name in found if name.facet == "word"])

    def find_all(self, text: Sequence[Word], original: str) -> list[Found]:
        """All names in a text, overlapping ones too, in order of place; a particle at the end is no part of one."""
        letters = Letters(text)
        return sorted(
            {found for start, end in self._places(letters) for found in self._at(start, end, letters, text, original)}
        )

    def _places(self, letters: Letters) -> Iterator[tuple[int, int]]:
        """Where the letters of a name stand, from the beginning of a word on."""
        joined, whole = letters.joined, len(letters.joined)
        for start in letters.starts:
            if joined[start : start + 2] not in self._beginnings and joined[start : start + 1] not in self._beginnings:
                continue
            for head in _HEADS:
                for length in self._lengths.get(joined[start : start + head], ()):
                    if start + length <= whole and joined[start : start + length] in self.named:
                        yield start, start + length

    def _at(self, start: int, end: int, letters: Letters, text: Sequence[Word], original: str) -> Iterator[Found]:
        """What these letters name, if they end where a word does and no gap lies between."""
        first, last = letters.word_at(start), letters.word_at(end - 1)
        place = _end(letters.place_of(end - 1), end - start, text[last])
        if place is None or not all(_close(one, other, original) for one, other in pairwise(text[first : last + 1])):
            return
        for facet, term in self.named[letters.joined[start:end]]:
            yield Found(first, last + 1, facet, term, text[first].start, place)


def longest(found: Iterable[Found]) -> list[Found]:
    """Of overlapping names only the longest, across facets; of equally long ones at one place, all."""
    kept: list[Found] = []
    # The places that are taken, in order; none overlaps another.
    starts: list[int] = []
    ends: dict[int, int] = {}
    for name in sorted(found, key=lambda name: (name.start - name.end, name.start)):
        if ends.get(name.start) == name.end:
            kept.append(name)
        elif _is_free(name, starts, ends):
            insort(starts, name.start)
            ends[name.start] = name.end
            kept.append(name)
    return sorted(kept)


def _is_free(name: Found, starts: Sequence[int], ends: Mapping[int, int]) -> bool:
    """Whether a name overlaps none of the places that are taken."""
    place = bisect_left(starts, name.end)
    return not place or ends[starts[place - 1]] <= name.start


def encode_names(names: Names) -> bytes:
    """The names as a file of the generation."""
    return msgspec.json.encode(names.named)


def decode_names(data: bytes) -> Names:
    """The names of `encode_names`."""
    return Names(msgspec.json.decode(data, type=Named))


def _owned(vocabulary: Vocabulary) -> Iterator[tuple[str, tuple[Kind, str]]]:
    for facet in FACETS:
        for term, entry in vocabulary[facet].items():
            yield from ((name, (facet, term)) for name in entry.names())
    for group, same in vocabulary.words.items():
        yield from ((name, ("word", group)) for name in (*same.ko, *same.en))


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word))


def _end(at: int, length: int, word: Word) -> int | None:
    """Where a name ends that ends with a letter of a word, or None when the word goes on with more than an ending."""
    rest = word.text[at + 1 :]
    if not rest or (rest in ENGLISH_ENDINGS and length > 2):
        return word.end
    # A name of one syllable is not looked for inside a word: 행 is no part of 행은.
    if word.is_hangul and length > 1 and is_ending(rest):
        return word.place(at + 1)
    return None


def _close(before: Word, word: Word, original: str) -> bool:
    """Whether two words may belong to one name: nothing but a little space or a joint stands between them."""
    return word.start - before.end <= _WIDEST_SPACE and set(original[before.end : word.start]) <= _SPACE
