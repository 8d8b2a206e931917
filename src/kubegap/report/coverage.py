"""The end of a report: how every check ended, why some could not be answered, and what of the input was lost."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from kubegap.checks.model import State
from kubegap.checks.run import Cause, Report, Result, grant_for, why_missing
from kubegap.cluster.snapshot import Snapshot
from kubegap.report.lines import Sheet, shortened
from kubegap.report.words import AND_MORE, STATES
from kubegap.text import Text, counted

CHECKS_NAMED = 4
PIECES_SHOWN = 3
REASON_COLUMNS = 160


def lines(report: Report, sheet: Sheet, *, is_verbose: bool) -> Iterator[str]:
    """Checks by state; then each reason once with its checks, or every check with its own; then lost pieces."""
    yield from sheet.lines(_counts(report, sheet))
    yield from _each(report, sheet) if is_verbose else _by_reason(report, sheet)
    yield from _left_out(report, sheet)
    yield from _lost(report.snapshot, sheet, is_verbose=is_verbose)


def _counts(report: Report, sheet: Sheet) -> str:
    counts = {state: sum(result.state is state for result in report.results) for state in State}
    states = ", ".join(f"{STATES[state].of(sheet.lang)} {count}" for state, count in counts.items() if count)
    total = counted(len(report.results), one=_ONE_CHECK, many=_CHECKS).of(sheet.lang)
    return f"{total}: {states}" if states else total


def _left_out(report: Report, sheet: Sheet) -> Iterator[str]:
    """What lies outside of the namespaces that the run was limited to, in one line for all checks."""
    if count := sum(result.left_out for result in report.results):
        checks = sum(bool(result.left_out) for result in report.results)
        names = ", ".join(sorted(report.namespaces))
        yield from sheet.lines(_LEFT_OUT.fill(count=f"{count:,}", checks=checks, names=names), "  ", "    ")


def _each(report: Report, sheet: Sheet) -> Iterator[str]:
    for result in report.results:
        if result.reason:
            state = STATES[result.state].of(sheet.lang)
            yield from sheet.lines(f"{result.page.id} ({state}): {result.reason.of(sheet.lang)}", "  ", "    ")
        if result.grant:
            yield from sheet.lines(_GRANT.fill(grant=result.grant), "    ")


def _by_reason(report: Report, sheet: Sheet) -> Iterator[str]:
    for part in _unanswered(report):
        said = [STATES[part.state], *([part.reason] if part.reason else [])]
        words = ": ".join(text.of(sheet.lang) for text in said)
        yield from sheet.lines(f"{words} [{_names(part.results, sheet)}]", "  ", "    ")
    missing = {part.resource: part for result in report.results for part in result.missing}
    if grant := grant_for(part for _, part in sorted(missing.items())):
        yield from sheet.lines(_GRANT.fill(grant=grant), "  ", "    ")


class _Unanswered(Struct, frozen=True):
    """Checks that ended in one state for one reason."""

    state: State
    reason: Text | None
    results: list[Result]


def _unanswered(report: Report) -> Iterator[_Unanswered]:
    """Faults of kubegap, then what could not be read, then what checks answered in words of their own."""
    for result in report.results:
        if result.cause is Cause.FAILED:
            yield _Unanswered(result.state, result.reason, [result])
    for cause in Cause:
        if hindered := [result for result in report.results if result.cause is cause and result.missing]:
            yield _hindered(report.snapshot, cause, hindered)
    yield from _answers(result for result in report.results if result.cause is None)


def _hindered(snapshot: Snapshot, cause: Cause, results: list[Result]) -> _Unanswered:
    """Several checks that lack kinds: all these kinds together, each reason once."""
    kinds = {part.resource: part for result in results for part in result.missing}
    states = {result.state for result in results} - {State.FOUND}
    state = State.NOT_IN_THIS_INPUT if State.NOT_IN_THIS_INPUT in states else State.NOT_SEEN
    return _Unanswered(state, why_missing(snapshot, cause, [kinds[kind] for kind in sorted(kinds)]), results)


def _answers(results: Iterable[Result]) -> Iterator[_Unanswered]:
    """Each answer once; checks with nothing to look at are told together, because nothing was missed by them."""
    told: dict[tuple[State, Text | None], list[Result]] = {}
    for result in results:
        if result.reason and result.state is not State.FOUND:
            is_idle = result.state is State.NOT_APPLICABLE
            told.setdefault((result.state, None if is_idle else result.reason), []).append(result)
    for (state, reason), found in told.items():
        yield _Unanswered(state, reason or _shared(found), found)


def _shared(results: list[Result]) -> Text | None:
    """The reason, if all have the same."""
    first, *others = {result.reason for result in results}
    return None if others else first


def _names(results: list[Result], sheet: Sheet) -> str:
    names = ", ".join(result.page.id for result in results[:CHECKS_NAMED])
    more = len(results) - CHECKS_NAMED
    return names + (AND_MORE.fill(count=more).of(sheet.lang) if more > 0 else "")


def _lost(snapshot: Snapshot, sheet: Sheet, *, is_verbose: bool) -> Iterator[str]:
    """Pieces of the input that could not be read or are no objects."""
    for words, pieces in ((_LOST, snapshot.unread), (_IGNORED, snapshot.ignored)):
        if pieces:
            yield from sheet.lines(words.fill(count=f"{len(pieces):,}"), "  ")
        for piece in pieces if is_verbose else pieces[:PIECES_SHOWN]:
            yield from sheet.lines(f"{piece.place}: {shortened(piece.reason, REASON_COLUMNS)}", "    - ", "      ")


_ONE_CHECK = Text(ko="점검 항목 {count}개", en="{count} check")
_CHECKS = Text(ko="점검 항목 {count}개", en="{count} checks")
_GRANT = Text(ko="필요한 권한: {grant}", en="needs: {grant}")
_LEFT_OUT = Text(
    ko="`--namespace` 로 뺀 발견 {count}건 (점검 항목 {checks}개): {names} 에 없거나 네임스페이스가 없는 대상",
    en="Left out by `--namespace`: {count} (checks: {checks}), on subjects outside of {names} or in no namespace",
)
_LOST = Text(ko="입력에서 읽지 못한 곳 {count}곳:", en="Parts of the input that could not be read: {count}")
_IGNORED = Text(ko="쿠버네티스 오브젝트가 아닌 문서 {count}개:", en="Documents that are no Kubernetes objects: {count}")
