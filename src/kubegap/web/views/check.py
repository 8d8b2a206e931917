"""The page of one check, from its pair."""

from __future__ import annotations

from msgspec import Struct

from kubegap.checks.model import Severity
from kubegap.checks.page import Case, Page, Read
from kubegap.cluster.resources import GROUP_NAMES, RESOURCES, name_of
from kubegap.report import grants
from kubegap.report.words import SEVERITIES, STATES
from kubegap.text import Lang, Text, same
from kubegap.web import checks_data
from kubegap.web.addresses import Addresses
from kubegap.web.checks_data import severities
from kubegap.web.edition import Edition
from kubegap.web.grounding import command
from kubegap.web.views.checks import area_id, area_title
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.views.results import Link
from kubegap.web.words import checks as words

_COMMAND = "kubectl "


class Step(Struct, frozen=True):
    """A line of advice: prose, or a command to copy, which has an `anchor`."""

    text: str
    anchor: str


class ShownSeverity(Struct, frozen=True):
    """A severity and when a finding has it."""

    id: str
    label: str
    when: str


class ShownRead(Struct, frozen=True):
    """What is read: a kind, or a group; `kinds` says how many it has and is empty for a single kind."""

    label: str
    kinds: str
    why: str
    grants: list[str]
    is_optional: bool


class ShownFinding(Struct, frozen=True):
    """A finding of an example."""

    subject: str
    severity: str


class Example(Struct, frozen=True):
    """A cluster and what the check says of it; `state` is the id of `answer`."""

    tells: str
    state: str
    answer: str
    finds: list[ShownFinding]
    incident: Link | None
    input: str
    is_bare: bool


class CheckPage(Struct, frozen=True):
    """Everything that a check says of itself."""

    frame: Frame
    id: str
    title: str
    area: Link
    command: str
    looks_for: str
    why: str
    incidents: list[Link]
    severities: list[ShownSeverity]
    remediation: list[Step]
    verify: list[Step]
    limits: list[str]
    reads: list[ShownRead]
    role: str
    base: str
    examples: list[Example]
    form: Link
    all_checks: str


def check_page(page: Page, edition: Edition, around: Around) -> CheckPage:
    """The page of a check."""
    addresses = around.addresses
    lang = addresses.lang
    return CheckPage(
        frame=frame(around, page.title.of(lang), f"/checks/{page.id}", menu="checks"),
        id=page.id,
        title=page.title.of(lang),
        area=Link(area_title(page.area, lang), f"{addresses.checks()}#{area_id(page.area)}"),
        command=command("select", [page.id]),
        looks_for=page.looks_for.of(lang),
        why=page.why.of(lang),
        incidents=[_cited(incident, edition, addresses) for incident in page.incidents],
        severities=[_severity(page, severity, lang) for severity in severities(page)],
        remediation=steps(page.remediation, "change", lang),
        verify=steps(page.verify, "verify", lang),
        limits=[limit.of(lang) for limit in page.limits],
        reads=[_read(read, lang) for read in page.reads],
        # Under a name of its own: applied beside the role for all checks, it must not take rights away.
        role=grants.role({RESOURCES[path].resource for path in page.paths}, f"{grants.NAME}-{page.id}"),
        base=page.base,
        examples=[_example(case, edition, addresses) for case in page.cases],
        form=Link("JSON", addresses.check(page.id, "json")),
        all_checks=addresses.checks(),
    )


def steps(text: Text, name: str, lang: Lang) -> list[Step]:
    """A text line by line; `name` begins the anchors of its commands."""
    lines = [line for line in text.of(lang).splitlines() if line.strip()]
    return [Step(line, f"{name}-{place}" if line.startswith(_COMMAND) else "") for place, line in enumerate(lines, 1)]


def _cited(incident: str, edition: Edition, addresses: Addresses) -> Link:
    """A team's own library may lack an incident that a check cites: then it is named, and leads nowhere."""
    if incident not in edition.ids:
        return Link(incident, "")
    return Link(edition.incident(incident).title.of(addresses.lang), addresses.incident(incident))


def _severity(page: Page, severity: Severity, lang: Lang) -> ShownSeverity:
    return ShownSeverity(severity.value, SEVERITIES[severity].of(lang), page.severities[severity].of(lang))


def _read(read: Read, lang: Lang) -> ShownRead:
    name = GROUP_NAMES.get(read.resource) or same(name_of(RESOURCES[read.paths[0]].resource))
    kinds = words.CHECK_READS_KINDS.fill(count=len(read.paths)).of(lang) if len(read.paths) > 1 else ""
    return ShownRead(
        label=name.of(lang),
        kinds=kinds,
        why=read.why.of(lang),
        grants=checks_data.grants(read),
        is_optional=read.optional,
    )


def _example(case: Case, edition: Edition, addresses: Addresses) -> Example:
    lang = addresses.lang
    return Example(
        tells=case.tells.of(lang),
        state=case.state.value,
        answer=STATES[case.state].of(lang),
        finds=[ShownFinding(found.subject, SEVERITIES[found.severity].of(lang)) for found in case.finds],
        incident=_cited(case.incident, edition, addresses) if case.incident else None,
        input=case.input,
        is_bare=case.bare,
    )
