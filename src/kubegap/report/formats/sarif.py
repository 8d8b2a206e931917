"""SARIF 2.1.0 for code scanning: checks are rules, findings results, and what was not seen are notifications."""

from importlib.metadata import version
from pathlib import PurePath
from urllib.parse import quote

import msgspec

from kubegap.checks.model import Confidence, Severity, Subject
from kubegap.checks.page import Page
from kubegap.checks.run import Result
from kubegap.cluster.snapshot import Place
from kubegap.report.lines import escaped
from kubegap.report.standing import Status
from kubegap.report.standings import told
from kubegap.report.view import Entry, View, is_broken, owner_of
from kubegap.report.words import UNSET
from kubegap.text import Lang

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
_PRECISIONS = {Confidence.OBSERVED: "very-high", Confidence.CONFIG: "high", Confidence.HEURISTIC: "medium"}
_BASELINE_STATES = {
    Status.NEW: "new",
    Status.KNOWN: "unchanged",
    Status.WORSENED: "updated",
}
Json = dict[str, object]


def render(view: View) -> str:
    """One run, in the reader's language."""
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(view)]}
    return msgspec.json.format(msgspec.json.encode(log), indent=2).decode() + "\n"


def _run(view: View) -> Json:
    results = view.report.results
    places = {result.page.id: place for place, result in enumerate(results)}
    return {
        "tool": {"driver": _driver(view)},
        "automationDetails": {"id": f"kubegap/{quote(view.report.snapshot.uid or 'files', safe='')}/"},
        "language": view.lang,
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(view)],
        "results": [_result(entry, places[entry.page.id], view) for entry in view.entries()],
    }


def _driver(view: View) -> Json:
    rules = [_rule(result.page, view) for result in view.report.results]
    return {"name": "kubegap", "version": version("kubegap"), "rules": rules}


def _rule(page: Page, view: View) -> Json:
    lang = view.lang
    worst = Severity.worst(page.severities)
    rule: Json = {
        "id": page.id,
        "name": page.id,
        "shortDescription": {"text": page.title.of(lang)},
        "fullDescription": {"text": page.looks_for.of(lang)},
        "help": {"text": _help(page, view, is_markdown=False), "markdown": _help(page, view, is_markdown=True)},
        "defaultConfiguration": {"level": _LEVELS[worst]},
        "properties": {"tags": ["kubernetes", page.area.replace("_", "-")], "incidents": list(page.incidents)},
    }
    if view.library_url:
        rule["helpUri"] = f"{view.library_url}/{lang}/checks/{quote(page.id, safe='')}"
    return rule


def _help(page: Page, view: View, *, is_markdown: bool) -> str:
    parts = [page.why.of(view.lang), page.remediation.of(view.lang), page.verify.of(view.lang)]
    for incident, title, link in view.links(page):
        name = title.of(view.lang)
        parts.append(f"[{name}]({link})" if is_markdown and link else f"{name} ({link or incident})")
    return "\n\n".join(parts)


def _result(entry: Entry, place: int, view: View) -> Json:
    finding = entry.finding
    properties: Json = {"severity": finding.severity, "confidence": finding.confidence}
    properties["precision"] = _PRECISIONS[finding.confidence]
    properties["incidents"] = list(entry.page.incidents)
    if view.library_url:
        properties["links"] = [link for _, _, link in view.links(entry.page)]
    result: Json = {
        "ruleId": entry.page.id,
        "ruleIndex": place,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(entry, view.lang)},
        "locations": [_location(finding.subject, view.report.snapshot.places.get(finding.subject.path))],
        "partialFingerprints": {"findingId/v1": escaped(entry.id)},
        "properties": properties,
    }
    return result | _standing(entry, view.lang)


def _standing(entry: Entry, lang: Lang) -> Json:
    """How it stands, in SARIF's words: a state against the baseline, or a suppression with its justification."""
    if entry.status is None:
        return {}
    found: Json = {"kind": "external", "status": "accepted", "justification": _literal(told(entry).of(lang))}
    if entry.status is Status.ACCEPTED:
        return {"suppressions": [found]}
    if entry.status is Status.EXPIRED:
        return {"suppressions": [found | {"status": "rejected"}]}
    return {"baselineState": _BASELINE_STATES[entry.status]}


def _message(entry: Entry, lang: Lang) -> str:
    """The sentence and what was seen; what to change is in the rule's help."""
    lines = [f"{entry.finding.subject.shown}: {entry.sentence.of(lang)}"]
    for evidence in entry.finding.evidence:
        value = UNSET.of(lang) if evidence.value is None else evidence.value
        lines.append(f"- {owner_of(evidence, entry.finding)}{evidence.path}: {value}")
    return "\n".join(map(_literal, lines))


def _literal(line: str) -> str:
    """What strangers wrote as text: in messages of SARIF `[x](y)` is a link, and `{0}` a place to fill."""
    return escaped(line).replace("](", "] (").replace("{", "{{").replace("}", "}}")


def _location(subject: Subject, place: Place | None) -> Json:
    """The object by its name, and its file; of a cluster a path made of the name, for code scanning shows nothing without."""
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(subject, place)},
            "region": {"startLine": place.line if place else 1},
        },
        "logicalLocations": [
            {
                "name": escaped(subject.name),
                "fullyQualifiedName": escaped(subject.path),
                "kind": "resource",
            }
        ],
    }


def _uri(subject: Subject, place: Place | None) -> str:
    if place and PurePath(place.path).is_absolute():
        return PurePath(place.path).as_uri()
    parts = (
        PurePath(place.path).parts
        if place
        else ("kubernetes", *filter(None, (subject.kind, subject.namespace, subject.name)))
    )
    return "/".join(quote(part, safe="") for part in parts)


def _invocation(view: View) -> Json:
    hindered = view.unanswered()
    notes = [_notification(result, view.lang) for result in hindered]
    notes += [{"level": "warning", "message": {"text": _literal(note.of(view.lang))}} for note in view.verdict.notes]
    notes += [
        {"level": "warning", "message": {"text": _literal(f"{piece.place}: {piece.reason}")}}
        for piece in view.report.snapshot.unread
    ]
    is_whole = not any(is_broken(result) for result in view.report.results)
    return {"executionSuccessful": is_whole, "toolExecutionNotifications": notes}


def _notification(result: Result, lang: Lang) -> Json:
    reason = result.reason.of(lang) if result.reason else ""
    words = f"{result.page.id} ({result.state}): {reason}"
    if result.grant:
        words += f" ({result.grant})"
    return {
        "level": "error" if is_broken(result) else "warning" if result.cause else "note",
        "descriptor": {"id": str(result.state)},
        "associatedRule": {"id": result.page.id},
        "message": {"text": _literal(words)},
    }
