"""`get_cluster_status`: which cluster would be read, whether it answers, and what is at hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct

from kubegap.cluster.kubeconfig import NoContext
from kubegap.cluster.resources import name_of
from kubegap.cluster.snapshot import Coverage
from kubegap.mcp import shapes
from kubegap.mcp.arguments import Context, Language
from kubegap.mcp.desk import Desk
from kubegap.mcp.paging import fits
from kubegap.mcp.scans import Scan
from kubegap.mcp.shapes import Cluster
from kubegap.mcp.target import remedy
from kubegap.mcp.untrusted import NOTICE, host_of, shown
from kubegap.problems import KubegapError
from kubegap.text import Lang, Text

TITLE = "Get cluster status"
_UNREAD_BYTES = 600


class Library(Struct, frozen=True):
    """What the answers rest on."""

    incidents: int
    checks: int
    edition: str


class Unread(Struct, frozen=True):
    """A kind that the newest scan could not read, and why."""

    kind: str
    state: str
    reason: str


class LastScan(Struct, frozen=True):
    """The newest scan that is kept, and what it could not read."""

    scan_id: str
    age_seconds: int
    cluster: Cluster
    kinds_read: int
    unread: list[Unread]
    more_unread: int


class Status(Struct, frozen=True):
    """Which cluster, how it was chosen, whether it answers; the library; the newest scan."""

    summary: str
    kubeconfig: str
    context: str
    chosen_by: str
    other_contexts: int
    host: str
    reachable: bool
    version: str
    problem: str
    library: Library
    last_scan: LastScan | None
    notes: list[str]
    data_notice: str


class _Way(Struct, frozen=True):
    """The way to a cluster as far as it was found."""

    kubeconfig: str = ""
    context: str = ""
    chosen_by: str = ""
    others: int = 0
    host: str = ""
    version: str = ""
    problem: str = ""


def make(desk: Desk) -> Callable[..., Status]:
    """The function that answers."""

    def get_cluster_status(context: Context = "", lang: Language = "") -> Status:
        """Which kubeconfig, context and API host a scan would read, how they were chosen, whether the API server answers,
        which kinds the newest scan could not read, and how many incidents and checks the library has. Lists no objects.
        """
        language = desk.language(lang)
        way = _way(desk, context, language)
        scan = desk.scans.newest()
        words = _UNREACHED if way.problem else _REACHED
        where = way.context or way.host
        return Status(
            summary=words.fill(where=where, version=way.version).of(language),
            kubeconfig=way.kubeconfig,
            context=way.context,
            chosen_by=way.chosen_by,
            other_contexts=way.others,
            host=way.host,
            reachable=not way.problem,
            version=way.version,
            problem=way.problem,
            library=_library(desk),
            last_scan=_last_scan(scan, language) if scan else None,
            notes=shapes.notes(desk.scans.notes(), language),
            data_notice=NOTICE.of(language),
        )

    return get_cluster_status


def _way(desk: Desk, context: str, lang: Lang) -> _Way:
    """The way to the cluster; what is in the way is told, since the library answers without one.

    Only a context that was asked for and does not exist is refused: nothing that could be told would be about it.
    """
    target = desk.target
    files = target.kubeconfig or target.environment.get("KUBECONFIG") or "~/.kube/config"
    way = _Way(kubeconfig=shown(files, 200))
    try:
        choice = target.choice(context)
        others = len(target.contexts()) - 1
        by = "argument" if context else "option" if target.context else "current-context"
        if choice is None:
            way = _Way(chosen_by="service-account")
        else:
            host = host_of(target.server(choice))
            way = _Way(way.kubeconfig, shown(choice.context), by, max(0, others), host)
        snapshot = target.greet(context)
    except KubegapError as error:
        if context and isinstance(error, NoContext):
            raise
        problem = remedy(error, target.environment).sentence(lang)
        return _Way(way.kubeconfig, way.context, way.chosen_by, way.others, way.host, "", shown(problem, 900))
    found = shapes.cluster_in(snapshot)
    return _Way(way.kubeconfig, way.context, way.chosen_by, way.others, found.host, found.version)


def _library(desk: Desk) -> Library:
    manifest = desk.shelf.generation.manifest
    return Library(manifest.incidents, len(desk.shelf.pages), manifest.hash[:12])


def _last_scan(scan: Scan, lang: Lang) -> LastScan:
    kinds = scan.report.coverage()
    unread = [_unread(part, lang) for part in kinds if not part.is_complete]
    few = fits(unread, _UNREAD_BYTES)
    return LastScan(
        scan.id,
        int((datetime.now(UTC) - scan.made).total_seconds()),
        shapes.cluster_of(scan),
        sum(part.is_complete for part in kinds),
        few,
        len(unread) - len(few),
    )


def _unread(part: Coverage, lang: Lang) -> Unread:
    return Unread(name_of(part.resource), part.state.value, shown(part.reason.of(lang)) if part.reason else "")


_REACHED = Text(ko="{where} 의 API 서버가 답한다 ({version}).", en="The API server of {where} answers ({version}).")
_UNREACHED = Text(ko="클러스터를 볼 수 없다. 까닭은 problem 에 있다.", en="No cluster can be read; problem says why.")
