"""`compare_scans`: what is new, worse or gone between two scans of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from kubegap.mcp import paging, shapes
from kubegap.mcp.arguments import Language, Many, ScanId
from kubegap.mcp.desk import Desk
from kubegap.mcp.scans import Scan
from kubegap.mcp.shapes import Cluster
from kubegap.mcp.untrusted import NOTICE, host_of, shown
from kubegap.problems import KubegapError
from kubegap.report.ids import finding_id
from kubegap.report.standing import Status, Verdict, baseline_of, judge
from kubegap.text import Text

TITLE = "Compare scans"
_SHOWN = (Status.NEW, Status.WORSENED, Status.EXPIRED)
_IN_MEMORY = 2
_NAMED = 5


class SameScan(KubegapError):
    """A scan beside itself: nothing would have changed, whatever has."""


class OtherCluster(KubegapError):
    """Scans that may be of two clusters."""


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
    not_seen_total: int
    notes: list[str]
    data_notice: str


def make(desk: Desk) -> Callable[..., Compared]:
    """The function that answers."""

    @lru_cache(maxsize=_IN_MEMORY)
    def judged(before: str, after: str) -> tuple[Verdict, list[Change]]:
        """What was found, once for all pages of it."""
        old, new = desk.scans.get(before), desk.scans.get(after)
        verdict = judge(new.report, baseline_of(old.report, old.verdict), desk.shelf.pages)
        return verdict, _changes(new, verdict)

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
        if old.id == new.id:
            raise SameScan(_SAME.fill(id=old.id), _TWO)
        _confirm(old, new)
        verdict, changes = judged(old.id, new.id)
        question = [old.id, new.id]
        start = paging.start_of(cursor, question)
        counts = _counts(verdict)
        few, unseen = shapes.unseen_briefly(desk.view(new, language), desk.shelf.pages)
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
            not_seen=few,
            not_seen_total=unseen,
            notes=shapes.notes(_notes(old, new, verdict), language),
            data_notice=NOTICE.of(language),
        )
        return paging.page(answer, changes[start : start + limit], start, question, total=len(changes))

    return compare_scans


def _confirm(old: Scan, new: Scan) -> None:
    """Raise `OtherCluster` for two API servers, where nothing better tells clusters apart."""
    before, after = old.report.snapshot, new.report.snapshot
    if before.uid is None and after.uid is None and before.source.server != after.source.server:
        hosts = {"before": host_of(before.source.server), "after": host_of(after.source.server)}
        raise OtherCluster(_OTHER_SERVER.fill(**hosts), _READ_NAMESPACES)


def _changes(new: Scan, verdict: Verdict) -> list[Change]:
    severities = {
        finding_id(result.page.id, finding): finding.severity
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
    notes = [*([_BACKWARDS] if old.made > new.made else []), *verdict.notes]
    before, after = ({result.page.id for result in scan.report.results} for scan in (old, new))
    if only := sorted(before ^ after):
        notes.append(_OTHER_CHECKS.fill(count=len(only), checks=", ".join(only[:_NAMED])))
    if old.report.namespaces != new.report.namespaces:
        notes.append(_OTHER_NAMESPACES)
    return notes


_OTHER_SERVER = Text(
    ko="두 스캔은 다른 API 서버({before}, {after})의 것이고, kube-system 을 읽지 못해 같은 클러스터인지 알 수 없습니다.",
    en="The scans are of two API servers ({before}, {after}), and without kube-system nothing tells whether it is one cluster.",
)
_READ_NAMESPACES = Text(
    ko="네임스페이스를 읽을 수 있게 하고 다시 스캔하세요.", en="Grant reading namespaces and scan again."
)
_SUMMARY = Text(
    ko="새로 생김 {new}, 나빠짐 {worsened}, 수용 기한 지남 {expired}, 그대로 {known}, 수용 {accepted}, 사라짐 {gone},"
    " 확인하지 못함 {unconfirmed}.",
    en="{new} new, {worsened} worse, {expired} with an acceptance that ended, {known} unchanged, {accepted} accepted,"
    " {gone} gone, {unconfirmed} that could not be looked for.",
)
_SAME = Text(
    ko="before 와 after 가 같은 스캔 `{id}` 이라 견줄 것이 없습니다.",
    en="before and after are the same scan, `{id}`, so there is nothing to compare.",
)
_TWO = Text(
    ko="scan_cluster 로 새로 스캔하거나(max_age_seconds=0) before 에 더 오래된 스캔의 id 를 주세요.",
    en="Make a new one with scan_cluster (max_age_seconds=0), or pass the id of an older one as before.",
)
_BACKWARDS = Text(
    ko="before 가 after 보다 나중에 만든 스캔이다.", en="The scan `before` was made later than the scan `after`."
)
_OTHER_CHECKS = Text(
    ko="점검 항목 {count}개는 두 스캔 가운데 한쪽에서만 돌렸다: {checks}.",
    en="Only one of the two scans ran {count} of the checks: {checks}.",
)
_OTHER_NAMESPACES = Text(
    ko="두 스캔이 본 네임스페이스가 다르다.", en="The two scans were limited to different namespaces."
)
