"""Why a case matched: the places in its texts where words of the question stand, from what was prepared for it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, cast

from kubegap.library.record import Incident, passages
from kubegap.library.search.analyse import Word, bigrams, words_like
from kubegap.library.search.fields import FIELDS, NOTE
from kubegap.library.search.names import concepts_of
from kubegap.library.search.plan import Needed, Wanted, needed
from kubegap.library.search.prepared import Labels, Named, Place, Texts
from kubegap.library.search.result import Range, Why
from kubegap.library.vocabulary import FACET_FIELDS, Facet, Vocabulary, tagged
from kubegap.text import Lang, Text

MOST = 8
_TAGS = FIELDS.index("tags")
# Which of some texts has which key.
Keys = Mapping[str, tuple[int, ...]]


class Match(NamedTuple):
    """A text that matches, before it is looked at more closely: its place, or the term whose label it is."""

    rank: int
    lang: Lang | None
    words: tuple[Wanted, ...]
    place: Place | None = None
    number: int = 0
    tag: tuple[Facet, int, str] | None = None


class Explainer:
    """Explains the cases of one list: what does not depend on the case is looked up once."""

    def __init__(self, wanted: Sequence[Wanted], vocabulary: Vocabulary, labels: Labels) -> None:
        self.wanted = wanted
        self.vocabulary = vocabulary
        self._in_labels: dict[tuple[Facet, str], list[tuple[Lang, tuple[Wanted, ...]]]] = {}
        for number, matching in _standing(wanted, labels.keys):
            facet, term, lang = labels.places[number]
            self._in_labels.setdefault((facet, term), []).append((lang, matching))

    def explain(self, incident: Incident, texts: Texts) -> list[Why]:
        """The texts of an incident that match words of the question, the most telling first, at most `MOST`."""
        if not self.wanted:
            return []
        matches = [*_in_texts(texts, self.wanted), *self._in_tags(incident)]
        best = _best(sorted(matches, key=lambda match: match.rank))
        return [_why(incident, texts, match, self.vocabulary) for match in best]

    def _in_tags(self, incident: Incident) -> Iterator[Match]:
        """The tags that a word names, or a broader term of them."""
        for facet, tags in tagged(incident).items() if self._in_labels else ():
            for index, tag in enumerate(tags):
                for term in self.vocabulary.with_broader(facet, tag):
                    for lang, matching in self._in_labels.get((facet, term), ()):
                        yield Match(_TAGS, lang, matching, tag=(facet, index, term))


def _in_texts(texts: Texts, wanted: Sequence[Wanted]) -> Iterator[Match]:
    for number, words_here in _standing(wanted, texts.keys):
        place = texts.places[number]
        yield Match(FIELDS.index(place.field), place.lang, words_here, place, number)


def _standing(wanted: Sequence[Wanted], keys: Keys) -> Iterator[tuple[int, tuple[Wanted, ...]]]:
    """Numbers of the texts in which words stand, by themselves or by a name, each with its words."""
    standing = [_standing_in(word.itself, keys) | _named_in(word, keys) for word in wanted]
    for number in sorted(set().union(*standing)):
        yield number, tuple(word for word, numbers in zip(wanted, standing, strict=True) if number in numbers)


def _standing_in(wanted: Needed, keys: Keys) -> set[int]:
    """Numbers of the texts in which a word stands by itself (see `Needed.stands_in`)."""
    found = set(keys.get(wanted.whole, ()))
    if wanted.pieces:
        tally = Counter(number for piece in wanted.pieces for number in keys.get(piece, ()))
        first = set(keys.get(wanted.pieces[0], ())) if wanted.first else set(tally)
        found |= {number for number, count in tally.items() if count >= wanted.at_least and number in first}
    return found


def _named_in(word: Wanted, keys: Keys) -> set[int]:
    return {number for key in word.concepts for number in keys.get(key, ())}


def _why(incident: Incident, texts: Texts, match: Match, vocabulary: Vocabulary) -> Why:
    matched = [word.text for word in match.words]
    if match.tag:
        facet, index, term = match.tag
        ranges = _standing_ranges(vocabulary.term(facet, term).label.of(match.lang or "en"), match.words)
        return Why(FACET_FIELDS[facet], index, match.lang, _merged(ranges), matched, [term])
    place = match.place or texts.places[match.number]
    ranges = _standing_ranges(text_at(incident, place), match.words)
    named = list(_named_ranges(texts, match, vocabulary))
    terms = sorted({name.term for name, facet in named if facet != "word"})
    return Why(
        place.name,
        place.index,
        place.lang,
        _merged([*ranges, *((name.start, name.end) for name, _ in named)]),
        matched,
        terms,
    )


def _standing_ranges(text: str, wanted: Iterable[Wanted]) -> list[Range]:
    standing = [word.itself for word in wanted]
    like = [
        (word, needed(word)) for word in words_like(text, {key for one in standing for key in (one.whole, *one.pieces)})
    ]
    return [found for one in standing for found in _places(like, one)]


def _named_ranges(texts: Texts, match: Match, vocabulary: Vocabulary) -> Iterator[tuple[Named, str]]:
    """Where the text names something that the words may stand for, or a narrower term."""
    concepts = {key for word in match.words for key in word.concepts}
    for name in _named_of(texts, match.number) if concepts else ():
        if not concepts.isdisjoint(concepts_of(name.facet, name.term, vocabulary)):
            yield name, name.facet


def _named_of(texts: Texts, number: int) -> list[Named]:
    """What one text names; the texts were noted one after the other."""
    unit = attrgetter("unit")
    return texts.named[bisect_left(texts.named, number, key=unit) : bisect_right(texts.named, number, key=unit)]


def text_at(incident: Incident, place: Place) -> str:
    """The text that a place names."""
    if place.name == "organisation":
        return incident.organisation
    if place.name == "signatures":
        return incident.signatures[place.index or 0]
    return _pair_at(incident, place).of(place.lang or "en")


def _pair_at(incident: Incident, place: Place) -> Text:
    if place.name == "title":
        return incident.title
    if place.name == "impact" and incident.impact:
        return incident.impact.text
    if place.name.endswith(NOTE):
        tag = getattr(incident, place.name.removesuffix(NOTE))[place.index or 0]
        return cast("Text", tag.note)
    return passages(getattr(incident, place.name))[place.index or 0]


def _places(text_words: Iterable[tuple[Word, Needed]], wanted: Needed) -> Iterator[Range]:
    """Where in a text a word stands by itself, whole or in its pieces."""
    pieces = set(wanted.pieces)
    for word, own in text_words:
        if wanted.first and word.is_hangul:
            for at, pair in enumerate(bigrams(word.text)):
                if pair in pieces:
                    yield word.place(at), word.place(at + 2)
        elif wanted.whole in {own.whole, *own.pieces} or (not own.first and own.whole in pieces):
            yield word.start, word.end


def _merged(ranges: Iterable[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _best(found: Iterable[Match]) -> list[Match]:
    """The first texts that explain each word, on each side: no word is explained twice before all are once."""
    kept: list[Match] = []
    explained: set[tuple[str, Lang | None]] = set()
    for match in found:
        here = {(word.text, match.lang) for word in match.words}
        if here - explained:
            kept.append(match)
            explained |= here
    return kept[:MOST]
