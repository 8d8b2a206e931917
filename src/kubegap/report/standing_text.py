"""The lines of a report about the baseline: what does not count, whose acceptance ended, what is gone."""

from collections.abc import Iterator

from kubegap.report.lines import Sheet
from kubegap.report.standing import Status
from kubegap.report.view import Entry, View
from kubegap.report.words import AND_MORE, SEVERITIES, STATUSES
from kubegap.text import Text

NAMED = 5


def standing_lines(view: View, sheet: Sheet) -> Iterator[str]:
    """Nothing at all if there is neither a baseline nor an acceptance."""
    verdict = view.verdict
    if not verdict.is_compared:
        return
    shown = [status for status in Status if verdict.has_baseline or verdict.count(status)]
    counts = ", ".join(f"{STATUSES[status].of(sheet.lang)} {verdict.count(status):,}" for status in shown)
    yield from sheet.lines(_COUNTS.fill(counts=counts))
    for entry in view.entries():
        if entry.status in {Status.EXPIRED, Status.WORSENED} or (view.is_verbose and not entry.counts):
            yield from sheet.lines(f"{entry.id}: {told(entry).of(sheet.lang)}", "  ", "    ")
    for words, ids in ((_GONE, verdict.gone), (_UNCONFIRMED, verdict.unconfirmed)):
        if ids:
            yield from sheet.lines(words.fill(count=f"{len(ids):,}", names=_names(ids, view)), "  ", "    ")


def told(entry: Entry) -> Text:
    """The status of a finding with what belongs to it: why and until when it was accepted, or how bad it was."""
    standing = entry.standing
    if standing is None:
        return _UNCOMPARED
    if standing.acceptance:
        words = _ENDED if standing.status is Status.EXPIRED else _LASTS
        return words.fill(reason=standing.acceptance.reason, until=standing.acceptance.until.isoformat())
    if standing.was:
        return _WORSE.fill(was=SEVERITIES[standing.was], now=SEVERITIES[entry.finding.severity])
    return STATUSES[standing.status]


def _names(ids: tuple[str, ...], view: View) -> Text:
    shown = ids if view.is_verbose else ids[:NAMED]
    more = len(ids) - len(shown)
    names = Text(ko="{names}", en="{names}").fill(names=", ".join(shown))
    return Text(
        ko=names.ko + (AND_MORE.fill(count=f"{more:,}").ko if more else ""),
        en=names.en + (AND_MORE.fill(count=f"{more:,}").en if more else ""),
    )


_COUNTS = Text(
    ko="기준과 견줌: {counts} (이미 아는 것과 수용한 것은 세지 않는다)",
    en="Compared: {counts} (known and accepted ones do not count)",
)
_GONE = Text(ko="없어진 발견 {count}건: {names}", en="Gone: {count} ({names})")
_UNCONFIRMED = Text(
    ko="이번에 확인하지 못한 발견 {count}건: {names}", en="Could not be looked for this time: {count} ({names})"
)
_UNCOMPARED = Text(ko="견주지 않음", en="not compared")
_ENDED = Text(ko="수용 기한이 {until} 에 지났다 ({reason})", en="its acceptance ended on {until} ({reason})")
_LASTS = Text(ko="{until} 까지 수용 ({reason})", en="accepted until {until} ({reason})")
_WORSE = Text(ko="{was} 에서 {now} 로 나빠졌다", en="worsened from {was} to {now}")
