"""The controlled vocabulary: terms of four facets, and the platforms, which filter like a fifth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from kubegap.library.record import Record, TermId
from kubegap.problems import UnknownName, nearest
from kubegap.text import LANGS, Lang, Text

Facet = Literal["component", "cause", "symptom", "factor", "platform"]
FACETS: tuple[Facet, ...] = get_args(Facet)


# The field of a record that holds the terms of a facet.
FACET_FIELDS: dict[Facet, str] = {
    "component": "components",
    "cause": "causes",
    "symptom": "symptoms",
    "factor": "factors",
    "platform": "platforms",
}


class Synonyms(Struct, frozen=True, forbid_unknown_fields=True):
    """Other words for a term, as people write them."""

    ko: list[Annotated[str, Meta(min_length=1)]]
    en: list[Annotated[str, Meta(min_length=1)]]

    def of(self, lang: Lang) -> list[str]:
        """The synonyms of one language."""
        return self.ko if lang == "ko" else self.en


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One controlled value, as its file tells it; the id is its key there."""

    label: Text
    definition: Text
    synonyms: Synonyms
    broader: TermId | None = None

    def names(self) -> Iterator[str]:
        """Label and synonyms in both languages."""
        for lang in LANGS:
            yield from self.names_of(lang)

    def names_of(self, lang: Lang) -> list[str]:
        """Label and synonyms in one language."""
        return [self.label.of(lang), *self.synonyms.of(lang)]


Terms = dict[TermId, Term]
# Words of the field that mean the same in both languages; they widen a search and are no filters.
Words = dict[TermId, Synonyms]


class Vocabulary:
    """All terms by facet, and the words that mean the same; asks about broader and narrower are answered from here."""

    def __init__(self, facets: Mapping[Facet, Terms], words: Words | None = None) -> None:
        self.facets = dict(facets)
        self.words = words or {}
        # Each page of results asks for the same few hundred.
        self._lines: dict[Facet, dict[str, tuple[str, ...]]] = {facet: {} for facet in self.facets}

    def __getitem__(self, facet: Facet) -> Terms:
        return self.facets[facet]

    def term(self, facet: Facet, term: str) -> Term:
        """The term with an id; raises `UnknownName` with the nearest ids."""
        if found := self.facets[facet].get(term):
            return found
        raise UnknownName(_NO_SUCH_TERM.fill(id=term, facet=FACET_NAMES[facet]), self.nearest(facet, term))

    def nearest(self, facet: Facet, term: str) -> list[str]:
        """Up to three ids of a facet that a misspelt id may have meant."""
        return nearest(term, self.facets[facet])

    def with_broader(self, facet: Facet, term: str) -> Sequence[str]:
        """The id and those of all broader terms, from narrow to broad; a loop in the data ends the walk."""
        if (known := self._lines[facet].get(term)) is not None:
            return known
        line = self._line(facet, term)
        if term in self.facets[facet]:
            self._lines[facet][term] = line
        return line

    def _line(self, facet: Facet, term: str) -> tuple[str, ...]:
        terms, line = self.facets[facet], [term]
        while (found := terms.get(line[-1])) and found.broader and found.broader not in line:
            line.append(found.broader)
        return tuple(line)

    def narrower(self, facet: Facet, term: str) -> list[str]:
        """Ids of all terms below a term, in the vocabulary's order."""
        return self._narrower[facet].get(term, [])

    @cached_property
    def _narrower(self) -> dict[Facet, dict[str, list[str]]]:
        below: dict[Facet, dict[str, list[str]]] = {facet: {} for facet in self.facets}
        for facet, terms in self.facets.items():
            for term in terms:
                for broader in self.with_broader(facet, term)[1:]:
                    below[facet].setdefault(broader, []).append(term)
        return below


def tagged(record: Record) -> dict[Facet, list[str]]:
    """The term ids of a record by facet, as written, most telling first."""
    return {
        "component": [tag.term for tag in record.components],
        "cause": [tag.term for tag in record.causes],
        "symptom": [tag.term for tag in record.symptoms],
        "factor": [tag.term for tag in record.factors],
        "platform": list(record.platforms),
    }


def carried(record: Record, facet: Facet, vocabulary: Vocabulary) -> list[str]:
    """The terms of a record and all broader ones, each once: those under which it is found and counted."""
    own = tagged(record)[facet]
    return list(dict.fromkeys(above for term in own for above in vocabulary.with_broader(facet, term)))


def carries(record: Record, facet: Facet, terms: Iterable[str], vocabulary: Vocabulary) -> bool:
    """Whether a record carries one of some terms, or a narrower one."""
    return not set(terms).isdisjoint(carried(record, facet, vocabulary))


FACET_NAMES: dict[Facet, Text] = {
    "component": Text(ko="구성 요소", en="component"),
    "cause": Text(ko="원인", en="cause"),
    "symptom": Text(ko="증상", en="symptom"),
    "factor": Text(ko="기여 요인", en="contributing factor"),
    "platform": Text(ko="플랫폼", en="platform"),
}
_NO_SUCH_TERM = Text(ko="`{id}` 라는 {facet} 값은 없습니다.", en="`{id}`: no such {facet}")
