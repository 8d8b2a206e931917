"""`get_gap`: one gap with its evidence, why it matters and what to change."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from kubegap.checks.model import Severity
from kubegap.checks.page import Page
from kubegap.checks.run import Result
from kubegap.library.record import passages
from kubegap.mcp import paging, shapes
from kubegap.mcp.arguments import Language, Many, ScanId
from kubegap.mcp.desk import Desk
from kubegap.mcp.scans import Scan
from kubegap.mcp.shapes import Cluster
from kubegap.mcp.untrusted import NOTICE, shown, told
from kubegap.report.view import Entry
from kubegap.report.words import UNSET
from kubegap.text import Lang, Text

TITLE = "Get a gap"
_EVIDENCE = 4
_MEMBERS = 3
_LESSON = 240


class Subject(Struct, frozen=True):
    """The object that a finding is about."""

    kind: str
    namespace: str
    name: str


class Evidence(Struct, frozen=True):
    """A field as seen in the cluster, and what was hoped for."""

    object: str
    path: str
    value: str
    expected: str


class Found(Struct, frozen=True):
    """One finding; `seen` is the sentence about it, which quotes the cluster."""

    subject: Subject
    severity: Severity
    confidence: str
    status: str
    accepted_for: str
    seen: str
    evidence: list[Evidence]
    more_evidence: int
    members: list[str]
    more_members: int


class Behind(Struct, frozen=True):
    """An incident that the check rests on."""

    incident_id: str
    title: str
    organisation: str
    lesson: str


class GapDetail(Struct, frozen=True):
    """One gap: the claim, the findings, why, what to change, how to verify, and what the check cannot see."""

    summary: str
    gap_id: str
    title: str
    state: str
    reason: str
    scan_id: str
    cluster: Cluster | None
    looks_for: str
    why: str
    incidents: list[Behind]
    remediation: str
    verify: str
    limits: list[str]
    total: int
    items: list[Found]
    next_cursor: str
    data_notice: str


def make(desk: Desk) -> Callable[..., GapDetail]:
    """The function that answers."""

    def get_gap(
        gap_id: str,
        scan_id: ScanId = "",
        limit: Many = 10,
        cursor: str = "",
        lang: Language = "",
    ) -> GapDetail:
        """One gap, by the id of its check: the objects with evidence (field, value seen, value hoped for), the incidents
        behind it and why they matter here, what to change, how to verify, and what the check cannot see. Without a scan it
        explains the check.
        """
        page, language = desk.shelf.page(gap_id), desk.language(lang)
        scan = desk.scans.get(scan_id) if scan_id else desk.scans.newest()
        result = _result(scan, gap_id)
        entries = _entries(desk, scan, gap_id, language)
        question = [scan.id if scan else "", gap_id]
        start = paging.start_of(cursor, question)
        answer = _explained(desk, page, scan, result, language)
        rows = [_found(entry, language) for entry in entries[start : start + limit]]

        def tell(count: int, total: int) -> str:
            return _SUMMARY.fill(state=answer.state, count=count, total=total).of(language)

        most = paging.DETAIL_BYTES
        return paging.page(answer, rows, start, question, total=len(entries), most=most, tell=tell)

    return get_gap


def _result(scan: Scan | None, gap_id: str) -> Result | None:
    return next((result for result in scan.report.results if result.page.id == gap_id), None) if scan else None


def _entries(desk: Desk, scan: Scan | None, gap_id: str, lang: Lang) -> list[Entry]:
    return [entry for entry in desk.view(scan, lang).entries() if entry.page.id == gap_id] if scan else []


def _explained(desk: Desk, page: Page, scan: Scan | None, result: Result | None, lang: Lang) -> GapDetail:
    """Everything but the findings."""
    state = result.state.value if result else NOT_SCANNED
    return GapDetail(
        summary="",
        gap_id=page.id,
        title=page.title.of(lang),
        state=state,
        reason=shown(result.reason.of(lang), 400) if result and result.reason else "",
        scan_id=scan.id if scan else "",
        cluster=shapes.cluster_of(scan) if scan else None,
        looks_for=page.looks_for.of(lang),
        why=page.why.of(lang),
        incidents=[_behind(desk, incident, lang) for incident in page.incidents],
        remediation=page.remediation.of(lang),
        verify=page.verify.of(lang),
        limits=[limit.of(lang) for limit in page.limits],
        total=0,
        items=[],
        next_cursor="",
        data_notice=NOTICE.of(lang),
    )


def _behind(desk: Desk, incident: str, lang: Lang) -> Behind:
    if incident not in desk.shelf.ids:
        return Behind(incident, desk.shelf.title(incident).of(lang), "", "")
    found = desk.shelf.incident(incident)
    lesson = passages(found.lesson)[0].of(lang)
    return Behind(incident, desk.shelf.title(incident).of(lang), found.organisation, told(lesson, _LESSON))


def _found(entry: Entry, lang: Lang) -> Found:
    finding, standing = entry.finding, entry.standing
    accepted = standing.acceptance if standing else None
    return Found(
        subject=Subject(
            shown(finding.subject.kind, 63),
            shown(finding.subject.namespace or "", 63),
            shown(finding.subject.name, 253),
        ),
        severity=finding.severity,
        confidence=finding.confidence.value,
        status=standing.status.value if standing else "",
        accepted_for=shown(accepted.reason) if accepted else "",
        seen=shown(entry.sentence.of(lang), 400),
        evidence=[
            Evidence(
                shown(one.object),
                shown(one.path),
                shown(UNSET.of(lang) if one.value is None else one.value),
                shown(one.expected or ""),
            )
            for one in finding.evidence[:_EVIDENCE]
        ],
        more_evidence=max(0, len(finding.evidence) - _EVIDENCE),
        members=[shown(member) for member in finding.members[:_MEMBERS]],
        more_members=max(0, len(finding.members) - _MEMBERS),
    )


# No state of a scan: nobody has looked.
NOT_SCANNED = "not-scanned"
_SUMMARY = Text(
    ko="{state}: 대상 {total}개 중 {count}개.",
    en="{state}: {count} of {total} objects.",
)
