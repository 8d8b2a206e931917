"""`list_gaps`: the gaps of a scan."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from kubegap.checks.page import Page
from kubegap.mcp import paging, shapes
from kubegap.mcp.arguments import Language, Many, ScanId, Severity
from kubegap.mcp.desk import Desk
from kubegap.mcp.shapes import Cluster, Gap
from kubegap.mcp.untrusted import NOTICE
from kubegap.report.view import Entry
from kubegap.text import Text

TITLE = "List gaps"


class Gaps(Struct, frozen=True):
    """A page of gaps, worst first."""

    summary: str
    scan_id: str
    cluster: Cluster
    total: int
    items: list[Gap]
    next_cursor: str
    not_seen: list[str]
    not_seen_total: int
    data_notice: str


def make(desk: Desk) -> Callable[..., Gaps]:
    """The function that answers."""

    def list_gaps(  # noqa: PLR0913, PLR0917, one parameter for each filter
        scan_id: ScanId = "",
        severity: Severity = "",
        namespace: str = "",
        check_id: str = "",
        incident_id: str = "",
        limit: Many = 20,
        cursor: str = "",
        lang: Language = "",
    ) -> Gaps:
        """The gaps that a scan found, one row for each check with how many objects it is about, worst first. Filters by
        severity, namespace, check or the incident behind it. `not_seen` are checks without a full answer. Evidence is in
        get_gap.
        """
        scan = desk.scans.get(scan_id)
        if check_id:
            desk.shelf.page(check_id)
        if incident_id:
            desk.shelf.incident(incident_id)
        language = desk.language(lang)
        view = desk.view(scan, language)
        question = [scan.id, severity, namespace, check_id, incident_id]
        found = [
            (page, chosen)
            for page, entries in view.gaps()
            if _is_asked(page, check_id, incident_id) and (chosen := _chosen(entries, severity, namespace))
        ]
        start = paging.start_of(cursor, question)
        few, unseen = shapes.unseen_briefly(view)
        cluster = shapes.cluster_of(scan)
        answer = Gaps("", scan.id, cluster, len(found), [], "", few, unseen, NOTICE.of(language))
        rows = [shapes.gap_of(page, entries, language) for page, entries in found[start : start + limit]]
        every = shapes.severities([entries[0] for _, entries in found])
        where = cluster.context or cluster.host

        def tell(count: int, total: int) -> str:
            return _SUMMARY.fill(
                count=count, total=total, counts=shapes.told(every, language), unseen=unseen, where=where
            ).of(language)

        return paging.page(answer, rows, start, question, total=len(found), tell=tell)

    return list_gaps


def _is_asked(page: Page, check: str, incident: str) -> bool:
    return (not check or page.id == check) and (not incident or incident in page.incidents)


def _chosen(entries: list[Entry], severity: str, namespace: str) -> list[Entry]:
    return [
        entry
        for entry in entries
        if (not severity or entry.finding.severity == severity)
        and (not namespace or entry.finding.subject.namespace == namespace)
    ]


_SUMMARY = Text(
    ko="틈 {total}개 중 {count}개 ({counts}). 다 보지 못한 점검 항목 {unseen}개는 이상이 없다는 뜻이 아니다. 클러스터: {where}.",
    en="{count} of {total} gaps ({counts}); {unseen} checks not fully seen, which does not mean they are fine; cluster {where}.",
)
