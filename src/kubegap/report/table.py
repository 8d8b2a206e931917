"""The report for a terminal: gaps by severity with evidence, incident and next step; at the end what was not seen."""

from collections.abc import Iterator, Mapping

from kubegap.checks.model import Evidence, Finding, Severity, State
from kubegap.checks.run import Report, Result
from kubegap.cluster.snapshot import Origin, ReadAtFrom, Snapshot
from kubegap.report.lines import escaped, shortened, wrapped
from kubegap.text import Lang, Text, counted

WIDTH = 100
MAX_WIDTH = 120
EVIDENCE_SHOWN = 3
SUBJECTS_SHOWN = 3
VALUE_COLUMNS = 160

_COLOURS = {
    Severity.CRITICAL: "1;31",
    Severity.HIGH: "31",
    Severity.MEDIUM: "33",
    Severity.LOW: "36",
    Severity.INFO: "2",
}


def render(
    report: Report, incidents: Mapping[str, Text], lang: Lang, width: int = WIDTH, *, colour: bool = False
) -> str:
    """The report in one language; `incidents` gives titles by id. Text of the cluster is escaped."""
    table = _Table(incidents, lang, max(40, min(width, MAX_WIDTH)), colour)
    return "\n".join([*table.head(report), *table.gaps(report), *table.coverage(report)]) + "\n"


class _Table:
    def __init__(self, incidents: Mapping[str, Text], lang: Lang, width: int, colour: bool) -> None:  # noqa: FBT001
        self.incidents = incidents
        self.lang = lang
        self.width = width
        self.colour = colour

    def head(self, report: Report) -> list[str]:
        """What was looked at, and as of when."""
        kinds = [kind for kind in report.coverage() if kind.objects]
        objects = sum(kind.objects for kind in kinds)
        parts = [_ORIGINS[report.snapshot.source.origin], _READ.fill(kinds=len(kinds), objects=f"{objects:,}")]
        parts += _known(report.snapshot)
        return [*self.lines(" · ".join(part.of(self.lang) for part in parts), ""), ""]

    def gaps(self, report: Report) -> Iterator[str]:
        """The gaps under their worst severity."""
        found = [result for result in report.results if result.findings]
        if not found:
            unseen = sum(result.state is not State.CLEAR for result in report.results)
            yield from self.lines((_NOTHING_BUT if unseen else _NOTHING).fill(count=unseen).of(self.lang), "")
            yield ""
        for severity in Severity:
            gaps = [result for result in found if result.findings[0].severity is severity]
            if gaps:
                yield self.painted(severity, _SEVERITIES[severity].of(self.lang).upper())
            for result in gaps:
                yield from self.gap(result)
                yield ""

    def gap(self, result: Result) -> Iterator[str]:
        """One gap: its worst finding in full, the others by name."""
        worst, *others = result.findings
        count = counted(len(result.findings), one=_ONE_FINDING, many=_FINDINGS)
        yield from self.lines(f"{result.page.id} ({count.of(self.lang)}): {result.page.title.of(self.lang)}", "  ")
        yield from self.lines(f"{worst.subject.shown}: {result.page.sentence(worst).of(self.lang)}", "    ")
        yield from self.evidence(worst)
        if others:
            yield from self.lines(self.others(others), "    ")
        yield from self.incident(result)
        yield from self.lines(_NEXT.fill(id=result.page.id).of(self.lang), "    ")

    def evidence(self, finding: Finding) -> Iterator[str]:
        """The first fields as seen, and how many more there are."""
        for evidence in finding.evidence[:EVIDENCE_SHOWN]:
            yield from self.lines(self.seen(evidence, finding.subject.shown), "    - ", "      ")
        more = len(finding.evidence) - EVIDENCE_SHOWN
        if more > 0:
            yield from self.lines(_MORE_EVIDENCE.fill(count=more).of(self.lang), "    - ")

    def seen(self, evidence: Evidence, subject: str) -> str:
        """`webhooks[0].failurePolicy: Fail`, with the object in front where it is not the subject."""
        owner = f"{evidence.object} " if evidence.object.replace("/-/", "/") != subject else ""
        value = _UNSET.of(self.lang) if evidence.value is None else shortened(evidence.value or '""', VALUE_COLUMNS)
        hoped = _HOPED.fill(value=evidence.expected).of(self.lang) if evidence.expected else ""
        return f"{owner}{evidence.path}: {value}{hoped}"

    def others(self, others: list[Finding]) -> str:
        """The other findings of a gap by severity and subject, or how many there are."""
        names = [
            f"{finding.subject.shown} ({_SEVERITIES[finding.severity].of(self.lang)})"
            for finding in others[:SUBJECTS_SHOWN]
        ]
        more = len(others) - len(names)
        listed = ", ".join(names) + (_AND_MORE.fill(count=more).of(self.lang) if more else "")
        return _ALSO.fill(names=listed).of(self.lang)

    def incident(self, result: Result) -> Iterator[str]:
        """The first incident behind the check, and how many more."""
        if result.page.incidents:
            first, *more = result.page.incidents
            title = self.incidents[first].of(self.lang) if first in self.incidents else _NO_TITLE.of(self.lang)
            others = _AND_MORE.fill(count=len(more)).of(self.lang) if more else ""
            yield from self.lines(_INCIDENT.fill(id=first, title=title, others=others).of(self.lang), "    ")

    def coverage(self, report: Report) -> Iterator[str]:
        """Every check by state, then why those that were not answered were not, then what of the input was lost."""
        counts = {state: [result for result in report.results if result.state is state] for state in State}
        states = ", ".join(f"{_STATES[state].of(self.lang)} {len(found)}" for state, found in counts.items() if found)
        total = counted(len(report.results), one=_ONE_CHECK, many=_CHECKS).of(self.lang)
        yield from self.lines(f"{total}: {states}" if states else total, "")
        for result in report.results:
            if result.reason:
                state = _STATES[result.state].of(self.lang)
                yield from self.lines(f"{result.page.id} ({state}): {result.reason.of(self.lang)}", "  ", "    ")
            if result.grant:
                yield from self.lines(_GRANT.fill(grant=result.grant).of(self.lang), "    ")
        yield from self.lost(report.snapshot)

    def lost(self, snapshot: Snapshot) -> Iterator[str]:
        """Pieces of the input that could not be read or are no objects."""
        for words, pieces in ((_LOST, snapshot.unread), (_IGNORED, snapshot.ignored)):
            if pieces:
                yield from self.lines(words.fill(count=f"{len(pieces):,}").of(self.lang), "  ")
                for piece in pieces[:SUBJECTS_SHOWN]:
                    yield from self.lines(
                        f"{piece.place}: {shortened(piece.reason, VALUE_COLUMNS)}", "    - ", "      "
                    )

    def lines(self, text: str, indent: str, hanging: str | None = None) -> list[str]:
        """Escaped and wrapped to the width."""
        return wrapped(escaped(text), self.width, indent, hanging)

    def painted(self, severity: Severity, text: str) -> str:
        """In the severity's colour, if colours are wanted."""
        return f"\x1b[{_COLOURS[severity]}m{text}\x1b[0m" if self.colour else text


def _known(snapshot: Snapshot) -> Iterator[Text]:
    """The provider and the time, as far as they are known."""
    if snapshot.provider:
        yield Text(ko=snapshot.provider, en=snapshot.provider)
    source = snapshot.source
    if source.read_at:
        yield _TIMES[source.read_at_from].fill(time=f"{source.read_at:%Y-%m-%d %H:%M} UTC")


_ORIGINS = {
    Origin.LIVE: Text(ko="클러스터", en="Cluster"),
    Origin.SAVED: Text(ko="저장된 스냅샷", en="Saved snapshot"),
    Origin.DUMP: Text(ko="덤프", en="Dump"),
    Origin.MANIFESTS: Text(ko="매니페스트", en="Manifests"),
}
_READ = Text(ko="{kinds}종류, 오브젝트 {objects}개", en="kinds: {kinds}, objects: {objects}")
_TIMES = {
    ReadAtFrom.SERVER: Text(ko="{time} 에 읽음", en="read at {time}"),
    ReadAtFrom.OPTION: Text(ko="{time} 기준 (`--read-at`)", en="as of {time} (`--read-at`)"),
    ReadAtFrom.NEWEST_OBJECT: Text(
        ko="{time} 기준 (오브젝트에 적힌 가장 늦은 시각)", en="as of {time} (the newest time in the objects)"
    ),
    ReadAtFrom.UNKNOWN: Text(ko="{time}", en="{time}"),
}
_SEVERITIES = {
    Severity.CRITICAL: Text(ko="심각", en="critical"),
    Severity.HIGH: Text(ko="높음", en="high"),
    Severity.MEDIUM: Text(ko="보통", en="medium"),
    Severity.LOW: Text(ko="낮음", en="low"),
    Severity.INFO: Text(ko="참고", en="info"),
}
_STATES = {
    State.FOUND: Text(ko="발견", en="found"),
    State.CLEAR: Text(ko="이상 없음", en="clear"),
    State.NOT_SEEN: Text(ko="보지 못함", en="not seen"),
    State.NOT_APPLICABLE: Text(ko="해당 없음", en="not applicable"),
    State.NOT_VISIBLE: Text(ko="제공자 쪽이라 볼 수 없음", en="not visible"),
    State.NOT_IN_THIS_INPUT: Text(ko="입력에 없음", en="not in this input"),
}
_NOTHING = Text(ko="틈을 찾지 못했다.", en="No gap found.")
_NOTHING_BUT = Text(
    ko="본 범위에서는 틈을 찾지 못했다. 점검 항목 {count}개는 답하지 못했다.",
    en="No gap found in what was seen. Checks without an answer: {count}.",
)
_ONE_FINDING = Text(ko="발견 {count}건", en="{count} finding")
_FINDINGS = Text(ko="발견 {count}건", en="{count} findings")
_ONE_CHECK = Text(ko="점검 항목 {count}개", en="{count} check")
_CHECKS = Text(ko="점검 항목 {count}개", en="{count} checks")
_MORE_EVIDENCE = Text(ko="근거 {count}건 더 (`--format json`)", en="{count} more pieces of evidence (`--format json`)")
_UNSET = Text(ko="설정 없음", en="not set")
_HOPED = Text(ko=" (바람직한 값: {value})", en=" (better: {value})")
_AND_MORE = Text(ko=", 이 밖에 {count}건", en=", and {count} more")
_ALSO = Text(ko="같은 틈: {names}", en="also: {names}")
_INCIDENT = Text(ko="앞선 사례: {title} ({id}{others})", en="happened before: {title} ({id}{others})")
_NO_TITLE = Text(ko="이 라이브러리에 없는 사례", en="not in this library")
_NEXT = Text(ko="다음: `kubegap checks explain {id}`", en="next: `kubegap checks explain {id}`")
_GRANT = Text(ko="필요한 권한: {grant}", en="needs: {grant}")
_LOST = Text(ko="입력에서 읽지 못한 곳 {count}곳:", en="Parts of the input that could not be read: {count}")
_IGNORED = Text(ko="쿠버네티스 오브젝트가 아닌 문서 {count}개:", en="Documents that are no Kubernetes objects: {count}")
