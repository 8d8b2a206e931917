"""A record as sections of lines, for a terminal or as Markdown; what the source does not tell is said."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kubegap import terminal
from kubegap.library.generation import Generation
from kubegap.library.record import Incident, Passage, Source, Tag, Where, passages
from kubegap.library.vocabulary import FACET_FIELDS, Facet, Vocabulary
from kubegap.library.words import BASIS, CERTAINTY, EXTENT, SECTION_NAMES, SOURCE_KIND, WITHDRAWN, not_stated, when
from kubegap.prose import is_command
from kubegap.text import Lang, Text

# The order of the sections, that of the page.
_ORDER = ("symptom", "trigger", "cause", "component", "factor", "detection", "actions", "follow_ups", "lesson")
_NARROWEST = 40
_WIDEST = 100


class Section(Struct, frozen=True):
    """A heading and its lines; a list item begins with `- `."""

    heading: str
    lines: list[str]


def sections(generation: Generation, incident_id: str, lang: Lang) -> list[Section]:
    """All of an incident, the title first."""
    incident = generation.incident(incident_id)
    return [
        Section(incident.title.of(lang), list(_head(incident, generation.vocabulary, lang))),
        *(_section(incident, name, generation.vocabulary, lang) for name in _ORDER),
        Section(
            SECTION_NAMES["sources"].of(lang),
            [_source(place, source, lang) for place, source in enumerate(incident.sources, 1)],
        ),
        *_lists(generation, incident, lang),
    ]


def as_text(parts: list[Section], columns: int) -> str:
    """For a terminal, wrapped to its width."""
    width = max(_NARROWEST, min(columns, _WIDEST))
    blocks = []
    for part in parts:
        lines = [line for text in part.lines for line in _hanging(terminal.visible(text), width)]
        blocks.append("\n".join([*terminal.wrap(terminal.visible(part.heading), width), *lines]))
    return "\n\n".join(blocks)


def as_markdown(parts: list[Section], _columns: int) -> str:
    """For a review document; commands that stand alone are blocks of code."""
    marks = ["#", *["##"] * (len(parts) - 1)]
    return "\n\n".join(
        f"{mark} {part.heading}\n\n"
        + ("\n" if part.lines and part.lines[0].startswith("- ") else "\n\n").join(
            f"    {line}" if is_command(line) else line for line in part.lines
        )
        for mark, part in zip(marks, parts, strict=True)
    )


def _hanging(text: str, width: int) -> list[str]:
    if is_command(text):
        return [f"  {text}"]  # a command that is broken into lines cannot be pasted
    mark = "- " if text.startswith("- ") else ""
    first, *rest = terminal.wrap(text.removeprefix(mark), width - 4)
    return [f"  {mark}{first}", *(" " * (2 + len(mark)) + line for line in rest)]


def _head(incident: Incident, vocabulary: Vocabulary, lang: Lang) -> Iterator[str]:
    happened = incident.happened
    yield f"{incident.id}"
    yield f"{incident.organisation}, {when(happened, lang)} ({BASIS[happened.basis].of(lang)})"
    if incident.platforms:
        yield ", ".join(vocabulary.term("platform", platform).label.of(lang) for platform in incident.platforms)
    if incident.impact:
        yield incident.impact.text.of(lang)
    if incident.withdrawn:
        yield WITHDRAWN.fill(on=incident.withdrawn.on, because=incident.withdrawn.because).of(lang)


def _section(incident: Incident, name: str, vocabulary: Vocabulary, lang: Lang) -> Section:
    heading = SECTION_NAMES[name].of(lang)
    facets: dict[str, Facet] = {"cause": "cause", "component": "component", "factor": "factor"}
    if name in facets:
        return Section(heading, _tags(incident, facets[name], vocabulary, lang))
    parts = passages(getattr(incident, name))
    lines = [_passage(part, lang) for part in parts] or [not_stated(incident).of(lang)]
    if name == "symptom":
        return Section(heading, _bullets(lines) + _tags(incident, "symptom", vocabulary, lang))
    return Section(heading, _bullets(lines))


def _bullets(lines: list[str]) -> list[str]:
    return lines if len(lines) == 1 else [f"- {line}" for line in lines]


def _passage(part: Passage, lang: Lang) -> str:
    return part.of(lang) + _place(part.where)


def _tags(incident: Incident, facet: Facet, vocabulary: Vocabulary, lang: Lang) -> list[str]:
    tags: list[Tag] = getattr(incident, FACET_FIELDS[facet])
    return [_tag(tag, vocabulary.term(facet, tag.term).label, lang) for tag in tags] or [not_stated(incident).of(lang)]


def _tag(tag: Tag, label: Text, lang: Lang) -> str:
    note = f" {tag.note.of(lang)}" if tag.note else ""
    return f"- {label.of(lang)} ({tag.term}), {CERTAINTY[tag.certainty].of(lang)}{_place(tag.where)}{'.' if note else ''}{note}"


def _place(where: Where | None) -> str:
    return f" [{where.source}: {where.at}]" if where else ""


def _source(place: int, source: Source, lang: Lang) -> str:
    told = [
        source.publisher,
        source.published or "",
        SOURCE_KIND[source.kind].of(lang),
        source.language,
        EXTENT[source.read].of(lang),
        source.at or "",
    ]
    return f"- [{place}] {source.title}. {', '.join(part for part in told if part)}. {source.url or ''}".rstrip()


def _lists(generation: Generation, incident: Incident, lang: Lang) -> Iterator[Section]:
    if incident.signatures:
        yield Section(SECTION_NAMES["signatures"].of(lang), [f"- {signature}" for signature in incident.signatures])
    if related := generation.related.get(incident.id):
        yield Section(
            SECTION_NAMES["related"].of(lang),
            [f"- {other}: {generation.incident(other).title.of(lang)}" for other in related],
        )
    if incident.revised:
        yield Section(
            SECTION_NAMES["revised"].of(lang), [f"- {entry.on}: {entry.because.of(lang)}" for entry in incident.revised]
        )
