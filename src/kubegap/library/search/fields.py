"""The texts of an incident that are searched, each with the place that an explanation names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from msgspec import Struct

from kubegap.library.record import SECTIONS, Incident, passages
from kubegap.library.vocabulary import FACET_FIELDS, FACETS, Facet, Vocabulary, tagged
from kubegap.text import LANGS, Lang, Text

# A word matches in a field as a whole: all sections together are its body.
Field = Literal["title", "signatures", "tags", "organisation", "body"]
FIELDS: tuple[Field, ...] = get_args(Field)
# The note of a tag is named after the list that the tag stands in.
NOTE = ".note"


class Unit(Struct, frozen=True):
    """One text of an incident: `name` and `index` as in the record, `lang` None where it has no language (a signature).

    A unit of the field `tags` is the label of the term `term`.
    """

    field: Field
    name: str
    index: int | None
    lang: Lang | None
    text: str
    facet: Facet | None = None
    term: str | None = None


def units(incident: Incident, vocabulary: Vocabulary) -> Iterator[Unit]:
    """All texts of an incident in the order in which a reader should be told of them."""
    yield from _sides("title", "title", None, incident.title)
    for place, signature in enumerate(incident.signatures):
        yield Unit("signatures", "signatures", place, None, signature)
    for facet in FACETS:
        yield from _tag_units(incident, facet, vocabulary)
    yield Unit("organisation", "organisation", None, None, incident.organisation)
    yield from _body(incident)


def _body(incident: Incident) -> Iterator[Unit]:
    for name in SECTIONS:
        section = getattr(incident, name)
        for place, passage in enumerate(passages(section)):
            yield from _sides("body", name, place if isinstance(section, list) else None, passage)
    if incident.impact:
        yield from _sides("body", "impact", None, incident.impact.text)
    for name in ("components", "causes", "symptoms", "factors"):
        for place, tag in enumerate(getattr(incident, name)):
            if tag.note:
                yield from _sides("body", f"{name}{NOTE}", place, tag.note)


def _tag_units(incident: Incident, facet: Facet, vocabulary: Vocabulary) -> Iterator[Unit]:
    """The labels of a record's terms and of all that are broader. Synonyms find a term as a whole, by its concept key."""
    for place, tag in enumerate(tagged(incident)[facet]):
        for term in vocabulary.with_broader(facet, tag):
            if entry := vocabulary[facet].get(term):
                for lang in LANGS:
                    yield Unit("tags", FACET_FIELDS[facet], place, lang, entry.label.of(lang), facet, term)


def _sides(field: Field, name: str, index: int | None, text: Text) -> Iterator[Unit]:
    for lang in LANGS:
        yield Unit(field, name, index, lang, text.of(lang))
