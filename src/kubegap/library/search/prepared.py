"""What search needs to know of every case and name, worked out once when the library is compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import NamedTuple

import msgspec
from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.search.analyse import Word, keys_of, pairs, words
from kubegap.library.search.fields import FIELDS, Field, Unit, units
from kubegap.library.search.names import Found, Kind, Names, concept, concepts_of
from kubegap.library.search.order import added_key, interval, newest_key
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary, carried, tagged
from kubegap.text import LANGS, Lang


class Place(Struct, frozen=True, array_like=True, gc=False):
    """A text of a case without its words: its field, name and index in the record, and side."""

    field: Field
    name: str
    index: int | None
    lang: Lang | None


class Named(Struct, frozen=True, array_like=True, gc=False):
    """A term or a group of words named in a text of a case: the text's number, the place in it, and the term."""

    unit: int
    start: int
    end: int
    facet: Kind
    term: str


class Texts(Struct, frozen=True):
    """The texts of a case but for its tags: where they stand, which of them has which key, and which terms they name."""

    places: list[Place]
    keys: dict[str, tuple[int, ...]]
    named: list[Named]


class Prepared(Struct, frozen=True):
    """A case as an engine indexes it. Days are day numbers; ranks order the whole library."""

    id: str
    keys: dict[Field, list[str]]
    terms: dict[Facet, list[str]]
    own_components: list[str]
    pairs: list[str]
    first: int
    last: int
    is_exact: bool
    newest_rank: int
    added_rank: int
    texts: Texts


WordCounts = Counter[tuple[str, bool]]


def prepare(incidents: Sequence[Incident], vocabulary: Vocabulary, names: Names) -> tuple[list[Prepared], WordCounts]:
    """Prepare all cases that stand (withdrawn ones are not searched), and count their words, with whether each is Hangul."""
    standing = [incident for incident in incidents if incident.withdrawn is None]
    newest = {incident.id: rank for rank, incident in enumerate(sorted(standing, key=newest_key))}
    added = {incident.id: rank for rank, incident in enumerate(sorted(standing, key=added_key))}
    analyst = Analyst(vocabulary, names)
    counts: WordCounts = Counter()
    prepared = [_prepared(incident, analyst, newest[incident.id], added[incident.id], counts) for incident in standing]
    return prepared, counts


class Analysed(NamedTuple):
    """A text taken apart: its words, its keys, the neighbours in it, and the terms that it names."""

    words: list[Word]
    keys: list[str]
    pairs: list[str]
    found: list[Found]


class Analyst:
    """Analyses texts, and each name of the vocabulary only once."""

    def __init__(self, vocabulary: Vocabulary, names: Names) -> None:
        self.vocabulary = vocabulary
        self._names = names
        self._of_name = lru_cache(maxsize=None)(self._name)

    def analyse(self, unit: Unit) -> Analysed:
        """What a text is found by: its words, the terms it names and all that are broader."""
        if unit.facet and unit.term:
            return self._of_name(unit.text, unit.facet, unit.term)
        text_words = words(unit.text)
        found = list(chain(*self._names.find_both(text_words, unit.text)))
        concepts = chain(*(concepts_of(name.facet, name.term, self.vocabulary) for name in found))
        return Analysed(text_words, [*keys_of(text_words), *concepts], list(pairs(text_words)), found)

    def _name(self, name: str, facet: Facet, term: str) -> Analysed:
        name_words = words(name)
        same = [concept(word.facet, word.term) for word in self._names.find_both(name_words, name)[1]]
        return Analysed(name_words, [*keys_of(name_words), concept(facet, term), *same], [], [])

    def name_keys(self, name: str, facet: Facet, term: str) -> list[str]:
        """The keys of a name of a term."""
        return self._of_name(name, facet, term).keys


def _prepared(incident: Incident, analyst: Analyst, newest_rank: int, added_rank: int, counts: WordCounts) -> Prepared:
    texts = Texts([], {}, [])
    neighbours: dict[str, None] = {}
    by_field: dict[Field, list[str]] = {field: [] for field in FIELDS}
    for unit in units(incident, analyst.vocabulary):
        analysed = analyst.analyse(unit)
        by_field[unit.field] += analysed.keys
        if unit.field != "tags":
            neighbours.update(dict.fromkeys(analysed.pairs))
            counts.update((word.text, word.is_hangul) for word in analysed.words)
            _note(texts, unit, analysed)
    first, last = interval(incident.happened)
    return Prepared(
        id=incident.id,
        keys=by_field,
        terms={facet: carried(incident, facet, analyst.vocabulary) for facet in FACETS},
        own_components=list(dict.fromkeys(tagged(incident)["component"])),
        pairs=list(neighbours),
        first=first.toordinal(),
        last=last.toordinal(),
        is_exact=incident.happened.precision == "day",
        newest_rank=newest_rank,
        added_rank=added_rank,
        texts=texts,
    )


def _note(texts: Texts, unit: Unit, analysed: Analysed) -> None:
    number = len(texts.places)
    texts.places.append(Place(unit.field, unit.name, unit.index, unit.lang))
    texts.named.extend(Named(number, name.start, name.end, name.facet, name.term) for name in analysed.found)
    for key in dict.fromkeys(analysed.keys):
        texts.keys[key] = (*texts.keys.get(key, ()), number)


class Labels(Struct, frozen=True):
    """The labels of all terms, each side for itself: whose they are, and which of them has which key."""

    places: list[tuple[Facet, str, Lang]]
    keys: dict[str, tuple[int, ...]]


TEXTS = "texts.jsonl"
LABELS = "labels.json"

encode_texts = msgspec.json.Encoder().encode
_decode_texts = msgspec.json.Decoder(Texts).decode
decode_labels = msgspec.json.Decoder(Labels).decode


def encode_labels(vocabulary: Vocabulary, names: Names) -> bytes:
    """The labels of all terms by their keys, as a file of the generation."""
    analyst, labels = Analyst(vocabulary, names), Labels([], {})
    for facet in FACETS:
        for term, entry in vocabulary[facet].items():
            for lang in LANGS:
                for key in dict.fromkeys(analyst.name_keys(entry.label.of(lang), facet, term)):
                    labels.keys[key] = (*labels.keys.get(key, ()), len(labels.places))
                labels.places.append((facet, term, lang))
    return msgspec.json.encode(labels)


def decode_texts(data: bytes | memoryview) -> Texts:
    """The texts of a case as they stand in the generation; a key is held once for all cases that have it."""
    texts = _decode_texts(data)
    return Texts(texts.places, {intern(key): numbers for key, numbers in texts.keys.items()}, texts.named)
