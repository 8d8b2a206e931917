"""What of the checks and of the cluster `kubegap check` is asked for; what fits nothing is a mistake, and no clean report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import click

from kubegap import terminal
from kubegap.checks import run
from kubegap.checks.page import Page
from kubegap.cluster.namespaces import names
from kubegap.cluster.objects import Namespace
from kubegap.cluster.snapshot import Origin, Snapshot
from kubegap.library.generation import Generation
from kubegap.library.search.query import BadQuery
from kubegap.library.vocabulary import tagged
from kubegap.problems import UnknownName, nearest
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


def confirm(namespaces: Iterable[str], snapshot: Snapshot, lang: Lang) -> None:
    """Raise `UnknownName` for a namespace that does not exist; where that cannot be seen, say so on stderr."""
    is_told = snapshot.has(Namespace) or snapshot.source.origin in {Origin.DUMP, Origin.MANIFESTS}
    for name in sorted(set(namespaces) - names(snapshot)):
        if is_told:
            raise UnknownName(_NO_NAMESPACE.fill(name=name), nearest(name, names(snapshot)))
        click.echo(f"kubegap: {terminal.visible(_UNSEEN_NAMESPACE.fill(name=name).of(lang))}", err=True)


def _incidents(generation: Generation, incidents: Sequence[str], components: Sequence[str]) -> list[str] | None:
    """The incidents whose checks are asked for; None for those of all."""
    if not incidents and not components:
        return None
    for incident in incidents:
        generation.incident(incident)
    for component in components:
        generation.vocabulary.term("component", component)
    return [*incidents, *(incident for incident in _carrying(generation, set(components)))]


def _carrying(generation: Generation, components: set[str]) -> Iterable[str]:
    for incident in generation.incidents() if components else ():
        carried = tagged(incident)["component"]
        if components & {above for term in carried for above in generation.vocabulary.with_broader("component", term)}:
            yield incident.id


_NONE_CITES = Text(
    ko="고른 점검 항목 가운데 {names} 의 사례를 근거로 둔 것이 없어 점검할 것이 없습니다. `kubegap checks list` 를 보세요.",
    en="There is nothing to check: no check that was chosen rests on the incidents of {names}. See `kubegap checks list`.",
)
_ALL_SKIPPED = Text(
    ko="고른 점검 항목을 `--skip` 이 모두 빼서 점검할 것이 없습니다.",
    en="There is nothing to check: `--skip` leaves out every check that was chosen.",
)
_NO_NAMESPACE = Text(
    ko="`{name}` 이라는 네임스페이스가 없습니다.", en="There is no namespace `{name}`, and nothing in it."
)
_UNSEEN_NAMESPACE = Text(
    ko="네임스페이스를 읽지 못해 `{name}` 이 있는지 알 수 없다.",
    en="Namespaces could not be read, so whether there is `{name}` is not known.",
)
