"""The checks as data: what the API and the `.json` of their pages give."""

from __future__ import annotations

from msgspec import Struct

from kubegap.checks.model import Severity, State
from kubegap.checks.page import Case, Page, Read
from kubegap.cluster.resources import RESOURCES
from kubegap.text import Text
from kubegap.web.edition import Edition
from kubegap.web.grounding import command


class Named(Struct, frozen=True):
    """Something of the library by its id, with its title."""

    id: str
    title: Text


class ListedCheck(Struct, frozen=True):
    """A check in a list; `severities` are those that its findings can have, worst first, `command` runs it alone."""

    id: str
    area: str
    title: Text
    severities: list[Severity]
    incidents: list[str]
    command: str


class CheckSeverity(Struct, frozen=True):
    """A severity, and when a finding has it."""

    severity: Severity
    when: Text


class CheckRead(Struct, frozen=True):
    """What a check reads and what for: kinds as `group/version/plural`, and the rights that show them.

    `resource` is the one kind, or the name of a group of kinds.
    """

    resource: str
    kinds: list[str]
    grants: list[str]
    why: Text
    optional: bool


class CheckFinding(Struct, frozen=True):
    """A finding of an example: its subject and how bad it is."""

    subject: str
    severity: Severity


class CheckExample(Struct, frozen=True):
    """A cluster as YAML and what the check says of it; the input is laid over the check's `base` unless `bare`."""

    tells: Text
    state: State
    finds: list[CheckFinding]
    incident: str | None
    input: str
    bare: bool


class Check(Struct, frozen=True):
    """Everything that a check says of itself; `incidents` are those it rests on."""

    id: str
    area: str
    title: Text
    looks_for: Text
    why: Text
    severities: list[CheckSeverity]
    incidents: list[Named]
    remediation: Text
    verify: Text
    limits: list[Text]
    reads: list[CheckRead]
    base: str
    examples: list[CheckExample]
    command: str


def listed_checks(edition: Edition) -> list[ListedCheck]:
    """All checks in the order of ids."""
    return [
        ListedCheck(page.id, page.area, page.title, severities(page), page.incidents, command("select", [page.id]))
        for page in edition.grounding.pages.values()
    ]


def check_data(page: Page, edition: Edition) -> Check:
    """One check."""
    return Check(
        id=page.id,
        area=page.area,
        title=page.title,
        looks_for=page.looks_for,
        why=page.why,
        severities=[CheckSeverity(severity, page.severities[severity]) for severity in severities(page)],
        incidents=[Named(incident, edition.generation.title_of(incident)) for incident in page.incidents],
        remediation=page.remediation,
        verify=page.verify,
        limits=page.limits,
        reads=[_read(read) for read in page.reads],
        base=page.base,
        examples=[_example(case) for case in page.cases],
        command=command("select", [page.id]),
    )


def severities(page: Page) -> list[Severity]:
    """The severities that findings of a check can have, worst first."""
    return [severity for severity in Severity if severity in page.severities]


def grants(read: Read) -> list[str]:
    """The rights that show what is read."""
    return [RESOURCES[path].resource.grant for path in read.paths]


def _read(read: Read) -> CheckRead:
    return CheckRead(read.resource, list(read.paths), grants(read), read.why, read.optional)


def _example(case: Case) -> CheckExample:
    finds = [CheckFinding(found.subject, found.severity) for found in case.finds]
    return CheckExample(case.tells, case.state, finds, case.incident, case.input, case.bare)
