"""The frozen JSON shape of `kubegap check`; these types are its one definition."""

from datetime import datetime

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kubegap.checks.model import Confidence, Evidence, Finding, Severity, State, Subject
from kubegap.checks.page import Page
from kubegap.checks.run import Report, Result
from kubegap.cluster.resources import name_of
from kubegap.cluster.snapshot import Coverage, ReadAtFrom, ReadState, Snapshot
from kubegap.text import Text


class ClusterShape(Struct, frozen=True):
    """Which cluster, and as of when; null is unknown."""

    name: str | None
    context: str | None
    uid: str | None
    server: str | None
    version: str | None
    provider: str | None
    read_at: datetime | None
    read_at_from: ReadAtFrom


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
    """One finding; `status` is told once baselines and acceptance exist."""

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
    status: str | UnsetType = UNSET


class CheckReport(Struct, frozen=True):
    """The whole answer of `kubegap check --format json`."""

    cluster: ClusterShape
    coverage: CoverageShape
    summary: SummaryShape
    checks: list[CheckShape]
    findings: list[FindingShape]


def encode(report: Report) -> bytes:
    """The report as JSON in UTF-8, indented, with a line end."""
    return msgspec.json.format(msgspec.json.encode(shape(report)), indent=2) + b"\n"


def shape(report: Report) -> CheckReport:
    """The report in its frozen shape; findings worst first, never grouped."""
    findings = [(result.page, finding) for result in report.results for finding in result.findings]
    findings.sort(key=lambda pair: (pair[1].severity.rank, pair[0].id, pair[1].subject.path))
    return CheckReport(
        cluster=_cluster(report.snapshot),
        coverage=_coverage(report),
        summary=_summary([finding for _, finding in findings]),
        checks=[_check(result) for result in report.results],
        findings=[_finding(page, finding) for page, finding in findings],
    )


def finding_id(check: str, finding: Finding) -> str:
    """Stable across runs and clusters rebuilt: the check, and kind, namespace and name of the subject."""
    return f"{check}/{finding.subject.path}"


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


def _finding(page: Page, finding: Finding) -> FindingShape:
    return FindingShape(
        id=finding_id(page.id, finding),
        check=page.id,
        severity=finding.severity,
        confidence=finding.confidence,
        message=page.sentence(finding),
        subject=finding.subject,
        members=list(finding.members),
        evidence=[_evidence(evidence) for evidence in finding.evidence],
        incidents=list(page.incidents),
        remediation=page.remediation,
    )


def _evidence(evidence: Evidence) -> EvidenceShape:
    return EvidenceShape(evidence.object, evidence.path, evidence.value, evidence.expected or UNSET)
