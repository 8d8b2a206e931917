"""The form of a record: what one incident file holds. Types, validation and the editors' schema all come from here."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

from kubegap.text import Text


def form(pattern: str, *, ko: str, en: str) -> Meta:
    """The form of a text value, with what to say when it is missed."""
    return Meta(pattern=pattern, description=en, extra_json_schema={"descriptionKo": ko})


INCIDENT_ID = r"^\d{4}-\d{2}(-[a-z0-9]+)+$"
Day = Annotated[str, form(r"^\d{4}-\d{2}-\d{2}$", ko="날짜: 2026-11-30", en="a day: 2026-11-30")]
PartialDay = Annotated[
    str,
    form(
        r"^\d{4}(-\d{2}(-\d{2})?)?$",
        ko="아는 데까지: 2024, 2024-03, 2024-03-09",
        en="as far as it is known: 2024, 2024-03 or 2024-03-09",
    ),
]
Duration = Annotated[
    str,
    form(
        r"^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$",
        ko="ISO 8601 기간: P2D, PT4H30M",
        en="an ISO 8601 duration in days, hours, minutes, seconds: P2D, PT4H30M",
    ),
]
IncidentId = Annotated[
    str,
    form(
        INCIDENT_ID,
        ko="연도-월(모르면 00)-조직-무슨 일: 2024-03-example-webhook-blocks-leases",
        en="year, month (00 if unknown), who, what: 2024-03-example-webhook-blocks-leases",
    ),
]
TermId = Annotated[
    str, form(r"^[a-z0-9]+(-[a-z0-9]+)*$", ko="용어 id: gpu-not-visible", en="the id of a term: gpu-not-visible")
]
HttpUrl = Annotated[str, form(r"^https?://[^\s]+$", ko="https 주소", en="an https address")]
Language = Annotated[str, form(r"^[a-z]{2,3}$", ko="출처의 언어: en, ko", en="language of the source: en, ko")]
Line = Annotated[str, Meta(min_length=1, max_length=300)]

Precision = Literal["day", "month", "year", "approximate"]
Basis = Literal["event", "report"]
Certainty = Literal["stated", "inferred"]
SourceKind = Literal[
    "postmortem", "blog", "paper", "issue-thread", "logbook", "report", "talk", "book", "earlier-edition"
]
Extent = Literal["full", "excerpt", "summary"]
SOURCE_KINDS: tuple[SourceKind, ...] = get_args(SourceKind)


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A part of a record: unknown fields are refused, absent ones are left out when written."""


class Where(Strict, frozen=True, kw_only=True):
    """Where in a source something stands."""

    source: Annotated[int, Meta(description="Place of the source in `sources`; 1 is the first")]
    at: Annotated[Line, Meta(description="Section, lines or page")]


class Passage(Text, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A text of a section, with its place in a source where that is not obvious."""

    where: Where | None = None


class Happened(Strict, frozen=True, kw_only=True):
    """When it happened, as far as it is known."""

    from_: PartialDay = field(name="from")
    to: PartialDay | None = None
    precision: Precision
    basis: Annotated[Basis, Meta(description="`report` when only the report's date is known")]


class Revision(Strict, frozen=True, kw_only=True):
    """A correction, told and not hidden."""

    on: Day
    because: Text


class Tag(Strict, frozen=True, kw_only=True):
    """A term on a record, with how we know it: `stated` needs `where`, `inferred` needs `note`."""

    term: TermId
    certainty: Certainty
    where: Where | None = None
    note: Text | None = None


class Impact(Strict, frozen=True, kw_only=True):
    """How much harm, if the source says it."""

    text: Passage
    duration: Duration | None = None


class Source(Strict, frozen=True, kw_only=True):
    """A public report that the record rests on."""

    url: HttpUrl | None = None
    title: Line
    publisher: Line
    published: PartialDay | None = None
    kind: SourceKind
    language: Language
    read: Annotated[Extent, Meta(description="The honest extent of what the writer read")]
    at: Line | None = None
    archive: HttpUrl | None = None


Section = Passage | Annotated[list[Passage], Meta(min_length=1)]
Items = Annotated[list[Passage], Meta(min_length=1)]
Tags = Annotated[list[Tag], Meta(min_length=1)]


class Record(Strict, frozen=True, kw_only=True):
    """One publicly reported incident, as its file tells it."""

    title: Text
    organisation: Annotated[Line, Meta(description="As the source names it")]
    happened: Happened
    added: Annotated[Day, Meta(description="When the record came into the library")]
    revised: list[Revision] = []
    platforms: list[TermId] = []
    components: Annotated[
        Tags, Meta(description="Where: terms of library/vocabulary/component.yaml, most telling first")
    ]
    causes: Annotated[Tags, Meta(description="What broke or was wrong: terms of library/vocabulary/cause.yaml")]
    symptoms: Annotated[Tags, Meta(description="What people saw: terms of library/vocabulary/symptom.yaml")]
    factors: Annotated[
        list[Tag], Meta(description="What let it happen, spread or last: terms of library/vocabulary/factor.yaml")
    ]
    impact: Impact | None = None
    symptom: Annotated[Section, Meta(description="What people saw")]
    trigger: Annotated[Section, Meta(description="What set it off, last")] | None = None
    detection: Annotated[Section, Meta(description="How it was noticed")] | None = None
    actions: Annotated[Items, Meta(description="What was done to stop or reduce the harm")] | None = None
    follow_ups: Annotated[Items, Meta(description="What was planned or done so that it does not come back")] | None = (
        None
    )
    lesson: Annotated[Section, Meta(description="What a reader who runs another cluster should change")]
    sources: Annotated[list[Source], Meta(min_length=1)]
    signatures: Annotated[
        list[Line], Meta(description="Literal errors, event reasons and metrics that people paste")
    ] = []
    related: Annotated[list[IncidentId], Meta(description="Written on one side only; the other side is derived")] = []
    withdrawn: Annotated[Revision, Meta(description="Instead of deleting the record")] | None = None


class Incident(Record, frozen=True, kw_only=True):
    """A record with its id, which its file name gives."""

    id: IncidentId


def is_incident_id(words: str) -> bool:
    """Whether some words have the form of an incident's id."""
    return re.fullmatch(INCIDENT_ID, words) is not None


SECTIONS = ("symptom", "trigger", "detection", "actions", "follow_ups", "lesson")


def passages(section: Passage | list[Passage] | None) -> list[Passage]:
    """A section as a list, whatever form it was written in."""
    if section is None:
        return []
    return [section] if isinstance(section, Passage) else section
