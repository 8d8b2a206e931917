"""The report for a terminal: gaps by severity with evidence, incident and next step; at the end what was not seen."""

from collections.abc import Iterator

from kubegap.checks.run import Report
from kubegap.cluster.snapshot import Origin, ReadAtFrom, Snapshot
from kubegap.report import coverage, gaps
from kubegap.report.lines import Sheet
from kubegap.report.standing import counted
from kubegap.report.standing_text import standing_lines
from kubegap.report.view import View
from kubegap.report.words import NONE_SEEN, UPGRADE
from kubegap.text import Text, join, same

MIN_WIDTH = 40
MAX_WIDTH = 120


def render(view: View) -> str:
    """The findings that count as gaps, then in short those that do not, then what was not seen."""
    sheet = Sheet(view.lang, max(MIN_WIDTH, min(view.width, MAX_WIDTH)), view.has_colour, view.library_url)
    report = counted(view.report, view.verdict)
    found = [result for result in report.results if result.findings]
    told = gaps.lines(found, view.titles, sheet, is_verbose=view.is_verbose) if found else _none(view, sheet)
    parts = [*_head(report, sheet), "", *told]
    # Layouts that end with a blank line have one between the gaps already.
    parts = parts[:-1] if parts[-1] == "" else parts
    stand = list(standing_lines(view, sheet))
    parts += ["", *stand] if stand else []
    parts += ["", *coverage.lines(report, sheet, is_verbose=view.is_verbose)]
    # So many gaps need every line of a screen.
    is_full = len(found) > gaps.SHORT_LINES and not view.is_verbose
    return "\n".join(part for part in parts if part or not is_full) + "\n"


def _head(report: Report, sheet: Sheet) -> list[str]:
    """What was looked at, as of when, and what it cost."""
    kinds = [kind for kind in report.coverage() if kind.objects]
    objects = sum(kind.objects for kind in kinds)
    read = _READ.fill(kinds=len(kinds), objects=f"{objects:,}")
    parts = [_ORIGINS[report.snapshot.source.origin], *_names(report.snapshot), read, *_known(report.snapshot)]
    return sheet.lines(" · ".join(part.of(sheet.lang) for part in parts))


def _names(snapshot: Snapshot) -> Iterator[Text]:
    """The context, or else the cluster, as the kubeconfig calls it, and the provider."""
    for name in (snapshot.source.context or snapshot.source.name, snapshot.provider):
        if name:
            yield same(name)


def _known(snapshot: Snapshot) -> Iterator[Text]:
    source = snapshot.source
    if snapshot.target_version:
        yield UPGRADE.fill(version=snapshot.target_version)
    if source.read_at:
        yield _TIMES[source.read_at_from].fill(time=f"{source.read_at:%Y-%m-%d %H:%M} UTC")
    if source.origin is Origin.LIVE:
        yield _COST.fill(requests=source.requests, size=f"{source.bytes / 1e6:,.1f}", seconds=f"{source.seconds:.1f}")


def _none(view: View, sheet: Sheet) -> list[str]:
    """That nothing was found, or nothing that counts, and whether everything was seen."""
    results = view.report.results
    if any(result.findings for result in results):
        return sheet.lines(_NOTHING_COUNTS)
    if unseen := len(view.unanswered()):
        return sheet.lines(join([NONE_SEEN, _UNANSWERED.fill(count=unseen)], ko=" ", en=" "))
    return sheet.lines(_NOTHING)


_ORIGINS = {
    Origin.LIVE: Text(ko="클러스터", en="Cluster"),
    Origin.SAVED: Text(ko="저장된 스냅샷", en="Saved snapshot"),
    Origin.DUMP: Text(ko="덤프", en="Dump"),
    Origin.MANIFESTS: Text(ko="매니페스트", en="Manifests"),
}
_READ = Text(ko="{kinds}종류, 오브젝트 {objects}개", en="kinds: {kinds}, objects: {objects}")
_COST = Text(ko="요청 {requests}건, {size} MB, {seconds}초", en="{requests} requests, {size} MB, {seconds} s")
_TIMES = {
    ReadAtFrom.SERVER: Text(ko="{time} 에 읽음", en="read at {time}"),
    ReadAtFrom.OPTION: Text(ko="{time} 기준 (`--read-at`)", en="as of {time} (`--read-at`)"),
    ReadAtFrom.NEWEST_OBJECT: Text(
        ko="{time} 기준 (오브젝트에 적힌 가장 늦은 시각)", en="as of {time} (the newest time in the objects)"
    ),
    ReadAtFrom.UNKNOWN: Text(ko="{time}", en="{time}"),
}
_NOTHING_COUNTS = Text(
    ko="기준 파일에 없거나 수용하지 않은 틈은 찾지 못했다.", en="No gap found but those that are known or accepted."
)
_NOTHING = Text(ko="틈을 찾지 못했다.", en="No gap found.")
_UNANSWERED = Text(ko="점검 항목 {count}개는 다 답하지 못했다.", en="Checks not fully answered: {count}.")
