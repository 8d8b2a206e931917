"""`kubegap snapshot save`: what the checks read of a live cluster, in one file."""

from __future__ import annotations

from pathlib import Path

import click

from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.cli import live, options
from kubegap.cluster import saved
from kubegap.cluster.resources import name_of
from kubegap.library.generation import library_directory, open_library
from kubegap.text import Lang, Text, counted

NOT_ALL_READ = 3


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("path", metavar="PATH", type=click.Path(path_type=Path, dir_okay=False))
    @live.options(lang)
    @options.library_option(lang)
    @options.lang_option(lang)
    def save(path: Path, contexts: tuple[str, ...], kubeconfig: str | None, no_exec: bool, library: str | None) -> int:  # noqa: FBT001
        known = open_library(library_directory(library)).decoded(CHECKS, pages.decode)
        target = live.Target(contexts, kubeconfig, no_exec)
        snapshot = live.read(target, live.kinds_of(known.values()), lang)
        saved.save(snapshot, path)
        objects = counted(sum(map(len, snapshot.objects.values())), one=_SAVED_ONE, many=_SAVED)
        click.echo(objects.fill(path=path, size=f"{path.stat().st_size:,}").of(lang), err=True)
        lost = [coverage for coverage in snapshot.coverage.values() if not coverage.is_complete]
        for coverage in lost:
            reason = coverage.reason.of(lang) if coverage.reason else coverage.state.value
            click.echo(_NOT_READ.fill(kind=name_of(coverage.resource), reason=reason).of(lang), err=True)
        return NOT_ALL_READ if lost else 0

    return save


_HELP = Text(
    ko="점검 항목이 클러스터에서 읽는 것을 파일 하나(PATH)로 저장한다. Secret 이나 환경 변수 값은 넣지 않는다."
    " 나중에 `kubegap check --snapshot PATH` 로 본다.",
    en="Save what the checks read of a cluster in one file (PATH), without Secrets or values of the environment."
    " Look at it later with `kubegap check --snapshot PATH`.",
)
_SAVED_ONE = Text(
    ko="오브젝트 {count}개를 {{path}} 에 저장했다 ({{size}} 바이트).",
    en="Saved {count} object to {{path}} ({{size}} bytes).",
)
_SAVED = Text(
    ko="오브젝트 {count}개를 {{path}} 에 저장했다 ({{size}} 바이트).",
    en="Saved {count} objects to {{path}} ({{size}} bytes).",
)
_NOT_READ = Text(ko="읽지 못함: {kind}: {reason}", en="not read: {kind}: {reason}")
