"""`get_incident`: one record, whole or some of its sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct, structs

from kubegap.library.record import Incident as Record
from kubegap.library.record import Passage, passages
from kubegap.library.record import Tag as RecordTag
from kubegap.library.vocabulary import FACET_FIELDS, Facet
from kubegap.library.words import BASIS, WITHDRAWN, when
from kubegap.mcp.arguments import Language
from kubegap.mcp.desk import Desk
from kubegap.mcp.paging import DETAIL_BYTES
from kubegap.mcp.untrusted import told
from kubegap.text import Lang, Text

TITLE = "Get an incident"
_LABEL = 80
Section = Literal["story", "terms", "sources", "checks"]
SECTIONS: tuple[Section, ...] = ("story", "terms", "sources", "checks")


class Tag(Struct, frozen=True, omit_defaults=True):
    """A term of the vocabulary on the record, and how it is known."""

    id: str
    label: str
    certainty: str
    note: str = ""


class Source(Struct, frozen=True):
    """A public report that the record rests on, and how much of it was read."""

    title: str
    publisher: str
    published: str
    url: str
    language: str
    read: str


class CheckBehind(Struct, frozen=True):
    """A check that cites the incident; `state` and `objects` are those of the newest scan, `not-scanned` without one."""

    check_id: str
    title: str
    state: str
    objects: int


class Told(Struct, frozen=True, kw_only=True):
    """One incident in one language. What is empty is not told by the source or was not asked for; what did not fit whole, a
    section or a list, is named in `left_out`.
    """

    incident_id: str
    title: str
    organisation: str
    happened: str
    withdrawn: str = ""
    impact: str = ""
    symptom: list[str] = []
    trigger: list[str] = []
    detection: list[str] = []
    actions: list[str] = []
    follow_ups: list[str] = []
    lesson: list[str] = []
    causes: list[Tag] = []
    components: list[Tag] = []
    symptoms: list[Tag] = []
    factors: list[Tag] = []
    platforms: list[str] = []
    signatures: list[str] = []
    related: list[str] = []
    sources: list[Source] = []
    checks: list[CheckBehind] = []
    left_out: list[str] = []
    scan_id: str = ""


def make(desk: Desk) -> Callable[..., Told]:
    """The function that answers."""

    def get_incident(
        incident_id: str,
        sections: list[Section] = [],  # noqa: B006, the schema's default
        lang: Language = "",
    ) -> Told:
        """One incident: symptom, trigger, detection, actions, follow-ups, lesson (story), its vocabulary terms, the public
        sources, and the checks that cite it with their state in the newest scan. All sections unless some are named.
        What the sources do not tell is empty.
        """
        record, language = desk.shelf.incident(incident_id), desk.language(lang)
        wanted = [name for name in SECTIONS if not sections or name in sections]
        return _within(desk, record, wanted, language)

    return get_incident


def _within(desk: Desk, record: Record, wanted: list[Section], lang: Lang) -> Told:
    """As many of the sections as fit; those that do not are named."""
    kept = list(wanted)
    while True:
        answer = _told(desk, record, kept, lang)
        answer = structs.replace(answer, left_out=[name for name in wanted if name not in kept])
        if len(kept) == 1 or _size(answer) <= DETAIL_BYTES:
            return _shortened(answer)
        kept = [name for name in kept if name != _DROPPED_FIRST[len(wanted) - len(kept)]]


def _shortened(answer: Told) -> Told:
    """A single section that does not fit, with its longest lists cut; they are named as well."""
    while _size(answer) > DETAIL_BYTES:
        longest = max(_LISTS, key=lambda name: _size(getattr(answer, name)))
        left_out = list(dict.fromkeys([*answer.left_out, longest]))
        answer = structs.replace(answer, **{longest: getattr(answer, longest)[:-1]}, left_out=left_out)
    return answer


def _size(answer: object) -> int:
    return len(msgspec.json.encode(answer))


_LISTS = tuple(
    part.name for part in structs.fields(Told) if isinstance(part.default_factory, type) and part.name != "left_out"
)
_DROPPED_FIRST: tuple[Section, ...] = ("terms", "sources", "checks", "story")


def _told(desk: Desk, record: Record, sections: list[Section], lang: Lang) -> Told:
    answer = Told(
        incident_id=record.id,
        title=desk.shelf.title(record.id).of(lang),
        organisation=record.organisation,
        happened=_happened(record, lang),
        withdrawn=_withdrawn(record).of(lang) if record.withdrawn else "",
    )
    parts = {"story": _story, "terms": _terms, "sources": _sources, "checks": _checks}
    for name in sections:
        answer = structs.replace(answer, **parts[name](desk, record, lang))
    return answer


def _happened(record: Record, lang: Lang) -> str:
    return f"{when(record.happened, lang)} ({BASIS[record.happened.basis].of(lang)})"


def _withdrawn(record: Record) -> Text:
    return (
        WITHDRAWN.fill(on=record.withdrawn.on, because=record.withdrawn.because) if record.withdrawn else Text("", "")
    )


def _story(_desk: Desk, record: Record, lang: Lang) -> dict[str, object]:
    names = ("symptom", "trigger", "detection", "actions", "follow_ups", "lesson")
    sections: dict[str, object] = {name: _sides(passages(getattr(record, name)), lang) for name in names}
    impact = record.impact.text.of(lang) if record.impact else ""
    return {**sections, "impact": impact, "signatures": record.signatures}


def _sides(parts: list[Passage], lang: Lang) -> list[str]:
    return [part.of(lang) for part in parts]


def _terms(desk: Desk, record: Record, lang: Lang) -> dict[str, object]:
    vocabulary = desk.shelf.search.vocabulary
    facets: list[Facet] = ["cause", "component", "symptom", "factor"]
    found: dict[str, object] = {}
    for facet in facets:
        tags: list[RecordTag] = getattr(record, FACET_FIELDS[facet])
        found[FACET_FIELDS[facet]] = [
            Tag(
                tag.term,
                told(vocabulary.term(facet, tag.term).label.of(lang), _LABEL),
                tag.certainty,
                tag.note.of(lang) if tag.note else "",
            )
            for tag in tags
        ]
    return {**found, "platforms": record.platforms, "related": desk.shelf.generation.related.get(record.id, [])}


def _sources(_desk: Desk, record: Record, _lang: Lang) -> dict[str, object]:
    return {
        "sources": [
            Source(
                source.title, source.publisher, source.published or "", source.url or "", source.language, source.read
            )
            for source in record.sources
        ]
    }


def _checks(desk: Desk, record: Record, lang: Lang) -> dict[str, object]:
    scan = desk.scans.newest()
    results = {result.page.id: result for result in scan.report.results} if scan else {}
    rows = []
    for check in desk.shelf.citing(record.id):
        result = results.get(check)
        state = result.state.value if result else "not-scanned"
        title = desk.shelf.page(check).title.of(lang)
        rows.append(CheckBehind(check, title, state, len(result.findings) if result else 0))
    return {"checks": rows, "scan_id": scan.id if scan else ""}
