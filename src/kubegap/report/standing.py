"""How findings stand against a baseline and against what their owners accepted; only some of them count.

Time is the snapshot's: an acceptance ends when the cluster was read after its last day, whatever the clock here says.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, date
from enum import StrEnum

from msgspec import Struct, structs

from kubegap.checks.model import Finding, Severity
from kubegap.checks.page import Page
from kubegap.checks.run import Report, Result
from kubegap.cluster.snapshot import Snapshot
from kubegap.report.acceptance import Acceptance, acceptances
from kubegap.report.baseline import Baseline, Known, WrongCluster
from kubegap.report.ids import finding_id
from kubegap.text import Text


class Status(StrEnum):
    """What a finding is to someone who knew the baseline."""

    NEW = "new"
    KNOWN = "known"
    WORSENED = "worsened"
    ACCEPTED = "accepted"
    EXPIRED = "expired"

    @property
    def counts(self) -> bool:
        """Whether it counts for exit codes."""
        return self not in {Status.KNOWN, Status.ACCEPTED}


class Standing(Struct, frozen=True):
    """The status of one finding, the acceptance behind it, and how bad a worsened one was before."""

    status: Status
    acceptance: Acceptance | None = None
    was: Severity | None = None


class Verdict(Struct, frozen=True):
    """How the findings of a report stand, by id; a finding without an entry was compared with nothing.

    `gone` are findings of the baseline that are no more, `unconfirmed` those that nobody could look for this time: their
    check was not, or not fully, seen, or not chosen, their kind not read whole, or their namespace left out. `notes` are
    what could not be judged.
    """

    standings: Mapping[str, Standing] = {}
    gone: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    has_baseline: bool = False

    @property
    def is_compared(self) -> bool:
        """Whether any finding was held against a baseline or an acceptance."""
        return self.has_baseline or bool(self.standings)

    def of(self, identity: str) -> Standing | None:
        """How one finding stands."""
        return self.standings.get(identity)

    def count(self, status: Status) -> int:
        """The number of findings of a status."""
        return sum(standing.status is status for standing in self.standings.values())


NOTHING_COMPARED = Verdict()


def judge(report: Report, baseline: Baseline | None = None, checks: Collection[str] = ()) -> Verdict:
    """Compare with a baseline, if there is one, and with what owners accepted; raises `WrongCluster` if it is of another.

    `checks` are the ids of all checks, chosen or not, so that annotations that name none of them can be told.
    """
    if baseline and baseline.cluster != report.snapshot.uid:
        raise WrongCluster.between(baseline.cluster, report.snapshot.uid)
    accepted, notes = acceptances(report.snapshot, checks)
    known = {entry.id: entry for entry in baseline.findings} if baseline else None
    today = _today(report)
    owned = [entry.accepted for entry in (known or {}).values() if entry.accepted]
    standings: dict[str, Standing] = {}
    for result in report.results:
        for finding in result.findings:
            identity = finding_id(result.page.id, finding)
            standing = _standing(finding, accepted.get(identity), known, identity, today)
            if standing:
                standings[identity] = standing
    if today is None and (owned or accepted):
        notes = [*notes, _NO_TIME]
    if baseline and (doubtful := _doubtful(standings, baseline)):
        notes = [*notes, _UNSEEN_BEFORE.fill(checks=", ".join(doubtful))]
    gone, unconfirmed = _missing(report, known or {})
    return Verdict(standings, tuple(gone), tuple(unconfirmed), tuple(notes), known is not None)


def counted(report: Report, verdict: Verdict) -> Report:
    """The report with only the findings that count; how its checks ended stays as it is."""
    return structs.replace(report, results=tuple(_counted(result, verdict) for result in report.results))


def baseline_of(report: Report, verdict: Verdict = NOTHING_COMPARED, old: Baseline | None = None) -> Baseline:
    """What to compare with next time: all findings, what was accepted of them, and what nobody could look for."""
    entries = {entry.id: entry for entry in old.findings} if old else {}
    kept = {identity: entries[identity] for identity in verdict.unconfirmed if identity in entries}
    for result in report.results:
        for finding in result.findings:
            identity = finding_id(result.page.id, finding)
            before = entries.get(identity)
            accepted = before.accepted if before and not _is_worse(finding, before) else None
            kept[identity] = Known(identity, finding.severity, accepted)
    findings = [kept[identity] for identity in sorted(kept)]
    unseen = {result.page.id for result in report.results if not result.is_fully_seen}
    left = set(old.not_seen if old else ()) - {result.page.id for result in report.results}
    return Baseline("1", findings, report.snapshot.uid, report.snapshot.source.read_at, sorted(unseen | left))


def _standing(
    finding: Finding,
    owner: Acceptance | None,
    known: Mapping[str, Known] | None,
    identity: str,
    today: date | None,
) -> Standing | None:
    entry = known.get(identity) if known is not None else None
    is_worse = entry is not None and _is_worse(finding, entry)
    # Whoever accepted in the baseline accepted what it was then; on the object there is no then.
    acceptance = owner or (entry.accepted if entry and not is_worse else None)
    if acceptance and today:
        status = Status.EXPIRED if today > acceptance.until else Status.ACCEPTED
        return Standing(status, acceptance)
    if known is None:
        return None
    if entry is None:
        return Standing(Status.NEW)
    return Standing(Status.WORSENED, was=entry.severity) if is_worse else Standing(Status.KNOWN)


def _is_worse(finding: Finding, entry: Known) -> bool:
    """Whether it is more than what was known, and more than what was accepted."""
    return finding.severity.rank < entry.severity.rank


def _doubtful(standings: Mapping[str, Standing], baseline: Baseline) -> list[str]:
    """Checks with new findings that the baseline could not have known."""
    new = {identity.split("/", 1)[0] for identity, standing in standings.items() if standing.status is Status.NEW}
    return sorted(new & set(baseline.not_seen))


def _today(report: Report) -> date | None:
    time = report.snapshot.source.read_at
    return time.astimezone(UTC).date() if time else None


def _missing(report: Report, known: Mapping[str, Known]) -> tuple[list[str], list[str]]:
    """Entries of the baseline that were not found: those that are gone, and those that nobody could look for."""
    found = {finding_id(result.page.id, finding) for result in report.results for finding in result.findings}
    seen = {result.page.id: result.page for result in report.results if result.is_fully_seen}
    gone: list[str] = []
    unconfirmed: list[str] = []
    for identity in sorted(set(known) - found):
        check, kind, namespace, _name = identity.split("/", 3)
        is_chosen = check in seen and (not report.namespaces or namespace in report.namespaces)
        is_looked_for = is_chosen and _is_whole(report.snapshot, seen[check], kind)
        (gone if is_looked_for else unconfirmed).append(identity)
    return gone, unconfirmed


def _is_whole(snapshot: Snapshot, page: Page, kind: str) -> bool:
    """Whether all of a kind was read, as far as the check reads it; of a group a file may lack kinds without a word."""
    coverage = [snapshot.coverage_of(path) for path in page.paths]
    return all(part.is_complete for part in coverage if part.resource.kind == kind)


def _counted(result: Result, verdict: Verdict) -> Result:
    return structs.replace(result, findings=tuple(_counting(result, verdict)))


def _counting(result: Result, verdict: Verdict) -> Iterator[Finding]:
    for finding in result.findings:
        standing = verdict.of(finding_id(result.page.id, finding))
        if standing is None or standing.status.counts:
            yield finding


_NO_TIME = Text(
    ko="입력에 시각이 없어 수용의 기한을 따질 수 없으므로 수용한 발견도 센다. `--read-at` 으로 시각을 주세요.",
    en="The input tells no time, so no end date can be judged and accepted findings count as well; give `--read-at`.",
)
_UNSEEN_BEFORE = Text(
    ko="기준을 만들 때 다 보지 못한 점검 항목이 있다. 새롭다고 한 발견이 그때 이미 있었을 수 있다: {checks}.",
    en="Not fully seen when the baseline was made, so what is new in them may have been there before: {checks}.",
)
