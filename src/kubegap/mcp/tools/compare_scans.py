"""`compare_scans`: what is new, worse or gone between two scans of a cluster."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from kubegap.mcp import paging, shapes
from kubegap.mcp.arguments import Language, Many, ScanId
from kubegap.mcp.desk import Desk
from kubegap.mcp.scans import Scan
from kubegap.mcp.shapes import Cluster
from kubegap.mcp.untrusted import NOTICE, shown
from kubegap.report.standing import Status, Verdict, baseline_of, judge
from kubegap.text import Text

TITLE = "Compare scans"
_SHOWN = (Status.NEW, Status.WORSENED, Status.EXPIRED)


class Change(Struct, frozen=True):
    """A finding whose standing changed; `finding` is its kind, namespace and name."""

    change: str
    check_id: str
    severity: str
    was: str
    finding: str


class Compared(Struct, frozen=True):
    """What changed from one scan to another: new and worse findings first, then those that are gone or could not be seen."""

    summary: str
    before: str
    after: str
    cluster: Cluster
    counts: dict[str, int]
    total: int
    items: list[Change]
    next_cursor: str
    not_seen: list[str]
    notes: list[str]
    data_notice: str


def make(desk: Desk) -> Callable[..., Compared]:
    """The function that answers."""

    def compare_scans(
        before: str,
        after: ScanId = "",
        limit: Many = 20,
        cursor: str = "",
        lang: Language = "",
    ) -> Compared:
        """What is new, worse, gone or no longer visible between two scans of the same cluster, such as before and after an
        upgrade or a fix. A finding counts as gone only if its check was fully seen. Scans last seven days.
        """
        language = desk.language(lang)
        old, new = desk.scans.get(before), desk.scans.get(after)
        verdict = judge(new.report, baseline_of(old.report, old.verdict))
        changes = _changes(new, verdict)
        question = [old.id, new.id]
        start = paging.start_of(cursor, question)
        counts = _counts(verdict)
        summary = _SUMMARY.fill(**{name: f"{count:,}" for name, count in counts.items()}).of(language)
        answer = Compared(
            summary=summary,
            before=old.id,
            after=new.id,
            cluster=shapes.cluster_of(new),
            counts=counts,
            total=0,
            items=[],
            next_cursor="",
            not_seen=shapes.unseen_briefly(desk.view(new, language))[0],
            notes=[note.of(language) for note in _notes(old, new, verdict)],
            data_notice=NOTICE.of(language),
        )
        return paging.page(answer, changes[start : start + limit], start, question, total=len(changes))

    return compare_scans


def _changes(new: Scan, verdict: Verdict) -> list[Change]:
    severities = {
        f"{result.page.id}/{finding.subject.path}": finding.severity
        for result in new.report.results
        for finding in result.findings
    }
    rows = []
    for status in _SHOWN:
        found = [(identity, one) for identity, one in verdict.standings.items() if one.status is status]
        found.sort(key=lambda pair: (severities[pair[0]].rank, pair[0]))
        rows += [
            _change(identity, status.value, severities[identity].value, one.was.value if one.was else "")
            for identity, one in found
        ]
    rows += [_change(identity, "gone", "", "") for identity in verdict.gone]
    return rows + [_change(identity, "unconfirmed", "", "") for identity in verdict.unconfirmed]


def _change(identity: str, change: str, severity: str, was: str) -> Change:
    check, _, subject = identity.partition("/")
    return Change(change, check, severity, was, shown(subject, 200))


def _counts(verdict: Verdict) -> dict[str, int]:
    return {
        **{status.value: verdict.count(status) for status in Status},
        "gone": len(verdict.gone),
        "unconfirmed": len(verdict.unconfirmed),
    }


def _notes(old: Scan, new: Scan, verdict: Verdict) -> list[Text]:
    """What keeps the two from being compared whole."""
    notes = list(verdict.notes)
    before, after = ({result.page.id for result in scan.report.results} for scan in (old, new))
    if only := sorted(before ^ after):
        notes.append(_OTHER_CHECKS.fill(checks=", ".join(only[:10])))
    if old.report.namespaces != new.report.namespaces:
        notes.append(_OTHER_NAMESPACES)
    return notes[:6]


_SUMMARY = Text(
    ko="새로 생김 {new}, 나빠짐 {worsened}, 수용 기한 지남 {expired}, 그대로 {known}, 수용 {accepted}, 사라짐 {gone},"
    " 확인하지 못함 {unconfirmed}.",
    en="{new} new, {worsened} worse, {expired} with an acceptance that ended, {known} unchanged, {accepted} accepted,"
    " {gone} gone, {unconfirmed} that could not be looked for.",
)
_OTHER_CHECKS = Text(
    ko="두 스캔이 같은 점검 항목을 돌리지 않았다: {checks}.", en="The two scans did not run the same checks: {checks}."
)
_OTHER_NAMESPACES = Text(
    ko="두 스캔이 본 네임스페이스가 다르다.", en="The two scans were limited to different namespaces."
)
