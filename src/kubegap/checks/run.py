"""Chooses checks, runs them over a snapshot, and accounts for every one of them in exactly one state.

For the faces: `run(snapshot, choose(pages, select=…, skip=…))` is a `Report`; `kubegap.report` shows it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase

from msgspec import Struct, structs

from kubegap.checks.model import Answer, Confidence, Finder, Finding, Severity, State
from kubegap.checks.page import Page, Read
from kubegap.checks.pages import finder, unknown
from kubegap.cluster.namespaces import names
from kubegap.cluster.objects import Namespace
from kubegap.cluster.resources import GROUP_NAMES, GROUPS, name_of, paths_of
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot
from kubegap.problems import UnknownName, nearest
from kubegap.text import Text, join, same


class Cause(StrEnum):
    """Why a check was not, or not fully, seen; exit codes tell these apart."""

    FAILED = "failed"
    REFUSED = "refused"
    TIMED_OUT = "timed-out"
    HALF_READ = "half-read"
    NOT_IN_THIS_INPUT = "not-in-this-input"


class Result(Struct, frozen=True):
    """One check after the run. `reason` says what was not seen; `missing` are the kinds; `grant` which rights would show them.

    `left_out` is the number of findings outside of the namespaces of the run.
    """

    page: Page
    state: State
    findings: tuple[Finding, ...] = ()
    cause: Cause | None = None
    reason: Text | None = None
    grant: str | None = None
    missing: tuple[Coverage, ...] = ()
    left_out: int = 0

    @property
    def is_fully_seen(self) -> bool:
        """Whether everything was read that the check needs, so that what it does not find is not there."""
        return self.cause is None and self.state in {State.FOUND, State.CLEAR, State.NOT_APPLICABLE}


class Report(Struct, frozen=True):
    """A snapshot and the result of every chosen check, in the order of ids; `namespaces` are those it is limited to, if any."""

    snapshot: Snapshot
    results: tuple[Result, ...]
    namespaces: frozenset[str] = frozenset()

    def coverage(self) -> list[Coverage]:
        """Every kind that the chosen checks read, once, in the order of their paths."""
        paths = {path for result in self.results for path in result.page.paths}
        return [self.snapshot.coverage_of(path) for path in sorted(paths)]


def choose(
    pages: Mapping[str, Page],
    select: Sequence[str] = (),
    skip: Sequence[str] = (),
    incidents: Collection[str] | None = None,
) -> list[Page]:
    """The pages that `--select` (all, if empty) names and `--skip` does not; each an id, an area or a glob over ids.

    `incidents` keeps only checks that cite one of them. Raises `KubegapError` for a name that fits no check.
    """
    chosen = {check for name in select for check in _fitting(pages, name)} if select else set(pages)
    chosen -= {check for name in skip for check in _fitting(pages, name)}
    if incidents is not None:
        chosen = {check for check in chosen if not set(pages[check].incidents).isdisjoint(incidents)}
    return [pages[check] for check in sorted(chosen)]


def run(
    snapshot: Snapshot,
    pages: Iterable[Page],
    namespaces: Collection[str] = (),
    find: Callable[[Page], Finder] = finder,
) -> Report:
    """Run every check; one that raises is not seen, and the others still run.

    `namespaces` keeps findings whose subject lies in one of them; a check that found others is no more clear for that.
    `find` gives the code of a page.
    """
    limits = frozenset(namespaces)
    results = (_run_one(snapshot, page, limits, find) for page in pages)
    return Report(snapshot, tuple(results), limits)


def doubtful(namespaces: Collection[str], snapshot: Snapshot) -> list[Text]:
    """Notes on namespaces that may not exist, where that cannot be seen; raises `UnknownName` for those that do not."""
    is_told = snapshot.has(Namespace) or snapshot.source.origin in {Origin.DUMP, Origin.MANIFESTS}
    unknown_ones = sorted(set(namespaces) - names(snapshot))
    if is_told and unknown_ones:
        raise UnknownName(_NO_NAMESPACE.fill(name=unknown_ones[0]), nearest(unknown_ones[0], names(snapshot)))
    return [_UNSEEN_NAMESPACE.fill(name=name) for name in unknown_ones]


def _fitting(pages: Mapping[str, Page], name: str) -> list[str]:
    area = name.replace("-", "_")
    found = [check for check, page in pages.items() if page.area == area or fnmatchcase(check, name)]
    if not found:
        areas = {page.area for page in pages.values()}
        raise unknown(name, [*pages, *areas], _NO_CHECK.fill(name=name))
    return found


def _run_one(snapshot: Snapshot, page: Page, namespaces: frozenset[str], find: Callable[[Page], Finder]) -> Result:
    try:
        told = list(find(page)(snapshot, **page.waits))
    # A check that breaks on an object nobody foresaw must not take the others with it.
    except Exception as error:  # noqa: BLE001
        return Result(page, State.NOT_SEEN, cause=Cause.FAILED, reason=_BROKE.fill(check=page.id, error=repr(error)))
    found = [_lawful(page, item) for item in told if isinstance(item, Finding)]
    findings = tuple(sorted(found, key=lambda finding: (finding.severity.rank, finding.subject.path)))
    result = _account(snapshot, page, findings, next((item for item in told if isinstance(item, Answer)), None))
    return _limited(result, namespaces) if namespaces else result


def _limited(result: Result, namespaces: frozenset[str]) -> Result:
    """With the findings of some namespaces only, and how many there are elsewhere."""
    kept = tuple(finding for finding in result.findings if finding.subject.namespace in namespaces)
    left_out = len(result.findings) - len(kept)
    if not left_out:
        return result
    told = _LEFT_OUT.fill(count=f"{left_out:,}")
    reason = join([told, result.reason], ko=" ", en=" ") if result.reason else told
    return structs.replace(result, findings=kept, left_out=left_out, reason=reason)


def _lawful(page: Page, finding: Finding) -> Finding:
    """No finding above info without an incident, none above medium on a pattern alone."""
    limit = Severity.MEDIUM if finding.confidence is Confidence.HEURISTIC else Severity.CRITICAL
    limit = limit if page.incidents else Severity.INFO
    return structs.replace(finding, severity=max(finding.severity, limit, key=lambda severity: severity.rank))


def _account(snapshot: Snapshot, page: Page, findings: tuple[Finding, ...], answer: Answer | None) -> Result:
    missing = list(dict.fromkeys(part for read in page.reads for part in _missing(snapshot, read)))
    if missing:
        return _unseen(snapshot, page, findings, missing)
    if findings:
        return Result(page, State.FOUND, findings)
    if answer:
        return Result(page, answer.state, reason=page.filled(answer.message))
    exists = any(snapshot.objects.get(path) for name in page.subjects for path in paths_of(name))
    if exists:
        return Result(page, State.CLEAR)
    kinds = join([_called(snapshot, name) for name in page.subjects], ko=", ", en=", ")
    return Result(page, State.NOT_APPLICABLE, reason=_NO_SUBJECT.fill(kinds=kinds))


def _called(snapshot: Snapshot, name: str) -> Text:
    """A group by its name, a kind as the API calls it."""
    return GROUP_NAMES.get(name) or same(name_of(snapshot.coverage_of(name).resource))


def _missing(snapshot: Snapshot, read: Read) -> list[Coverage]:
    """What was read of a kind or group, where that is not enough to call anything clear."""
    parts = [snapshot.coverage_of(path) for path in read.paths]
    absent = [part for part in parts if part.state is ReadState.NOT_IN_THIS_INPUT]
    # A file with one kind of a group may well lack the others: kubectl cannot list what a cluster does not have.
    is_spared = read.optional or len(absent) < len(parts)
    return [part for part in parts if not part.is_complete and not (is_spared and part in absent)]


def _unseen(snapshot: Snapshot, page: Page, findings: tuple[Finding, ...], missing: list[Coverage]) -> Result:
    """Kinds are missing: findings stand all the same, but nothing is called clear."""
    states = {part.state for part in missing}
    cause = next(cause for cause in Cause if cause.value in states)
    state = State.NOT_SEEN
    if snapshot.source.origin is Origin.MANIFESTS and cause is Cause.NOT_IN_THIS_INPUT:
        state = State.FOUND if findings else State.NOT_IN_THIS_INPUT
    reason = why_missing(snapshot, cause, missing)
    return Result(page, state, findings, cause, reason, grant_for(missing), tuple(missing))


def grant_for(missing: Iterable[Coverage]) -> str | None:
    """The rights that would show the kinds among these that were refused."""
    return "; ".join(part.resource.grant for part in missing if part.state is ReadState.REFUSED) or None


def why_missing(snapshot: Snapshot, cause: Cause, missing: Iterable[Coverage]) -> Text:
    """Why kinds were not read, each reason once with all its kinds; of manifests nobody expects them all."""
    if snapshot.source.origin is Origin.MANIFESTS and cause is Cause.NOT_IN_THIS_INPUT:
        return _MANIFESTS.fill(kinds=_together(missing))
    alike: dict[Text, list[Coverage]] = {}
    for part in missing:
        alike.setdefault(part.reason or _WHY[part.state], []).append(part)
    parts = [_PART.fill(kinds=_together(kinds), reason=reason) for reason, kinds in alike.items()]
    return join(parts, ko="; ", en="; ")


def _together(parts: Iterable[Coverage]) -> Text:
    """The names of kinds; a group that is missing whole by its own."""
    left = {part.resource.path: same(name_of(part.resource)) for part in parts}
    whole: list[Text] = []
    for group, paths in sorted(GROUPS.items(), key=lambda item: -len(item[1])):
        if left.keys() >= set(paths):
            whole.append(GROUP_NAMES[group])
            left = {path: name for path, name in left.items() if path not in paths}
    return join([*whole, *left.values()], ko=", ", en=", ")


_NO_CHECK = Text(ko="`{name}` 에 맞는 점검 항목이나 영역이 없습니다.", en="No check and no area fits `{name}`.")
_BROKE = Text(ko="{check} 점검 항목이 도중에 멈췄다: {error}", en="The check {check} broke while running: {error}")
_LEFT_OUT = Text(
    ko="고른 네임스페이스 밖의 발견 {count}건은 뺐다.",
    en="Findings outside of the chosen namespaces, left out: {count}.",
)
_NO_SUBJECT = Text(ko="이 클러스터에는 {kinds} 가 없다.", en="This cluster has no {kinds}.")
_MANIFESTS = Text(
    ko="매니페스트에는 {kinds} 가 없다. 이것이 있어야 답할 수 있는 부분은 보지 못했다.",
    en="The manifests hold no {kinds}; what depends on them was not judged.",
)
_PART = Text(ko="{kinds}: {reason}", en="{kinds}: {reason}")
_WHY = {
    ReadState.REFUSED: Text(ko="읽기가 거부됐다", en="reading was refused"),
    ReadState.TIMED_OUT: Text(ko="읽다가 시간이 초과됐다", en="reading timed out"),
    ReadState.HALF_READ: Text(ko="일부만 읽었다", en="read only in part"),
    ReadState.NOT_IN_THIS_INPUT: Text(
        ko="입력에 없다 (하나도 없거나, 덤프할 때 빠졌다)",
        en="not in this input (there is none, or the dump left it out)",
    ),
}
_NO_NAMESPACE = Text(
    ko="`{name}` 이라는 네임스페이스가 없습니다.", en="There is no namespace `{name}`, and nothing in it."
)
_UNSEEN_NAMESPACE = Text(
    ko="네임스페이스를 읽지 못해 `{name}` 이 있는지 알 수 없다.",
    en="Namespaces could not be read, so whether there is `{name}` is not known.",
)
