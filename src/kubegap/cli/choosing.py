"""What of the checks and of the cluster `kubegap check` is asked for; what fits nothing is a mistake, and no clean report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import click

from kubegap import terminal
from kubegap.checks import run
from kubegap.checks.page import Page
from kubegap.cluster.snapshot import Snapshot
from kubegap.library.generation import Generation
from kubegap.library.search.query import BadQuery
from kubegap.library.vocabulary import carries
from kubegap.text import Lang, Text


def checks(
    pages: Mapping[str, Page],
    generation: Generation,
    select: Sequence[str],
    skip: Sequence[str],
    incidents: Sequence[str],
    components: Sequence[str],
) -> list[Page]:
    """The pages of the checks that are asked for; raises `KubegapError` for names that fit nothing, and if none is left."""
    chosen = run.choose(pages, select, skip, _incidents(generation, incidents, components))
    if chosen:
        return chosen
    cited = ", ".join([*incidents, *components])
    raise BadQuery(_NONE_CITES.fill(names=cited) if cited else _ALL_SKIPPED)


def confirm(namespaces: Sequence[str], snapshot: Snapshot, lang: Lang) -> None:
    """Raise `UnknownName` for a namespace that does not exist; where that cannot be seen, say so on stderr."""
    for note in run.doubtful(namespaces, snapshot):
        click.echo(f"kubegap: {terminal.visible(note.of(lang))}", err=True)


def _incidents(generation: Generation, incidents: Sequence[str], components: Sequence[str]) -> list[str] | None:
    """The incidents whose checks are asked for; None for those of all."""
    if not incidents and not components:
        return None
    for incident in incidents:
        generation.incident(incident)
    for component in components:
        generation.vocabulary.term("component", component)
    return [*incidents, *_carrying(generation, components)]


def _carrying(generation: Generation, components: Sequence[str]) -> Iterable[str]:
    """The incidents of some components; without any, no record is read."""
    for incident in generation.standing() if components else ():
        if carries(incident, "component", components, generation.vocabulary):
            yield incident.id


_NONE_CITES = Text(
    ko="고른 점검 항목 가운데 {names} 의 사례를 근거로 둔 것이 없어 점검할 것이 없습니다. `kubegap checks list` 를 보세요.",
    en="There is nothing to check: no check that was chosen rests on the incidents of {names}. See `kubegap checks list`.",
)
_ALL_SKIPPED = Text(
    ko="고른 점검 항목을 `--skip` 이 모두 빼서 점검할 것이 없습니다.",
    en="There is nothing to check: `--skip` leaves out every check that was chosen.",
)
