"""Why a case matched: the places in its texts where words of the question stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kubegap.library.record import Incident
from kubegap.library.search.analyse import Word, bigrams, words
from kubegap.library.search.fields import Unit, unit_keys, units
from kubegap.library.search.names import Names, concept, longest
from kubegap.library.search.plan import Needed, Wanted, needed
from kubegap.library.search.result import Range, Why
from kubegap.library.vocabulary import Facet, Vocabulary

MOST = 8


def explain(incident: Incident, wanted: Sequence[Wanted], vocabulary: Vocabulary, names: Names) -> list[Why]:
    """The texts of an incident that match words of the question, the most telling first, at most `MOST`."""
    found = [why for unit in units(incident, vocabulary) if (why := _in_unit(unit, wanted, vocabulary, names))]
    return _best(found)


def _in_unit(unit: Unit, wanted: Sequence[Wanted], vocabulary: Vocabulary, names: Names) -> Why | None:
    stand = frozenset(unit_keys(unit, names, vocabulary))
    matching = [word for word in wanted if word.stands_in(stand)]
    if not matching:
        return None
    named = {term for word in matching for term in word.terms if concept(*term) in stand}
    text_words = words(unit.text)
    ranges = [place for word in matching for place in _standing(text_words, word.itself)]
    if not unit.term:
        ranges += _naming(unit.text, text_words, named, vocabulary, names)
    terms = [unit.term] if unit.term else sorted(term for _, term in named)
    return Why(unit.name, unit.index, unit.lang, _merged(ranges) if unit.is_shown else [], [word.text for word in matching], terms)


def _naming(
    text: str, text_words: Sequence[Word], named: set[tuple[Facet, str]], vocabulary: Vocabulary, names: Names
) -> Iterator[Range]:
    """Where a text names one of some terms, or a narrower one."""
    for found in longest(names.find(text_words, text)):
        if any((found.facet, term) in named for term in vocabulary.with_broader(found.facet, found.term)):
            yield found.start, found.end


def _standing(text_words: Iterable[Word], wanted: Needed) -> Iterator[Range]:
    pieces = set(wanted.pieces)
    for word in text_words:
        if not word.is_hangul:
            own = needed(word)
            if wanted.whole == own.whole or wanted.whole in own.pieces or own.whole in pieces:
                yield word.start, word.end
        elif wanted.first:
            for at, pair in enumerate(bigrams(word.text)):
                if pair in pieces:
                    yield word.place(at), word.place(at + 2)
        elif wanted.whole == needed(word).whole:
            yield word.start, word.end


def _merged(ranges: Iterable[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _best(found: list[Why]) -> list[Why]:
    """For each word the first texts that have it, so that every word is explained before any is explained twice."""
    kept: list[Why] = []
    explained: set[tuple[str, str | None]] = set()
    for why in found:
        news = {(word, why.lang) for word in why.words} - explained
        if news and not any(other.field == why.field and other.index == why.index and other.terms == why.terms and other.lang == why.lang for other in kept):
            kept.append(why)
            explained |= news
    return kept[:MOST]
