"""`list_gaps`: the gaps of a scan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from kubegap.checks.run import Report
from kubegap.mcp import paging, shapes
from kubegap.mcp.arguments import Language, Many, ScanId, Severity
from kubegap.mcp.desk import Desk
from kubegap.mcp.shapes import Cluster, Gap
from kubegap.mcp.untrusted import NOTICE
from kubegap.problems import KubegapError
from kubegap.report.view import Entry
from kubegap.text import Text

TITLE = "List gaps"
_NAMED = 5


class NotLookedFor(KubegapError):
    """Gaps that no check looks for, or that the scan was not to look for: none would be found, whatever there is."""


class Gaps(Struct, frozen=True):
    """A page of gaps, worst first; `notes` say what the scan was limited to, `not_seen` is about the checks asked for."""

    summary: str
    scan_id: str
    cluster: Cluster
    total: int
    items: list[Gap]
    next_cursor: str
    not_seen: list[str]
    not_seen_total: int
    notes: list[str]
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
        asked = _asked(desk, check_id, incident_id)
        _confirm(scan.report, asked, namespace)
        language = desk.language(lang)
        view = desk.view(scan, language)
        question = [scan.id, severity, namespace, check_id, incident_id]
        found = [
            (page, chosen)
            for page, entries in view.gaps()
            if page.id in asked and (chosen := _chosen(entries, severity, namespace))
        ]
        start = paging.start_of(cursor, question)
        few, unseen = shapes.unseen_briefly(view, asked)
        cluster = shapes.cluster_of(scan)
        notes = shapes.notes(list(_notes(scan.report, asked)), language)
        answer = Gaps("", scan.id, cluster, len(found), [], "", few, unseen, notes, NOTICE.of(language))
        rows = [shapes.gap_of(page, entries, language) for page, entries in found[start : start + limit]]
        every = shapes.severities([entries[0] for _, entries in found])
        where = cluster.context or cluster.host

        def tell(count: int, total: int) -> str:
            return _SUMMARY.fill(
                count=count, total=total, counts=shapes.told(every, language), unseen=unseen, where=where
            ).of(language)

        return paging.page(answer, rows, start, question, total=len(found), tell=tell)

    return list_gaps


def _asked(desk: Desk, check: str, incident: str) -> list[str]:
    """The checks that are asked for; raises `UnknownName`, or `NotLookedFor` if none is."""
    if check:
        desk.shelf.page(check)
    if incident:
        desk.shelf.incident(incident)
    checks = desk.shelf.citing(incident) if incident else list(desk.shelf.pages)
    if incident and not checks:
        raise NotLookedFor(_NONE_RESTS.fill(incident=incident), _SEE_INCIDENT)
    if check and check not in checks:
        raise NotLookedFor(_RESTS_ON_OTHERS.fill(check=check, incident=incident), _SEE_CHECKS)
    return [check] if check else checks


def _confirm(report: Report, asked: Sequence[str], namespace: str) -> None:
    """Raise `NotLookedFor` where the scan was to leave out all that is asked for."""
    if _not_run(report, asked) == list(asked):
        raise NotLookedFor(_NONE_RAN.fill(checks=", ".join(asked[:_NAMED])), _SCAN_AGAIN)
    if namespace and report.namespaces and namespace not in report.namespaces:
        raise NotLookedFor(_OTHER_NAMESPACES.fill(namespace=namespace), _SCAN_AGAIN)


def _not_run(report: Report, asked: Sequence[str]) -> list[str]:
    ran = {result.page.id for result in report.results}
    return [check for check in asked if check not in ran]


def _notes(report: Report, asked: Sequence[str]) -> Iterator[Text]:
    """What the scan was limited to, as far as it is asked for."""
    if missing := _not_run(report, asked):
        yield _SOME_RAN.fill(count=len(missing), checks=", ".join(missing[:_NAMED]))
    if report.namespaces:
        yield _LIMITED.fill(namespaces=", ".join(sorted(report.namespaces)))


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
_NONE_RESTS = Text(
    ko="`{incident}` 를 근거로 둔 점검 항목이 없어, 스캔은 이 사례에 대해 아무것도 말해 주지 않습니다.",
    en="No check rests on `{incident}`, so a scan says nothing about it.",
)
_SEE_INCIDENT = Text(
    ko="get_incident 로 사례를 읽고, 클러스터가 어떤지는 모른다고 답하세요.",
    en="get_incident tells the incident; whether the cluster is exposed to it is not known.",
)
_RESTS_ON_OTHERS = Text(
    ko="`{check}` 점검 항목은 `{incident}` 를 근거로 두지 않습니다.",
    en="The check `{check}` does not rest on `{incident}`.",
)
_SEE_CHECKS = Text(
    ko="둘 가운데 하나만 주세요. list_checks 가 사례를 근거로 둔 점검 항목을 알려 줍니다.",
    en="Give one of the two; list_checks names the checks that rest on an incident.",
)
_NONE_RAN = Text(
    ko="이 스캔은 물어본 점검 항목을 돌리지 않았습니다: {checks}.",
    en="This scan did not run what is asked for: {checks}.",
)
_OTHER_NAMESPACES = Text(
    ko="이 스캔은 `{namespace}` 네임스페이스를 빼고 만들었습니다.", en="This scan left out the namespace `{namespace}`."
)
_SCAN_AGAIN = Text(ko="scan_cluster 로 이것까지 새로 스캔하세요.", en="Make a scan that has it with scan_cluster.")
_SOME_RAN = Text(
    ko="이 스캔은 물어본 점검 항목 가운데 {count}개를 돌리지 않았다: {checks}.",
    en="Of the checks asked for this scan did not run {count}: {checks}.",
)
_LIMITED = Text(
    ko="이 스캔은 이 네임스페이스만 봤다: {namespaces}.", en="This scan was limited to the namespaces {namespaces}."
)
