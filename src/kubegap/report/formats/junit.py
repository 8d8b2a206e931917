"""JUnit's XML: every check is a test case; it fails with its findings, and is an error where it could not look."""

from xml.etree import ElementTree as ET

from kubegap.checks.model import Severity, State
from kubegap.checks.run import Result
from kubegap.report.lines import escaped
from kubegap.report.standings import told
from kubegap.report.view import Entry, View, owner_of
from kubegap.report.words import SEVERITIES, STATES, UNSET
from kubegap.text import Lang

_SKIPPED = {State.NOT_APPLICABLE, State.NOT_VISIBLE, State.NOT_IN_THIS_INPUT}


def render(view: View) -> str:
    """One suite for each area. What counts fails a case; what is known, accepted or only informs is its output."""
    entries = {page.id: found for page, found in view.gaps()}
    areas: dict[str, list[Result]] = {}
    for result in view.report.results:
        areas.setdefault(result.page.area, []).append(result)
    root = ET.Element("testsuites", name="kubegap")
    for area, results in sorted(areas.items()):
        suite = ET.SubElement(root, "testsuite", name=area.replace("_", "-"))
        for result in results:
            suite.append(_case(result, entries.get(result.page.id, []), view))
        _count(suite)
    _count(root)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(result: Result, entries: list[Entry], view: View) -> ET.Element:
    case = ET.Element("testcase", classname=f"kubegap.{result.page.area}", name=result.page.id)
    failing = [entry for entry in entries if _fails(entry)]
    others = [entry for entry in entries if not _fails(entry)]
    reason = _reason(result, view.lang)
    output = _told(others, view)
    if result.state is State.NOT_SEEN:
        _add(case, "error", reason, [reason, *_told(failing, view)], str(result.state))
    elif failing:
        message = f"{result.page.title.of(view.lang)} ({len(failing):,})"
        why = [reason] if result.reason else []
        _add(case, "failure", message, [*_told(failing, view), *why], str(failing[0].finding.severity))
    elif result.state in _SKIPPED:
        _add(case, "skipped", reason, [])
    elif result.reason:
        output.append(reason)
    if output:
        ET.SubElement(case, "system-out").text = _text(output)
    return case


def _fails(entry: Entry) -> bool:
    return entry.counts and entry.finding.severity is not Severity.INFO


def _add(case: ET.Element, name: str, message: str, lines: list[str], kind: str | None = None) -> None:
    element = ET.SubElement(case, name, message=escaped(message))
    if kind:
        element.set("type", kind)
    if lines:
        element.text = _text(lines)


def _text(lines: list[str]) -> str:
    """XML has no place for most control characters, so they are shown as escapes."""
    return "\n".join(escaped(line) for part in lines for line in part.split("\n"))


def _reason(result: Result, lang: Lang) -> str:
    words = [STATES[result.state].of(lang), *([result.reason.of(lang)] if result.reason else [])]
    return ": ".join(words) + (f" ({result.grant})" if result.grant else "")


def _told(entries: list[Entry], view: View) -> list[str]:
    if not entries:
        return []
    lines = [line for entry in entries for line in _finding(entry, view.lang)]
    page = entries[0].page
    incidents = [f"{title.of(view.lang)} ({link or incident})" for incident, title, link in view.links(page)]
    return [*lines, page.remediation.of(view.lang), *incidents]


def _finding(entry: Entry, lang: Lang) -> list[str]:
    # Nobody outside can add a line: what strangers wrote has its line ends escaped first.
    severity = SEVERITIES[entry.finding.severity].of(lang)
    status = f", {told(entry).of(lang)}" if entry.standing else ""
    lines = [escaped(f"{entry.id} ({severity}{status}): {entry.sentence.of(lang)}")]
    for evidence in entry.finding.evidence:
        value = UNSET.of(lang) if evidence.value is None else evidence.value or '""'
        lines.append(escaped(f"  - {owner_of(evidence, entry.finding)}{evidence.path}: {value}"))
    return lines


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(name) is not None for case in cases)))
