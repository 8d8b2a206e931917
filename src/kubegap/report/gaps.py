"""The gaps of a report in three layouts, chosen by nothing but how many there are, or by `--verbose`.

Few gaps are told in full. Of more, each has a line with what was seen below it, of many one line; the worst have the incident
too, so that fifteen gaps fit on one screen. Verbose is every finding with all its evidence; alike ones stand together.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubegap import terminal
from kubegap.checks.model import Evidence, Finding, Severity
from kubegap.checks.run import Result
from kubegap.library.words import NO_TITLE
from kubegap.report.alike import Alike, rolled_up
from kubegap.report.lines import Sheet, escaped, fitted, shortened
from kubegap.report.view import incident_link, owner_of
from kubegap.report.words import AND_MORE, SEVERITIES, UNSET
from kubegap.text import Text, counted

# More than these are told in short; and then they take about so many lines.
FULL_GAPS = 3
SHORT_LINES = 20
EVIDENCE_SHOWN = 3
SUBJECTS_SHOWN = 3
VALUE_COLUMNS = 160
# The column of ids grows to this; what is longer moves the rest of its line.
ID_COLUMNS = 34
# What the count of a cut takes.
COUNT_COLUMNS = 10


def lines(found: Sequence[Result], incidents: Mapping[str, Text], sheet: Sheet, *, is_verbose: bool) -> Iterator[str]:
    """All gaps, worst first; `found` are results with findings, `incidents` titles by id."""
    ordered = sorted(found, key=lambda result: (result.findings[0].severity.rank, result.page.id))
    if is_verbose:
        yield from _Layout(ordered, incidents, sheet).verbose()
    elif len(ordered) <= FULL_GAPS:
        yield from _Layout(ordered, incidents, sheet).full()
    else:
        yield from _Layout(ordered, incidents, sheet).short()


def incidents_told(gaps: int) -> int:
    """Of how many of the worst of some gaps in short the incident is told as well."""
    return max(0, min(gaps, SHORT_LINES - gaps))


def has_room(gaps: int) -> bool:
    """Whether each of some gaps in short has three lines."""
    return gaps * 3 <= SHORT_LINES


class _Layout:
    def __init__(self, found: Sequence[Result], incidents: Mapping[str, Text], sheet: Sheet) -> None:
        self.found = found
        self.incidents = incidents
        self.sheet = sheet
        # Lines that are cut hold no address; one line then tells how addresses are made.
        self.is_short = False

    def full(self) -> Iterator[str]:
        """Each gap with its worst finding in full and the others by name."""
        for result in self._under_headings():
            if isinstance(result, str):
                yield result
                continue
            worst, *others = result.findings
            yield from self._title(result)
            yield from self.sheet.lines(f"{worst.subject.shown}: {self._sentence(result, worst)}", "    ")
            yield from self._evidence(worst)
            if others:
                yield from self.sheet.lines(self._others(others), "    ")
            yield from self.sheet.lines(self._incident(result), "    ")
            yield from self.sheet.lines(_NEXT.fill(id=result.page.id), "    ")
            yield ""

    def verbose(self) -> Iterator[str]:
        """Each gap with all its findings, all their evidence, and all incidents behind it."""
        for result in self._under_headings():
            if isinstance(result, str):
                yield result
                continue
            yield from self._title(result)
            for alike in rolled_up(result.findings):
                yield from self._finding(result, alike)
            for incident in result.page.incidents:
                yield from self.sheet.lines(_INCIDENT.fill(title=self._named(incident)), "    ", "      ")
            yield from self.sheet.lines(_NEXT.fill(id=result.page.id), "    ")
            yield ""

    def short(self) -> Iterator[str]:
        """A table: severity, gap with its count, its worst subject with the first that was seen of it."""
        self.is_short = True
        names = [f"{result.page.id} ({len(result.findings):,})" for result in self.found]
        columns = min(ID_COLUMNS, max(map(len, names)))
        margin = max(terminal.width(self._severity(severity)) for severity in Severity) + 2
        above: Severity | None = None
        for place, (result, name) in enumerate(zip(self.found, names, strict=True)):
            severity = result.findings[0].severity
            word = "" if severity is above else self._severity(severity)
            head = self.sheet.painted(severity, word) + " " * (margin - terminal.width(word))
            yield from self._row(head, margin, f"{name:<{columns}}", result.findings[0])
            if place < incidents_told(len(self.found)):
                told = escaped(self._incident(result))
                yield " " * margin + fitted(told, self.sheet.width - margin)
            above = severity
        yield ""
        yield from self.sheet.lines(self._everything())
        if self.sheet.library_url:
            yield from self.sheet.lines(_PAGES.fill(url=f"{self.sheet.library_url}/{self.sheet.lang}/incidents/"))

    def _row(self, head: str, margin: int, name: str, worst: Finding) -> Iterator[str]:
        """The subject beside the gap; what was seen of it beside that, or below where there is room for more lines.

        A subject is never cut for want of room beside: it moves to the left, or below.
        """
        below = [escaped(self._seen(evidence, worst)) for evidence in worst.evidence[:1]]
        subject = beside = escaped(worst.subject.shown)
        if not has_room(len(self.found)):
            beside, below = ": ".join([subject, *below]), []
        needed = min(terminal.width(beside), terminal.width(subject) + COUNT_COLUMNS)
        room = self.sheet.width - margin
        for shown in (name, name.rstrip()):
            left = room - len(shown) - 2
            if needed <= left:
                yield f"{head}{shown}  {fitted(beside, left)}"
                break
        else:
            first, *rest = terminal.wrap(name, room)
            yield head + first
            below = [*rest, beside, *below]
        yield from (" " * margin + fitted(line, room) for line in below)

    def _everything(self) -> Text:
        """How much there is, and how to see it all."""
        findings = sum(len(result.findings) for result in self.found)
        seen = sum(len(finding.evidence) for result in self.found for finding in result.findings)
        return _ALL.fill(gaps=f"{len(self.found):,}", findings=f"{findings:,}", evidence=f"{seen:,}")

    def _under_headings(self) -> Iterator[Result | str]:
        above: Severity | None = None
        for result in self.found:
            severity = result.findings[0].severity
            if severity is not above:
                yield self.sheet.painted(severity, self._severity(severity))
            yield result
            above = severity

    def _severity(self, severity: Severity) -> str:
        return SEVERITIES[severity].of(self.sheet.lang).upper()

    def _title(self, result: Result) -> list[str]:
        count = counted(len(result.findings), one=_ONE_FINDING, many=_FINDINGS).of(self.sheet.lang)
        return self.sheet.lines(f"{result.page.id} ({count}): {result.page.title.of(self.sheet.lang)}", "  ")

    def _sentence(self, result: Result, finding: Finding) -> str:
        return result.page.sentence(finding).of(self.sheet.lang)

    def _finding(self, result: Result, alike: Alike) -> Iterator[str]:
        first, severity = alike.first, SEVERITIES[alike.first.severity].of(self.sheet.lang)
        yield from self.sheet.lines(f"{first.subject.shown} ({severity}): {self._sentence(result, first)}", "    ")
        for evidence in first.evidence:
            yield from self.sheet.lines(self._seen(evidence, first, columns=None), "    - ", "      ")
        if alike.others:
            names = ", ".join(other.subject.shown for other in alike.others)
            yield from self.sheet.lines(_ALIKE.fill(count=f"{len(alike.others):,}", names=names), "    ", "      ")

    def _evidence(self, finding: Finding) -> Iterator[str]:
        """The first fields as seen, and how many more there are."""
        for evidence in finding.evidence[:EVIDENCE_SHOWN]:
            yield from self.sheet.lines(self._seen(evidence, finding), "    - ", "      ")
        more = len(finding.evidence) - EVIDENCE_SHOWN
        if more > 0:
            yield from self.sheet.lines(_MORE_EVIDENCE.fill(count=more), "    - ")

    def _seen(self, evidence: Evidence, finding: Finding, columns: int | None = VALUE_COLUMNS) -> str:
        """`webhooks[0].failurePolicy: Fail`, with the object in front where it is not the subject."""
        owner = owner_of(evidence, finding)
        lang = self.sheet.lang
        value = UNSET.of(lang) if evidence.value is None else evidence.value or '""'
        value = shortened(value, columns) if columns else value
        hoped = _HOPED.fill(value=evidence.expected).of(lang) if evidence.expected else ""
        return f"{owner}{evidence.path}: {value}{hoped}"

    def _others(self, others: list[Finding]) -> Text:
        """The other findings of a gap by severity and subject, or how many there are."""
        lang = self.sheet.lang
        names = [f"{other.subject.shown} ({SEVERITIES[other.severity].of(lang)})" for other in others[:SUBJECTS_SHOWN]]
        more = len(others) - len(names)
        return _ALSO.fill(names=", ".join(names) + (AND_MORE.fill(count=f"{more:,}").of(lang) if more else ""))

    def _incident(self, result: Result) -> str:
        """The first incident behind the check, and how many more."""
        if not result.page.incidents:
            return _NO_INCIDENT.of(self.sheet.lang)
        first, *more = result.page.incidents
        others = AND_MORE.fill(count=len(more)).of(self.sheet.lang) if more else ""
        return _INCIDENT.fill(title=self._named(first, others)).of(self.sheet.lang)

    def _named(self, incident: str, others: str = "") -> str:
        """Title and id, how many others, and the address, which has nothing behind it that could stick to it."""
        title = self.incidents.get(incident, NO_TITLE).of(self.sheet.lang)
        link = None if self.is_short else incident_link(self.sheet.library_url, self.sheet.lang, incident)
        return f"{title} ({incident}){others}" + (f" {link}" if link else "")


_ONE_FINDING = Text(ko="발견 {count}건", en="{count} finding")
_FINDINGS = Text(ko="발견 {count}건", en="{count} findings")
_MORE_EVIDENCE = Text(ko="근거 {count}건 더 (`--verbose`)", en="{count} more pieces of evidence (`--verbose`)")
_HOPED = Text(ko=" (바람직한 값: {value})", en=" (better: {value})")
_ALSO = Text(ko="같은 틈: {names}", en="also: {names}")
_ALIKE = Text(ko="이와 똑같은 대상 {count}개: {names}", en="the same holds for {count} more: {names}")
_INCIDENT = Text(ko="앞선 사례: {title}", en="happened before: {title}")
_NO_INCIDENT = Text(ko="앞선 사례: 아직 라이브러리에 없다", en="happened before: nothing in the library yet")
_PAGES = Text(ko="사례 페이지: {url}<사례 id>", en="Pages of incidents: {url}<incident id>")
_NEXT = Text(ko="다음: `kubegap checks explain {id}`", en="next: `kubegap checks explain {id}`")
# One line of a hundred columns: a screen full of gaps has none to spare.
_ALL = Text(
    ko="틈 {gaps}개, 발견 {findings}건, 근거 {evidence}건 모두: `--verbose`. 다음: `kubegap checks explain <id>`",
    en="{gaps} gaps, {findings} findings, {evidence} pieces of evidence: `--verbose`; next: `kubegap checks explain <id>`",
)
