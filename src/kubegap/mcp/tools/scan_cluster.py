"""`scan_cluster`: run the checks on a live cluster."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Annotated

from mcp.server.mcpserver import Context as Call
from msgspec import Struct
from pydantic import Field

from kubegap.checks import run
from kubegap.cluster.progress import Progress
from kubegap.mcp import shapes
from kubegap.mcp.arguments import Context, Language
from kubegap.mcp.desk import Desk
from kubegap.mcp.paging import fits
from kubegap.mcp.scanning import Question
from kubegap.mcp.scans import Scan
from kubegap.mcp.shapes import Cluster, Gap, Unseen
from kubegap.mcp.untrusted import NOTICE
from kubegap.text import Lang, Text

TITLE = "Scan a cluster"
_WORST = 5
_UNSEEN_BYTES = 1_200


class Scanned(Struct, frozen=True):
    """A scan in short."""

    summary: str
    scan_id: str
    cluster: Cluster
    expires: str
    reused: bool
    findings: dict[str, int]
    gaps: int
    worst: list[Gap]
    checks: dict[str, int]
    not_seen: list[Unseen]
    more_not_seen: int
    notes: list[str]
    requests: int
    seconds: float
    data_notice: str


def make(desk: Desk) -> Callable[..., Awaitable[Scanned]]:
    """The function that answers."""

    async def scan_cluster(
        call: Call,
        context: Context = "",
        namespaces: list[str] = [],  # noqa: B006, the schema's default
        checks: list[str] = [],  # noqa: B006
        max_age_seconds: Annotated[int, Field(ge=0, le=86400)] = 300,
        lang: Language = "",
    ) -> Scanned:
        """Reads a cluster with GET requests only, runs the checks, and gives counts, the five worst gaps and what was not
        seen. `checks` takes check ids, areas or globs; `namespaces` limits the findings. A scan of the same question that is
        younger than `max_age_seconds` is reused. Evidence is in get_gap.
        """
        question = _question(desk, context, namespaces, checks)

        async def tell(progress: Progress) -> None:
            message = f"{progress.name} {progress.objects:,}"
            await call.report_progress(progress.seconds, message=message)

        scan, reused = await desk.scanner.scan(question, timedelta(seconds=max_age_seconds), tell)
        return scanned(desk, scan, desk.language(lang), reused=reused)

    return scan_cluster


def scanned(desk: Desk, scan: Scan, lang: Lang, *, reused: bool) -> Scanned:
    """A scan in short."""
    view = desk.view(scan, lang)
    gaps, unseen = view.gaps(), shapes.unseen(view)
    shown_unseen = fits(unseen, _UNSEEN_BYTES)
    counts = shapes.severities([entry for entry in view.entries() if entry.counts])
    cluster = shapes.cluster_of(scan)
    words = _SUMMARY.fill(
        gaps=len(gaps), counts=shapes.told(counts, lang), unseen=len(unseen), context=cluster.context or cluster.host
    )
    source = scan.report.snapshot.source
    return Scanned(
        summary=words.of(lang),
        scan_id=scan.id,
        cluster=cluster,
        expires=scan.expires.isoformat(timespec="seconds"),
        reused=reused,
        findings=counts,
        gaps=len(gaps),
        worst=[shapes.gap_of(page, entries, lang) for page, entries in gaps[:_WORST]],
        checks=shapes.states(scan.report),
        not_seen=shown_unseen,
        more_not_seen=len(unseen) - len(shown_unseen),
        notes=shapes.notes((*source.notes, *scan.verdict.notes), lang),
        requests=source.requests,
        seconds=round(source.seconds, 1),
        data_notice=NOTICE.of(lang),
    )


def _question(desk: Desk, context: str, namespaces: list[str], checks: list[str]) -> Question:
    choice = desk.target.choice(context)
    # A name that fits no check must be told before a cluster is read for it.
    run.choose(desk.shelf.pages, checks)
    return Question(
        choice.context if choice else "",
        desk.target.server(choice),
        tuple(sorted(set(namespaces))),
        tuple(sorted(set(checks))),
    )


_SUMMARY = Text(
    ko="틈 {gaps}개 ({counts}). 다 보지 못한 점검 항목 {unseen}개. 클러스터: {context}.",
    en="{gaps} gaps ({counts}); {unseen} checks not fully seen; cluster {context}.",
)
