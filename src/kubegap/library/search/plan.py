"""A question made ready for an engine: which keys a case must have, in words that know their place in the question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from math import ceil

from msgspec import Struct

from kubegap.library.search.analyse import Word, alone, bigrams, pairs, stem, words
from kubegap.library.search.function_words import is_function_word, is_particle, without_particle
from kubegap.library.search.names import Found, Names, concept
from kubegap.library.search.query import Order, Query
from kubegap.library.vocabulary import Facet


class Needed(Struct, frozen=True):
    """What one word needs in a field: its `whole` key; or `at_least` of its `pieces`, the first among them if `first`."""

    whole: str
    pieces: tuple[str, ...] = ()
    at_least: int = 0
    first: bool = False

    def stands_in(self, keys: Container[str]) -> bool:
        """Whether a field with these keys has the word."""
        if self.whole in keys:
            return True
        if not self.pieces or (self.first and self.pieces[0] not in keys):
            return False
        return sum(piece in keys for piece in self.pieces) >= self.at_least


class Wanted(Struct, frozen=True):
    """A word of the question that counts, as typed, and the terms that it names (alone or with its neighbours).

    The word matches a field that has `itself`, or a text in which any name of one of the terms stands, or a word of one of the
    groups of words that mean the `same`, or a word that sounds `alike` (see `sounds`).
    """

    text: str
    start: int
    end: int
    itself: Needed
    terms: tuple[tuple[Facet, str], ...] = ()
    same: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()

    @property
    def concepts(self) -> list[str]:
        """The keys of texts in which something stands that the word may stand for."""
        named = [concept(facet, term) for facet, term in self.terms]
        return [*named, *(concept("word", group) for group in self.same), *map(stem, self.alike)]

    def stands_in(self, keys: Container[str]) -> bool:
        """Whether a field with these keys matches the word, by itself or by a synonym."""
        return self.itself.stands_in(keys) or any(key in keys for key in self.concepts)


class Plan(Struct, frozen=True):
    """The checked question, the words in it that count, and the terms that it names.

    `pairs` are keys of neighbouring words, which only raise the score. A plan of a long text `is_text`: a case need match only
    some of its words. `excluded` is an incident that is not asked for.
    """

    query: Query
    wanted: tuple[Wanted, ...]
    found: tuple[Found, ...] = ()
    pairs: tuple[str, ...] = ()
    is_text: bool = False
    excluded: str | None = None

    @property
    def order(self) -> Order:
        """How the list is ordered; the closest to a text come first."""
        return "relevance" if self.is_text else self.query.effective_order

    def enough(self, count: int) -> int:
        """How many of `count` words a case must match."""
        return some(count) if self.is_text else enough(count)


def plan(query: Query, names: Names) -> Plan:
    """Analyse the text of a question; pure, and the same for every engine."""
    text = words(query.q)
    found, same = names.find_both(text, query.q)
    wanted = [word for place, word in enumerate(all_wanted(text, query.q, found, same)) if _counts(text, place)]
    return Plan(query, _without_repeats(wanted), tuple(found), tuple(dict.fromkeys(pairs(text))))


def all_wanted(text: Sequence[Word], original: str, found: Iterable[Found], groups: Iterable[Found]) -> list[Wanted]:
    """Every word of a text with what it may stand for, function words too; `found` and `groups` are what `find_both` finds."""
    terms, same = _by_place(found), _by_place(groups)
    return [_wanted(word, original, terms.get(place, ()), same.get(place, ())) for place, word in enumerate(text)]


def _by_place(found: Iterable[Found]) -> dict[int, list[Found]]:
    """The names that each word is a part of."""
    names: dict[int, list[Found]] = defaultdict(list)
    for name in found:
        for place in range(name.first, name.last):
            names[place].append(name)
    return names


def enough(count: int) -> int:
    """How many of `count` words a case must match: all of one or two, two fifths of more.

    Two thirds lost cases of the judged set that describe the same trouble in other words.
    """
    return count if count <= 2 else max(2, ceil(count * 2 / 5))


def some(count: int) -> int:
    """How many of `count` telling words of a long text a case must match: a quarter, and at least two."""
    return min(count, max(2, ceil(count / 4)))


def needed(word: Word) -> Needed:
    """What a word needs in a field to stand there."""
    if not word.is_hangul:
        parts = tuple(dict.fromkeys(stem(part) for part in word.parts))
        return Needed(whole=stem(word.text), pieces=parts, at_least=len(parts))
    bare = without_particle(word.text)
    pairs = tuple(dict.fromkeys(bigrams(bare)))
    if not pairs:
        return Needed(whole=alone(bare))
    return Needed(whole=bare, pieces=pairs, at_least=ceil(len(pairs) / 2), first=True)


def _wanted(word: Word, original: str, terms: Iterable[Found], same: Iterable[Found]) -> Wanted:
    named = tuple((name.facet, name.term) for name in terms if name.facet != "word")
    groups = tuple(name.term for name in same)
    return Wanted(original[word.start : word.end], word.start, word.end, needed(word), named, groups)


def _counts(text: list[Word], place: int) -> bool:
    word = text[place]
    if is_function_word(word.text):
        return False
    follows_latin = place > 0 and not text[place - 1].is_hangul and text[place - 1].end == word.start
    return not (word.is_hangul and follows_latin and is_particle(word.text))


def _without_repeats(wanted: Iterable[Wanted]) -> tuple[Wanted, ...]:
    return tuple({word.itself.whole: word for word in reversed(list(wanted))}.values())[::-1]
