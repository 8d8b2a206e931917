"""One page that needs nothing else: no script, no request; it looks like the library, and switches its language by itself."""

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape
from importlib.resources import files

from kubegap.checks.model import Evidence, Severity, State
from kubegap.checks.page import Page
from kubegap.checks.run import Result
from kubegap.prose import blocks
from kubegap.report.lines import escaped
from kubegap.report.standing import Status
from kubegap.report.standing_text import told
from kubegap.report.view import Entry, View, owner_of
from kubegap.report.words import (
    BEFORE,
    COMPARED,
    GONE,
    NONE_SEEN,
    NOT_ANSWERED,
    SEVERITIES,
    STATES,
    STATUSES,
    UNCONFIRMED,
    UNSET,
    UPGRADE,
)
from kubegap.text import LANGS, Lang, Text

# A gap with more findings than these begins folded.
_OPEN = 5
_NAMES = {"ko": "한국어", "en": "English"}
_OWN = """
.lang { position: absolute; opacity: 0; }
.lang-choice { margin-inline-start: auto; display: flex; gap: .75rem; }
.lang-choice label { cursor: pointer; padding-block: .25rem; color: var(--soft); }
#lang-ko:checked ~ header [for="lang-ko"], #lang-en:checked ~ header [for="lang-en"] { color: var(--ink); font-weight: 700; }
#lang-ko:focus-visible ~ header [for="lang-ko"],
#lang-en:focus-visible ~ header [for="lang-en"] { outline: 3px solid var(--link); outline-offset: 2px; }
#lang-ko:checked ~ * [lang="en"].says, #lang-en:checked ~ * [lang="ko"].says { display: none; }
.gap { padding-block: 1rem; border-block-end: 1px solid var(--rule); }
.gap h3 { margin-block: 0 .4rem; }
.severity { font-weight: 700; }
.critical, .high { color: var(--cause); }
.medium { color: var(--factor); }
.gap pre { overflow-x: auto; padding: .5rem .75rem; background: var(--sunk); border-radius: 6px; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; padding: 0; }
@media print { .lang-choice { display: none; } }
"""


def render(view: View) -> str:
    """The whole page, in both languages; it opens in the reader's."""
    return "".join(f"{line}\n" for line in _page(view))


def _page(view: View) -> Iterator[str]:
    style = (files("kubegap") / "web" / "static" / "kubegap.css").read_text(encoding="utf-8")
    yield "<!doctype html>"
    yield f'<html lang="{view.lang}">'
    yield '<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">'
    # Were anything in the page to ask for something, the browser would refuse.
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">'
    yield f"<title>kubegap · {_plain(_name(view))}</title>"
    yield f"<style>\n{style}{_OWN}</style>\n</head>\n<body>"
    yield from _head(view)
    yield '<main id="content" class="wide">'
    yield f"<h1>{_says(_TITLE)} <code>{_plain(_name(view))}</code></h1>"
    yield from _summary(view)
    yield from _unanswered(view)
    yield f"<h2>{_says(_GAPS)}</h2>"
    for page, entries in view.gaps():
        yield from _gap(page, entries, view)
    if not view.gaps():
        yield f"<p>{_says(NONE_SEEN)}</p>"
    yield from _checks(view)
    yield "</main>\n</body>\n</html>"


def _head(view: View) -> Iterator[str]:
    for lang in LANGS:
        checked = " checked" if lang == view.lang else ""
        yield f'<input class="lang" type="radio" name="lang" id="lang-{lang}" aria-label="{_NAMES[lang]}"{checked}>'
    labels = "".join(f'<label for="lang-{lang}" lang="{lang}">{_NAMES[lang]}</label>' for lang in LANGS)
    yield '<header class="top"><div class="wide"><span class="brand">kubegap</span>'
    yield f'<div class="lang-choice">{labels}</div></div></header>'


def _summary(view: View) -> Iterator[str]:
    snapshot, verdict = view.report.snapshot, view.verdict
    counts = [entry.finding.severity for entry in view.entries() if entry.counts]
    items = [
        f'<li><span class="severity {severity.value}">{_says(SEVERITIES[severity])}</span> {counts.count(severity):,}</li>'
        for severity in Severity
    ]
    yield f'<ul class="counts">{"".join(items)}</ul>'
    facts = [snapshot.provider, snapshot.source.version, snapshot.uid]
    if snapshot.source.read_at:
        facts.append(f"{snapshot.source.read_at:%Y-%m-%d %H:%M} UTC")
    told = [_plain(fact) for fact in facts if fact]
    if snapshot.target_version:
        told.append(_says(UPGRADE.fill(version=snapshot.target_version)))
    yield f'<p class="small">{" · ".join(told)}</p>'
    if verdict.is_compared:
        stand = [f"{_says(STATUSES[status])} {verdict.count(status):,}" for status in Status]
        yield f"<p>{_says(COMPARED)}: {', '.join(stand)}</p>"
    for words, ids in ((GONE, verdict.gone), (UNCONFIRMED, verdict.unconfirmed)):
        if ids:
            yield _folded(f"{_says(words)}: {len(ids):,}", [f"<li><code>{_plain(name)}</code></li>" for name in ids])


def _unanswered(view: View) -> Iterator[str]:
    """Before any finding: what could not be seen, or that all was."""
    results = view.unanswered()
    pieces = view.report.snapshot.unread
    yield f"<h2>{_says(_COVERAGE)}</h2>"
    if not results and not pieces:
        yield f"<p>{_says(_ALL_SEEN)}</p>"
    items = [_reason(result) for result in results]
    items += [f"<li>{_says(note)}</li>" for note in view.verdict.notes]
    items += [f"<li><code>{_plain(piece.place)}</code>: {_plain(piece.reason)}</li>" for piece in pieces]
    if items:
        yield _folded(f"{_says(NOT_ANSWERED)}: {len(items):,}", items, is_open=len(items) <= _OPEN)


def _reason(result: Result) -> str:
    reason = f": {_says(result.reason)}" if result.reason else ""
    grant = f" (<code>{_plain(result.grant)}</code>)" if result.grant else ""
    return f"<li><code>{_plain(result.page.id)}</code> ({_says(STATES[result.state])}){reason}{grant}</li>"


def _gap(page: Page, entries: list[Entry], view: View) -> Iterator[str]:
    worst = entries[0].finding.severity
    yield f'<section class="gap" id="{_plain(page.id)}">'
    yield f'<h3><span class="severity {worst.value}">{_says(SEVERITIES[worst])}</span> {_says(page.title)}'
    yield f'<code>{_plain(page.id)}</code> <span class="count">{len(entries):,}</span></h3>'
    yield _prose(page.why)
    items = [_entry(entry) for entry in entries]
    yield _folded(f"{_says(_FINDINGS)}: {len(items):,}", items, is_open=len(items) <= _OPEN)
    yield _prose(page.remediation)
    if page.incidents:
        named = [f"<li>{_incident(incident, view)}</li>" for incident in page.incidents]
        yield f"<p>{_says(BEFORE)}</p>\n<ul>{''.join(named)}</ul>"
    yield "</section>"


def _entry(entry: Entry) -> str:
    finding = entry.finding
    standing = f" <strong>{_says(told(entry))}</strong>" if entry.standing else ""
    severity = f'<span class="severity {finding.severity.value}">{_says(SEVERITIES[finding.severity])}</span>'
    seen = "".join(f"<li>{_field(entry, evidence)}: {_value(evidence.value)}</li>" for evidence in finding.evidence)
    head = f"<code>{_plain(finding.subject.shown)}</code> {severity}{standing}: {_says(entry.sentence)}"
    return f"<li>{head}<ul>{seen}</ul></li>"


def _field(entry: Entry, evidence: Evidence) -> str:
    """The object where that is not the subject, and its field or what the page calls it."""
    owner, word = owner_of(evidence, entry.finding), entry.page.words.get(evidence.path)
    if word is None:
        return f"<code>{_plain(owner + evidence.path)}</code>"
    return f"<code>{_plain(owner.strip())}</code> {_says(word)}" if owner else _says(word)


def _value(value: str | None) -> str:
    return _says(UNSET) if value is None else f"<code>{_plain(value) or '&quot;&quot;'}</code>"


def _incident(incident: str, view: View) -> str:
    """Title and id; the title leads to the page in its own language, if the library has an address."""
    title = view.title(incident)

    def linked(lang: Lang) -> str:
        link = view.link(incident, lang)
        words = _plain(title.of(lang))
        return f'<a href="{_plain(link)}" rel="noreferrer">{words}</a>' if link else words

    return f"{_in_both(linked)} <code>{_plain(incident)}</code>"


def _checks(view: View) -> Iterator[str]:
    counts = {state: [result.page.id for result in view.report.results if result.state is state] for state in State}
    yield f"<h2>{_says(_CHECKS)}: {len(view.report.results):,}</h2>"
    for state, ids in counts.items():
        if ids:
            yield _folded(
                f"{_says(STATES[state])}: {len(ids):,}", [f"<li><code>{_plain(name)}</code></li>" for name in ids]
            )


def _folded(summary: str, items: Iterable[str], *, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>\n<ul>\n{chr(10).join(items)}\n</ul></details>"


def _prose(text: Text) -> str:
    """Sentences as paragraphs and commands as blocks, in both languages."""
    return "\n".join(f'<div class="says" lang="{lang}">{_blocks(text.of(lang))}</div>' for lang in LANGS)


def _blocks(words: str) -> str:
    return "".join(
        f"<pre><code>{_lines(part, _plain)}</code></pre>" if is_command else f"<p>{_lines(part, _coded)}</p>"
        for is_command, part in blocks(words)
    )


def _lines(words: str, shown: Callable[[str], str]) -> str:
    return "\n".join(map(shown, words.split("\n")))


def _says(text: Text) -> str:
    """Both languages; the style shows one of them."""
    if text.ko == text.en:
        return _coded(text.en)
    return _in_both(lambda lang: _coded(text.of(lang)))


def _coded(words: str) -> str:
    """What stands between backquotes as code; whoever puts one into a name only makes more of it code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", _plain(words))


def _in_both(words: Callable[[Lang], str]) -> str:
    return "".join(f'<span class="says" lang="{lang}">{words(lang)}</span>' for lang in LANGS)


def _plain(words: str) -> str:
    """What strangers wrote, as text that neither acts nor hides."""
    return escape(escaped(words))


def _name(view: View) -> str:
    source = view.report.snapshot.source
    return source.context or source.name or source.origin.value


_TITLE = Text(ko="점검 결과:", en="Check of")
_COVERAGE = Text(ko="무엇을 보았나", en="What was seen")
_ALL_SEEN = Text(ko="고른 점검 항목에 필요한 것을 모두 읽었다.", en="Everything that the chosen checks need was read.")
_GAPS = Text(ko="틈", en="Gaps")
_FINDINGS = Text(ko="발견", en="Findings")
_CHECKS = Text(ko="점검 항목", en="Checks")
