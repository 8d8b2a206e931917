"""A case as it is shown, in lists (opened in place) and on its own page."""

from __future__ import annotations

import re

from msgspec import Struct

from kubegap.library.record import Incident, Passage, Source, Tag, Where, passages
from kubegap.library.search.query import Filters
from kubegap.library.vocabulary import FACET_FIELDS, FACETS, Facet, Vocabulary
from kubegap.library.words import BASIS, CERTAINTY, EXTENT, SECTION_NAMES, SOURCE_KIND, WITHDRAWN, not_stated, when
from kubegap.text import Lang, counted
from kubegap.web.addresses import Addresses
from kubegap.web.views.dates import duration
from kubegap.web.words import case as words
from kubegap.web.words import results as list_words
from kubegap.web.words.frame import language_name

# The seed's order: the sections, with the terms of four facets at their places.
ROWS: tuple[tuple[str, Facet | None], ...] = (
    ("symptom", "symptom"),
    ("impact", None),
    ("trigger", None),
    ("cause", "cause"),
    ("component", "component"),
    ("factor", "factor"),
    ("detection", None),
    ("actions", None),
    ("follow_ups", None),
    ("lesson", None),
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LONGEST_GLANCE = 220
_GLANCE_FACETS: tuple[Facet, ...] = ("component", "symptom", "factor", "cause")
_GLANCE_EACH = 2


class ShownWhere(Struct, frozen=True):
    """Where in a source; `href` leads to the source in the list below, `at` is in English whatever the page."""

    source: str
    at: str
    href: str
    is_earlier: bool


class ShownPassage(Struct, frozen=True):
    """One text of a section."""

    text: str
    where: ShownWhere | None


class ShownTag(Struct, frozen=True):
    """A term on a case."""

    facet: Facet
    id: str
    label: str
    href: str
    certainty: str
    is_inferred: bool
    where: ShownWhere | None
    note: str | None


class Row(Struct, frozen=True):
    """A section; with neither tags nor passages it is not stated in the source."""

    label: str
    tags: list[ShownTag]
    passages: list[ShownPassage]


class ShownSource(Struct, frozen=True):
    """A source; `lang` is that of its title, `told` the facts about it."""

    anchor: str
    url: str | None
    title: str
    lang: str
    publisher: str
    told: list[str]
    at: str | None
    archive: str | None


class ShownRevision(Struct, frozen=True):
    """A correction."""

    on: str
    because: str


class Shown(Struct, frozen=True):
    """A case in one language."""

    id: str
    href: str
    title: str
    organisation: str
    organisation_lang: str
    when: str
    datetime: str
    basis: str
    is_report_date: bool
    duration: str | None
    platforms: list[ShownTag]
    source_count: str
    glance: str
    glance_tags: list[ShownTag]
    rows: list[Row]
    missing: str
    sources: list[ShownSource]
    signatures: list[str]
    signature_lang: str
    revised: list[ShownRevision]
    withdrawn: str | None
    added: str


class Case:
    """Shows cases in one language."""

    def __init__(self, vocabulary: Vocabulary, addresses: Addresses) -> None:
        self.vocabulary = vocabulary
        self.addresses = addresses
        self.lang: Lang = addresses.lang

    def show(self, incident: Incident) -> Shown:
        """The whole of an incident."""
        happened, lang = incident.happened, self.lang
        impact = incident.impact
        rows = [self._row(incident, name, facet) for name, facet in ROWS if name != "impact" or impact]
        return Shown(
            id=incident.id,
            href=self.addresses.incident(incident.id),
            title=incident.title.of(lang),
            organisation=incident.organisation,
            organisation_lang=_source_language(incident),
            when=when(happened, lang),
            datetime=happened.from_,
            basis=BASIS[happened.basis].of(lang),
            is_report_date=happened.basis == "report",
            duration=duration(impact.duration, lang) if impact and impact.duration else None,
            platforms=[self._platform(term) for term in incident.platforms],
            source_count=counted(len(incident.sources), one=list_words.SOURCES_ONE, many=list_words.SOURCES_MANY).of(
                lang
            ),
            glance=glance(passages(incident.symptom)[0].of(lang)),
            glance_tags=glance_tags([tag for row in rows for tag in row.tags], {}),
            rows=rows,
            missing=not_stated(incident).of(lang),
            sources=[self._source(incident, place, source) for place, source in enumerate(incident.sources, 1)],
            signatures=list(incident.signatures),
            signature_lang=_source_language(incident),
            revised=[ShownRevision(entry.on, entry.because.of(lang)) for entry in incident.revised],
            withdrawn=_withdrawn(incident, lang),
            added=incident.added,
        )

    def _row(self, incident: Incident, name: str, facet: Facet | None) -> Row:
        tags: list[Tag] = getattr(incident, FACET_FIELDS[facet]) if facet else []
        return Row(
            label=SECTION_NAMES[name].of(self.lang),
            tags=[self._tag(incident, facet, tag) for tag in tags] if facet else [],
            passages=[self._passage(incident, passage) for passage in _texts(incident, name)],
        )

    def _passage(self, incident: Incident, passage: Passage) -> ShownPassage:
        return ShownPassage(passage.of(self.lang), self._where(incident, passage.where))

    def _tag(self, incident: Incident, facet: Facet, tag: Tag) -> ShownTag:
        return ShownTag(
            facet=facet,
            id=tag.term,
            label=self.vocabulary.term(facet, tag.term).label.of(self.lang),
            href=self.addresses.term(facet, tag.term),
            certainty=CERTAINTY[tag.certainty].of(self.lang),
            is_inferred=tag.certainty == "inferred",
            where=self._where(incident, tag.where),
            note=tag.note.of(self.lang) if tag.note else None,
        )

    def _platform(self, term: str) -> ShownTag:
        label = self.vocabulary.term("platform", term).label.of(self.lang)
        return ShownTag(
            "platform", term, label, self.addresses.term("platform", term), "", is_inferred=False, where=None, note=None
        )

    def _where(self, incident: Incident, where: Where | None) -> ShownWhere | None:
        if where is None:
            return None
        source = incident.sources[where.source - 1] if 0 < where.source <= len(incident.sources) else None
        label = words.SOURCE.fill(place=where.source).of(self.lang)
        is_earlier = source is not None and source.kind == "earlier-edition"
        return ShownWhere(label, where.at, f"#{anchor(incident.id, where.source)}", is_earlier)

    def _source(self, incident: Incident, place: int, source: Source) -> ShownSource:
        told = [
            source.published or "",
            SOURCE_KIND[source.kind].of(self.lang),
            language_name(source.language, self.lang),
            EXTENT[source.read].of(self.lang),
        ]
        return ShownSource(
            anchor=anchor(incident.id, place),
            url=source.url,
            title=source.title,
            lang=source.language,
            publisher=source.publisher,
            told=[part for part in told if part],
            at=source.at,
            archive=source.archive,
        )


def anchor(incident: str, source: int) -> str:
    """The place of a source on a page that may show several cases."""
    return f"{incident}-source-{source}"


def glance(text: str) -> str:
    """The first sentence, cut at a word if it is long."""
    first = text
    for end in _SENTENCE_END.finditer(text):
        if text[: end.start()].count("`") % 2 == 0:
            first = text[: end.start()]
            break
    if len(first) <= _LONGEST_GLANCE:
        return first
    cut = first[:_LONGEST_GLANCE].rsplit(" ", 1)[0]
    return (cut + "`" if cut.count("`") % 2 else cut) + " …"


def glance_tags(tags: list[ShownTag], chosen: Filters) -> list[ShownTag]:
    """The first of each facet, the chosen ones before."""
    found: list[ShownTag] = []
    for facet in _GLANCE_FACETS:
        own = [tag for tag in tags if tag.facet == facet]
        wanted = [tag for tag in own if tag.id in chosen.get(facet, ())]
        found += [*wanted, *[tag for tag in own if tag not in wanted]][: max(_GLANCE_EACH, len(wanted))]
    return found


def values(shown: Shown) -> list[ShownTag]:
    """The terms of all four facets."""
    return [tag for row in shown.rows for tag in row.tags]


def _texts(incident: Incident, name: str) -> list[Passage]:
    if name == "impact":
        return [incident.impact.text] if incident.impact else []
    return passages(getattr(incident, name)) if name not in FACETS or name == "symptom" else []


def _source_language(incident: Incident) -> str:
    return incident.sources[0].language


def _withdrawn(incident: Incident, lang: Lang) -> str | None:
    entry = incident.withdrawn
    return WITHDRAWN.fill(on=entry.on, because=entry.because).of(lang) if entry else None
