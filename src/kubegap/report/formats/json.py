"""The frozen JSON shape of `kubegap check`; these types are its one definition."""

from datetime import datetime

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kubegap.checks.model import Confidence, Evidence, Finding, Severity, State, Subject
from kubegap.checks.run import Report, Result
from kubegap.cluster.lifecycle import target_minor
from kubegap.cluster.resources import name_of
from kubegap.cluster.snapshot import Coverage, ReadAtFrom, ReadState, Snapshot
from kubegap.report.acceptance import Acceptance
from kubegap.report.standing import Status, Verdict
from kubegap.report.view import Entry, View
from kubegap.text import LANGS, Text


class ClusterShape(Struct, frozen=True):
    """Which cluster, as of when, and the version that an upgrade would go to; null is unknown."""

    name: str | None
    context: str | None
    uid: str | None
    server: str | None
    version: str | None
    provider: str | None
    read_at: datetime | None
    read_at_from: ReadAtFrom
    target_version: str | None


class KindShape(Struct, frozen=True):
    """How far one kind was read."""

    kind: str
    objects: int
    state: ReadState
    reason: Text | UnsetType = UNSET


class CoverageShape(Struct, frozen=True):
    """What was read, and what it cost the API server."""

    partial: bool
    kinds: list[KindShape]
    requests: int
    bytes: int
    seconds: float


class SummaryShape(Struct, frozen=True):
    """The number of findings of each severity."""

    critical: int
    high: int
    medium: int
    low: int
    info: int


class CheckShape(Struct, frozen=True):
    """How one check ended."""

    check: str
    state: State
    reason: Text | UnsetType = UNSET
    grant: str | UnsetType = UNSET


class EvidenceShape(Struct, frozen=True):
    """A field as seen; a null value is one that is not set."""

    object: str
    path: str
    value: str | None
    expected: str | UnsetType = UNSET


class FindingShape(Struct, frozen=True):
    """One finding; `status` is there if it was compared with a baseline or accepted, `links` if the library has an address.

    `links` are the pages of `incidents`, in their order.
    """

    id: str
    check: str
    severity: Severity
    confidence: Confidence
    message: Text
    subject: Subject
    members: list[str]
    evidence: list[EvidenceShape]
    incidents: list[str]
    remediation: Text
    status: Status | UnsetType = UNSET
    accepted: Acceptance | UnsetType = UNSET
    was: Severity | UnsetType = UNSET
    links: list[Text] | UnsetType = UNSET


class BaselineShape(Struct, frozen=True):
    """Ids of the baseline that were not found: `gone` is no more, `unconfirmed` could not be looked for."""

    gone: list[str]
    unconfirmed: list[str]


class CheckReport(Struct, frozen=True):
    """The whole answer of `kubegap check --format json`; `baseline` is there if there was one, `notes` if there are any."""

    cluster: ClusterShape
    coverage: CoverageShape
    summary: SummaryShape
    checks: list[CheckShape]
    findings: list[FindingShape]
    baseline: BaselineShape | UnsetType = UNSET
    notes: list[Text] | UnsetType = UNSET


def render(view: View) -> str:
    """One object, indented."""
    return msgspec.json.format(msgspec.json.encode(shape(view)), indent=2).decode() + "\n"


def shape(view: View) -> CheckReport:
    """The report in its frozen shape; findings worst first, never grouped. The language of the view changes nothing."""
    report, entries = view.report, view.entries()
    return CheckReport(
        cluster=_cluster(report.snapshot),
        coverage=_coverage(report),
        summary=_summary([entry.finding for entry in entries]),
        checks=[_check(result) for result in report.results],
        findings=[_finding(view, entry) for entry in entries],
        baseline=_baseline(view.verdict),
        notes=list(view.verdict.notes) or UNSET,
    )


def _cluster(snapshot: Snapshot) -> ClusterShape:
    source = snapshot.source
    return ClusterShape(
        name=source.name,
        context=source.context,
        uid=snapshot.uid,
        server=source.server,
        version=source.version,
        provider=snapshot.provider,
        read_at=source.read_at,
        read_at_from=source.read_at_from,
        target_version=str(target) if (target := target_minor(snapshot)) else None,
    )


def _coverage(report: Report) -> CoverageShape:
    source, kinds = report.snapshot.source, report.coverage()
    return CoverageShape(
        partial=not all(kind.is_complete for kind in kinds),
        kinds=[_kind(kind) for kind in kinds],
        requests=source.requests,
        bytes=source.bytes,
        seconds=source.seconds,
    )


def _kind(coverage: Coverage) -> KindShape:
    return KindShape(name_of(coverage.resource), coverage.objects, coverage.state, coverage.reason or UNSET)


def _summary(findings: list[Finding]) -> SummaryShape:
    counts = {severity: sum(finding.severity is severity for finding in findings) for severity in Severity}
    return SummaryShape(**{severity.value: count for severity, count in counts.items()})


def _check(result: Result) -> CheckShape:
    return CheckShape(result.page.id, result.state, result.reason or UNSET, result.grant or UNSET)


def _baseline(verdict: Verdict) -> BaselineShape | UnsetType:
    if not verdict.has_baseline:
        return UNSET
    return BaselineShape(list(verdict.gone), list(verdict.unconfirmed))


def _finding(view: View, entry: Entry) -> FindingShape:
    finding, standing = entry.finding, entry.standing
    return FindingShape(
        id=entry.id,
        check=entry.page.id,
        severity=finding.severity,
        confidence=finding.confidence,
        message=entry.sentence,
        subject=finding.subject,
        members=list(finding.members),
        evidence=[_evidence(evidence) for evidence in finding.evidence],
        incidents=list(entry.page.incidents),
        remediation=entry.page.remediation,
        status=entry.status or UNSET,
        accepted=(standing and standing.acceptance) or UNSET,
        was=(standing and standing.was) or UNSET,
        links=_links(view, entry) if view.library_url else UNSET,
    )


def _links(view: View, entry: Entry) -> list[Text]:
    return [Text(**{lang: view.link(incident, lang) or "" for lang in LANGS}) for incident in entry.page.incidents]


def _evidence(evidence: Evidence) -> EvidenceShape:
    return EvidenceShape(evidence.object, evidence.path, evidence.value, evidence.expected or UNSET)
