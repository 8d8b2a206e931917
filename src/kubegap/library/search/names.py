"""The names of all terms (labels and synonyms in both languages), found in a text by its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from kubegap.library.search.analyse import Word, words
from kubegap.library.search.function_words import is_particle
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary

# What may stand between two words of one name.
_SPACE = frozenset(" \t\n-_/·.,:()")
_PLURALS = frozenset({"s", "es"})
_WIDEST_SPACE = 2


class Found(Struct, frozen=True, order=True):
    """A term named in a text: the words [first, last) of the text, and its place in code points."""

    first: int
    last: int
    facet: Facet
    term: str
    start: int
    end: int


class Atom(NamedTuple):
    """One letter of a text, with its word and its place in that; spaces and joints do not count in names."""

    text: str
    word: int
    at: int


class _Node(Struct):
    below: dict[str, _Node] = field(default_factory=dict)
    terms: list[tuple[Facet, str]] = field(default_factory=list)


def concept(facet: Facet, term: str) -> str:
    """The key of a text in which a term is named, in whatever words and language."""
    return f"@{facet}:{term}"


class Names:
    """All names of a vocabulary as a tree of letters."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._root = _Node()
        for facet in FACETS:
            for term, entry in vocabulary[facet].items():
                for name in entry.names():
                    self._add(name, facet, term)

    def _add(self, name: str, facet: Facet, term: str) -> None:
        node = self._root
        for atom in _atoms(words(name)):
            node = node.below.setdefault(atom.text, _Node())
        if node is not self._root and (facet, term) not in node.terms:
            node.terms.append((facet, term))

    def find(self, text: Sequence[Word], original: str) -> list[Found]:
        """All names in a text, overlapping ones too, in order of place; a particle at the end is no part of one."""
        atoms = _atoms(text)
        starts = [place for place, atom in enumerate(atoms) if atom.at == 0]
        return sorted({found for start in starts for found in self._from(start, atoms, text, original)})

    def _from(self, start: int, atoms: Sequence[Atom], text: Sequence[Word], original: str) -> Iterator[Found]:
        node = self._root
        for place in range(start, len(atoms)):
            atom = atoms[place]
            if place > start and atom.at == 0 and not _close(text[atom.word - 1], text[atom.word], original):
                return
            if (below := node.below.get(atom.text)) is None:
                return
            node = below
            if node.terms and (end := _end(atoms, place, place - start + 1, text)) is not None:
                for facet, term in node.terms:
                    yield Found(atoms[start].word, atom.word + 1, facet, term, text[atoms[start].word].start, end)


def longest(found: Sequence[Found]) -> list[Found]:
    """Of overlapping names only the longest, across facets; of equally long ones at one place, all."""
    kept: list[Found] = []
    for name in sorted(found, key=lambda name: (name.start - name.end, name.start)):
        if all(_apart(name, other) or (name.start, name.end) == (other.start, other.end) for other in kept):
            kept.append(name)
    return sorted(kept)


def _atoms(text: Sequence[Word]) -> list[Atom]:
    return [
        Atom(letter, place, at) for place, word in enumerate(text) for at, letter in enumerate(word.text) if letter.isalnum()
    ]


def _end(atoms: Sequence[Atom], place: int, length: int, text: Sequence[Word]) -> int | None:
    """Where a name ends whose last atom is given, or None when the word goes on with more than an ending."""
    atom = atoms[place]
    word = text[atom.word]
    rest = word.text[atom.at + 1 :]
    if not rest or (rest in _PLURALS and length > 2):
        return word.end
    # A name of one syllable is not looked for inside a word: 행 is no part of 행은.
    if word.is_hangul and length > 1 and is_particle(rest):
        return word.place(atom.at + 1)
    return None


def _apart(one: Found, other: Found) -> bool:
    return one.end <= other.start or other.end <= one.start


def _close(before: Word, word: Word, original: str) -> bool:
    """Whether two words may belong to one name: nothing but a little space or a joint stands between them."""
    return word.start - before.end <= _WIDEST_SPACE and set(original[before.end : word.start]) <= _SPACE
