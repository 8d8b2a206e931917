"""A live cluster for commands: the options that choose it, and reading it with progress on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

import click
from msgspec import Struct

from kubegap import terminal
from kubegap.checks.page import Page
from kubegap.cluster.progress import Progress
from kubegap.cluster.snapshot import Snapshot
from kubegap.problems import KubegapError
from kubegap.text import Lang, Text

F = TypeVar("F", bound=Callable[..., Any])
# Less often than this is enough for eyes.
_EVERY = 0.1


class TooManyContexts(KubegapError):
    """One run looks at one cluster."""


class Target(Struct, frozen=True):
    """Which cluster, and whether programs that the kubeconfig names may run."""

    contexts: tuple[str, ...] = ()
    kubeconfig: str | None = None
    no_exec: bool = False

    @property
    def is_given(self) -> bool:
        """Whether any option speaks of a live cluster."""
        return bool(self.contexts or self.kubeconfig or self.no_exec)


def options(lang: Lang) -> Callable[[F], F]:
    """`--context`, `--kubeconfig` and `--no-exec`."""

    def decorate(command: F) -> F:
        command = click.option("--no-exec", is_flag=True, help=_NO_EXEC.of(lang))(command)
        command = click.option("--kubeconfig", metavar="FILE", help=_KUBECONFIG.of(lang))(command)
        return click.option("--context", "contexts", multiple=True, metavar="NAME", help=_CONTEXT.of(lang))(command)

    return decorate


def kinds_of(pages: Iterable[Page]) -> set[str]:
    """The kinds that these checks read, and no others."""
    return {path for page in pages for path in page.paths}


def read(target: Target, kinds: Iterable[str], lang: Lang, read_at: datetime | None = None) -> Snapshot:
    """The cluster as it is now; what the reader should know beside the report is told on stderr."""
    # These take half a second to import, which runs over files need not spend.
    from kubegap.cluster.collect import collect  # noqa: PLC0415
    from kubegap.cluster.credentials import access  # noqa: PLC0415

    if len(target.contexts) > 1:
        raise TooManyContexts(_ONE_CONTEXT, _LOOP)
    context = target.contexts[0] if target.contexts else None
    reached = access(target.kubeconfig, context, os.environ, may_run=not target.no_exec)
    with progress() as show:
        snapshot = collect(reached, kinds, read_at=read_at, on_progress=show)
    tell(snapshot, lang)
    return snapshot


def tell(snapshot: Snapshot, lang: Lang) -> None:
    """The notes of a snapshot, on stderr."""
    for note in snapshot.source.notes:
        click.echo(f"kubegap: {terminal.visible(note.of(lang))}", err=True)


@contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """Shows how far reading is, on a terminal only, and leaves no trace of it."""
    line = _Line()
    try:
        yield line.show
    finally:
        line.clear()


class _Line:
    """One line on a terminal that is written over; nothing at all elsewhere."""

    def __init__(self) -> None:
        self._is_on = sys.stderr.isatty()
        self._next = 0.0
        self._is_dirty = False

    def show(self, progress: Progress) -> None:
        if self._is_on and time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY
            self._is_dirty = True
            words = f"{terminal.visible(progress.name)} {progress.objects:,} · {progress.total:,} · {progress.seconds:.1f} s"
            click.echo(f"\r\033[K{words}", err=True, nl=False)

    def clear(self) -> None:
        if self._is_dirty:
            click.echo("\r\033[K", err=True, nl=False)


_CONTEXT = Text(
    ko="kubeconfig 의 컨텍스트 (기본값: current-context)", en="Context of the kubeconfig (default: the current one)"
)
_KUBECONFIG = Text(
    ko="kubeconfig 파일 (기본값: KUBECONFIG, ~/.kube/config, 파드 안에서는 서비스 어카운트)",
    en="The kubeconfig (default: KUBECONFIG, ~/.kube/config, in a pod its service account)",
)
_NO_EXEC = Text(
    ko="kubeconfig 가 인증을 위해 실행하라는 프로그램을 실행하지 않는다",
    en="Do not run programs that the kubeconfig names to authenticate",
)
_ONE_CONTEXT = Text(ko="한 번에 컨텍스트 하나만 볼 수 있습니다.", en="One run looks at one context.")
_LOOP = Text(
    ko='여럿이면 차례로 실행하세요: for c in a b; do kubegap check --context "$c"; done',
    en='For several, run it for each: for c in a b; do kubegap check --context "$c"; done',
)
