"""Markdown for a comment on a pull request, which holds 65,536 characters; what is cut is counted."""

import re
from collections.abc import Iterator
from itertools import takewhile

from kubegap.checks.model import Severity, State
from kubegap.checks.page import Page
from kubegap.checks.run import Result
from kubegap.report.lines import escaped, shortened
from kubegap.report.prose import blocks
from kubegap.report.standing import Status
from kubegap.report.standings import told
from kubegap.report.view import Entry, View, owner_of
from kubegap.report.words import AND_MORE, SEVERITIES, STATES, STATUSES, UNSET
from kubegap.text import Lang, Text

LIMIT = 65_536
# What the last line and the part about checks not fully answered may take.
_RESERVE = 1_000
_COVERAGE = 12_000
_VALUE = 160
_SENTENCE = 1_000
_EVIDENCE = 3
_INCIDENTS = 3
# Findings of each gap, unless there are so few gaps that all together stay below the second number.
_FINDINGS = 3
_FINDINGS_IN_ALL = 100
_MARKUP = re.compile(r"([\\`*_\[\]<>&|~!$])")


def render(view: View) -> str:
    """A heading with the counts, the gaps that count, what does not count in short, and what was not seen."""
    head = [f"## kubegap: {_headline(view)}", "", *_standing(view)]
    after = list(_unanswered(view))
    room = _Room(LIMIT - _RESERVE - sum(len(line) + 1 for line in (*head, *after)))
    return "\n".join([*head, *_gaps(view, room), *after]) + "\n"


def literal(text: str) -> str:
    """What strangers wrote as it is: no markup, no link made of an address, nobody mentioned."""
    plain = _MARKUP.sub(r"\\\1", escaped(text))
    plain = plain.replace("://", r"\://").replace("www.", r"www\.")
    return re.sub(r"[@#]", lambda match: f"\\{match[0]}&#8203;" if match[0] == "#" else "@&#8203;", plain)


def code(text: str) -> str:
    """What strangers wrote as a span of code, which no backquote inside ends."""
    plain = escaped(text) or '""'
    fence = "`" * (1 + max(map(len, re.findall("`+", plain)), default=0))
    space = " " if plain[0] in "` " or plain[-1] in "` " else ""
    return f"{fence}{space}{plain}{space}{fence}"


def _headline(view: View) -> str:
    found = [entry.finding.severity for entry in view.entries() if entry.counts]
    counts = ", ".join(
        f"{SEVERITIES[severity].of(view.lang)} {found.count(severity):,}" for severity in Severity if severity in found
    )
    is_partial = any(result.state is State.NOT_SEEN for result in view.report.results)
    words = counts or _NONE.of(view.lang)
    return f"{words} · {_PARTIAL.of(view.lang)}" if is_partial else words


def _standing(view: View) -> Iterator[str]:
    verdict, lang = view.verdict, view.lang
    if verdict.has_baseline or verdict.standings:
        counts = [
            f"{STATUSES[status].of(lang)} {verdict.count(status):,}" for status in Status if verdict.count(status)
        ]
        counts += [f"{_GONE.of(lang)} {len(verdict.gone):,}"] if verdict.gone else []
        counts += [f"{_UNCONFIRMED.of(lang)} {len(verdict.unconfirmed):,}"] if verdict.unconfirmed else []
        yield _COMPARED.fill(counts=", ".join(counts) or "0").of(lang)
        yield ""


class _Room:
    """How many characters are left."""

    def __init__(self, left: int) -> None:
        self.left = left

    def takes(self, block: str) -> bool:
        """Whether a block and its line end fit; they are taken away if so."""
        if len(block) + 1 > self.left:
            return False
        self.left -= len(block) + 1
        return True


def _gaps(view: View, room: _Room) -> Iterator[str]:
    """Every gap with as many findings as there is room for, at first the same number for each; then what is left out."""
    gaps = view.gaps()
    each = max(_FINDINGS, _FINDINGS_IN_ALL // max(1, len(gaps)))
    left_out: dict[str, int] = {}
    for page, entries in gaps:
        title, end, more = (
            _title(page, entries, view),
            _end(page, view),
            _MORE.fill(count=f"{len(entries):,}").of(view.lang),
        )
        if not room.takes(f"{title}\n{end}\n{more}\n"):
            left_out[page.id] = len(entries)
            continue
        shown = list(takewhile(room.takes, (_entry(entry, view.lang) for entry in entries[:each])))
        rest = len(entries) - len(shown)
        yield from (title, *shown, *([_MORE.fill(count=f"{rest:,}").of(view.lang)] if rest else []), end, "")
    if left_out:
        yield _CUT.fill(count=f"{sum(left_out.values()):,}", gaps=f"{len(left_out):,}").of(view.lang) + "\n"


def _title(page: Page, entries: list[Entry], view: View) -> str:
    severity = SEVERITIES[entries[0].finding.severity].of(view.lang)
    return f"### {severity}: {page.title.of(view.lang)} ({code(page.id)}, {len(entries):,})\n"


def _entry(entry: Entry, lang: Lang) -> str:
    finding = entry.finding
    if not entry.counts:
        return f"- {code(finding.subject.shown)}: {literal(told(entry).of(lang))}"
    standing = f" **{literal(told(entry).of(lang))}**" if entry.standing else ""
    sentence = literal(shortened(escaped(entry.sentence.of(lang)), _SENTENCE))
    lines = [f"- {code(finding.subject.shown)}{standing}: {sentence}"]
    for evidence in finding.evidence[:_EVIDENCE]:
        value = UNSET.of(lang) if evidence.value is None else code(shortened(escaped(evidence.value), _VALUE))
        lines.append(f"  - {code(owner_of(evidence, finding) + evidence.path)}: {value}")
    more = len(finding.evidence) - _EVIDENCE
    return "\n".join([*lines, *([f"  - {_MORE_EVIDENCE.fill(count=f'{more:,}').of(lang)}"] if more > 0 else [])])


def _end(page: Page, view: View) -> str:
    """What to change, and the incidents behind it, as links if the library has an address."""
    lines = ["", *_prose(page.remediation.of(view.lang))]
    if page.incidents:
        named = [
            f"[{literal(title.of(view.lang))}]({link})"
            if link
            else f"{literal(title.of(view.lang))} ({code(incident)})"
            for incident, title, link in view.links(page)[:_INCIDENTS]
        ]
        more = len(page.incidents) - len(named)
        rest = AND_MORE.fill(count=more).of(view.lang) if more > 0 else ""
        lines += ["", f"{_BEFORE.of(view.lang)}: {', '.join(named)}{rest}"]
    return "\n".join(lines)


def _prose(text: str) -> Iterator[str]:
    """Lines of a page; those that are commands as blocks to copy."""
    for is_command, lines in blocks(text):
        yield f"```sh\n{lines}\n```" if is_command else lines


def _unanswered(view: View) -> Iterator[str]:
    """Checks not fully answered, and pieces of the input that could not be read, with counts where there are many."""
    lang = view.lang
    results = view.unanswered()
    pieces = view.report.snapshot.unread
    parts = [_reason(result, lang) for result in results]
    parts += [f"- {literal(shortened(escaped(note.of(lang)), _SENTENCE))}" for note in view.verdict.notes]
    parts += [f"- {code(shortened(escaped(f'{piece.place}: {piece.reason}'), _SENTENCE))}" for piece in pieces]
    if parts:
        yield f"### {_UNSEEN.of(lang)}: {len(parts):,}\n"
        shown = list(takewhile(_Room(_COVERAGE).takes, parts))
        rest = len(parts) - len(shown)
        yield from shown
        yield from [_MORE.fill(count=f"{rest:,}").of(lang)] if rest else []


def _reason(result: Result, lang: Lang) -> str:
    reason = result.reason.of(lang) if result.reason else ""
    grant = f" ({code(result.grant)})" if result.grant else ""
    words = literal(shortened(escaped(reason), _SENTENCE))
    return f"- {code(result.page.id)} ({STATES[result.state].of(lang)}): {words}{grant}"


_NONE = Text(ko="세는 발견 없음", en="no finding that counts")
_PARTIAL = Text(ko="일부는 보지 못함", en="not everything was seen")
_COMPARED = Text(ko="기준과 견줌: {counts}", en="Compared: {counts}")
_GONE = Text(ko="없어짐", en="gone")
_UNCONFIRMED = Text(ko="확인하지 못함", en="not looked for")
_BEFORE = Text(ko="앞선 사례", en="Happened before")
_UNSEEN = Text(ko="다 답하지 못한 것", en="Not fully answered")
_MORE = Text(ko="- 이 밖에 {count}건 (`--format json` 에 모두 있다)", en="- and {count} more (`--format json` has all)")
_MORE_EVIDENCE = Text(ko="근거 {count}건 더", en="{count} more pieces of evidence")
_CUT = Text(
    ko="**자리가 모자라 틈 {gaps}개의 발견 {count}건을 싣지 못했다. `--format json` 에 모두 있다.**",
    en="**No room for {count} findings of {gaps} gaps; `--format json` has all.**",
)
