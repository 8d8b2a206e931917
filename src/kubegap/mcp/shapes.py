"""Parts of answers that several tools give; every text is in the one language that was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from msgspec import Struct

from kubegap.checks.model import Severity, State
from kubegap.checks.page import Page
from kubegap.checks.run import Report
from kubegap.cluster.snapshot import Snapshot
from kubegap.mcp.scans import Scan
from kubegap.mcp.untrusted import host_of, shown
from kubegap.report.view import Entry, View
from kubegap.report.words import SEVERITIES
from kubegap.text import Lang, Text

_NAMESPACES = 3
_INCIDENTS = 3
_NOT_SEEN = 8
_NOTES = 5
_NOTE = 300


class Cluster(Struct, frozen=True):
    """Which cluster an answer is about."""

    context: str
    host: str
    version: str
    provider: str
    read_at: str


class Gap(Struct, frozen=True):
    """All findings of one check; `objects` counts them, `accepted` those that an owner lives with."""

    gap_id: str
    severity: Severity
    confidence: str
    title: str
    objects: int
    accepted: int
    namespaces: list[str]
    more_namespaces: int
    incidents: list[str]


class Unseen(Struct, frozen=True):
    """A check that could not answer, or not fully: never a sign that all is well."""

    check_id: str
    state: State
    reason: str
    grant: str


def cluster_of(scan: Scan) -> Cluster:
    """The cluster of a scan."""
    return cluster_in(scan.report.snapshot)


def cluster_in(snapshot: Snapshot) -> Cluster:
    """The cluster of a snapshot."""
    source = snapshot.source
    return Cluster(
        context=shown(source.context or ""),
        host=host_of(source.server),
        version=shown(source.version or "", 60),
        provider=snapshot.provider or "",
        read_at=source.read_at.isoformat(timespec="seconds") if source.read_at else "",
    )


def gap_of(page: Page, entries: Sequence[Entry], lang: Lang) -> Gap:
    """A row for the findings of one check, worst first."""
    worst = entries[0].finding
    named = sorted({entry.finding.subject.namespace or "" for entry in entries} - {""})
    return Gap(
        gap_id=page.id,
        severity=worst.severity,
        confidence=worst.confidence.value,
        title=page.title.of(lang),
        objects=len(entries),
        accepted=sum(not entry.counts for entry in entries),
        namespaces=[shown(name, 63) for name in named[:_NAMESPACES]],
        more_namespaces=max(0, len(named) - _NAMESPACES),
        incidents=page.incidents[:_INCIDENTS],
    )


def unseen(view: View) -> list[Unseen]:
    """The checks without a full answer, in the order of ids."""
    return [
        Unseen(result.page.id, result.state, shown((result.reason or _NO_REASON).of(view.lang)), result.grant or "")
        for result in view.report.results
        if not result.is_fully_seen
    ]


def unseen_briefly(view: View, among: Container[str]) -> tuple[list[str], int]:
    """The ids of the first of them among some checks, and how many there are."""
    ids = [one.check_id for one in unseen(view) if one.check_id in among]
    return ids[:_NOT_SEEN], len(ids)


def severities(entries: Sequence[Entry]) -> dict[str, int]:
    """How many findings there are of each severity, worst first; only those that occur."""
    counts = Counter(entry.finding.severity for entry in entries)
    return {severity.value: counts[severity] for severity in Severity if counts[severity]}


def told(counts: dict[str, int], lang: Lang) -> str:
    """`2 critical, 5 high`."""
    words = [
        _COUNT.fill(name=SEVERITIES[Severity(name)], count=f"{count:,}").of(lang) for name, count in counts.items()
    ]
    return ", ".join(words) or _NONE.of(lang)


def states(report: Report) -> dict[str, int]:
    """How many checks ended in each state that occurs."""
    counts = Counter(result.state for result in report.results)
    return {state.value: counts[state] for state in State if counts[state]}


def notes(texts: Sequence[Text], lang: Lang) -> list[str]:
    """The first of some notes, each cut to a length, and how many more there are."""
    more = len(texts) - _NOTES
    few = [shown(text.of(lang), _NOTE) for text in texts[:_NOTES]]
    return [*few, _MORE_NOTES.fill(count=more).of(lang)] if more > 0 else few


_COUNT = Text(ko="{name} {count}", en="{count} {name}")
_NONE = Text(ko="없음", en="none")
_NO_REASON = Text(ko="까닭을 모른다", en="no reason is known")
_MORE_NOTES = Text(ko="이 밖에 알릴 것이 {count}건 더 있다.", en="There are {count} more notes.")
