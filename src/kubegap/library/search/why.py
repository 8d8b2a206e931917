"""Why a case matched: the places in its texts where words of the question stand, from what was prepared for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kubegap.library.record import Incident, passages
from kubegap.library.search.analyse import Word, bigrams, words
from kubegap.library.search.fields import FIELDS
from kubegap.library.search.names import concept
from kubegap.library.search.plan import Needed, Wanted, needed
from kubegap.library.search.prepared import Place, TermNames, Texts
from kubegap.library.search.result import Range, Why
from kubegap.library.vocabulary import FACET_FIELDS, FACETS, Facet, Vocabulary, tagged
from kubegap.text import Lang, Text

MOST = 8


def explain(
    incident: Incident, texts: Texts, wanted: Sequence[Wanted], vocabulary: Vocabulary, term_names: TermNames
) -> list[Why]:
    """The texts of an incident that match words of the question, the most telling first, at most `MOST`."""
    if not wanted:
        return []
    found = [*_in_texts(incident, texts, wanted, vocabulary), *_in_tags(incident, wanted, vocabulary, term_names)]
    found.sort(key=lambda pair: pair[0])
    return _best(why for _, why in found)


def _in_texts(
    incident: Incident, texts: Texts, wanted: Sequence[Wanted], vocabulary: Vocabulary
) -> Iterator[tuple[int, Why]]:
    standing = [_standing_in(word.itself, texts) | _named_in(word, texts) for word in wanted]
    for number, place in enumerate(texts.places):
        matching = [word for word, units in zip(wanted, standing, strict=True) if number in units]
        if matching:
            yield FIELDS.index(place.field), _why(incident, texts, number, place, matching, vocabulary)


def _standing_in(wanted: Needed, texts: Texts) -> set[int]:
    """Numbers of the texts in which a word stands by itself (see `Needed.stands_in`)."""
    found = set(texts.keys.get(wanted.whole, ()))
    if wanted.pieces:
        tally = Counter(number for piece in wanted.pieces for number in texts.keys.get(piece, ()))
        first = set(texts.keys.get(wanted.pieces[0], ())) if wanted.first else set(tally)
        found |= {number for number, count in tally.items() if count >= wanted.at_least and number in first}
    return found


def _named_in(word: Wanted, texts: Texts) -> set[int]:
    return {number for facet, term in word.terms for number in texts.keys.get(concept(facet, term), ())}


def _why(
    incident: Incident, texts: Texts, number: int, place: Place, matching: Sequence[Wanted], vocabulary: Vocabulary
) -> Why:
    text_words = words(text_at(incident, place))
    ranges = [found for word in matching for found in _standing(text_words, word.itself)]
    wanted_terms = {term for word in matching for term in word.terms}
    terms: set[str] = set()
    for name in texts.named:
        if name.unit == number:
            above = {(name.facet, term) for term in vocabulary.with_broader(name.facet, name.term)} & wanted_terms
            if above:
                ranges.append((name.start, name.end))
                terms |= {term for _, term in above}
    return Why(place.name, place.index, place.lang, _merged(ranges), [word.text for word in matching], sorted(terms))


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
    if place.name in FACET_FIELDS.values():
        note = getattr(incident, place.name)[place.index or 0].note
        return note or Text(ko="", en="")
    return passages(getattr(incident, place.name))[place.index or 0]


def _in_tags(
    incident: Incident, wanted: Sequence[Wanted], vocabulary: Vocabulary, term_names: TermNames
) -> Iterator[tuple[int, Why]]:
    """The tags that a word names, or a broader term of them, by a label or a synonym."""
    rank = FIELDS.index("tags")
    terms = tagged(incident)
    for facet in FACETS:
        for index, tag in enumerate(terms[facet]):
            for term in vocabulary.with_broader(facet, tag):
                for why in _by_names(facet, term, wanted, vocabulary, term_names):
                    yield rank, Why(FACET_FIELDS[facet], index, why.lang, why.ranges, why.words, why.terms)


def _by_names(
    facet: Facet, term: str, wanted: Sequence[Wanted], vocabulary: Vocabulary, term_names: TermNames
) -> Iterator[Why]:
    for name in term_names[facet].get(term, ()):
        stand = {*name.keys, concept(facet, term)}
        matching = [word for word in wanted if word.stands_in(stand)]
        if matching:
            ranges = _in_label(vocabulary.term(facet, term).label, name.lang, matching) if name.is_label else []
            yield Why(FACET_FIELDS[facet], None, name.lang, ranges, [word.text for word in matching], [term])


def _in_label(label: Text, lang: Lang, matching: Sequence[Wanted]) -> list[Range]:
    text_words = words(label.of(lang))
    return _merged(found for word in matching for found in _standing(text_words, word.itself))


def _standing(text_words: Iterable[Word], wanted: Needed) -> Iterator[Range]:
    """Where in a text a word stands by itself, whole or in its pieces."""
    pieces = set(wanted.pieces)
    for word in text_words:
        own = needed(word)
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


def _best(found: Iterable[Why]) -> list[Why]:
    """The first texts that explain each word, on each side: no word is explained twice before all are once."""
    kept: list[Why] = []
    explained: set[tuple[str, str | None]] = set()
    for why in found:
        if {(word, why.lang) for word in why.words} - explained:
            kept.append(why)
            explained |= {(word, why.lang) for word in why.words}
    return kept[:MOST]
