"""Baselines and comparisons for `kubegap check`: the options, and the files behind them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import structs

from kubegap import terminal
from kubegap.checks import run
from kubegap.checks.page import Page
from kubegap.cli import live
from kubegap.cluster import files, saved
from kubegap.cluster.snapshot import Minor, Snapshot
from kubegap.library.search.query import BadQuery
from kubegap.problems import UnwritableFile
from kubegap.report import baseline as baselines
from kubegap.report.baseline import Baseline
from kubegap.report.standing import Verdict, baseline_of
from kubegap.text import Lang, Text

F = TypeVar("F", bound=Callable[..., Any])
_GZIP = b"\x1f\x8b"


def options(lang: Lang) -> Callable[[F], F]:
    """`--baseline FILE`, `--write-baseline FILE` and `--compare BEFORE AFTER`."""

    def decorate(command: F) -> F:
        command = click.option("--compare", nargs=2, metavar="BEFORE AFTER", help=_COMPARE.of(lang))(command)
        command = click.option("--write-baseline", metavar="FILE", help=_WRITE.of(lang))(command)
        return click.option("--baseline", metavar="FILE", help=_BASELINE.of(lang))(command)

    return decorate


def known(path: str | None, new: str | None, *, is_compared: bool) -> Baseline | None:
    """The baseline that was given, if any; read before the cluster is, so that nobody waits for a mistake in it.

    `new` is where one will be written: never over another than this, with whatever is accepted there.
    """
    if path is not None and is_compared:
        raise BadQuery(_ONE_BASELINE)
    old = baselines.read(Path(path)) if path is not None else None
    if new is not None and Path(new).exists() and not (path is not None and Path(path).samefile(new)):
        raise UnwritableFile(_EXISTS.fill(path=new), _KEEP.fill(path=new))
    return old


def load(path: str, read_at: datetime | None, lang: Lang) -> Snapshot:
    """A saved snapshot, or files of objects, by what the path holds."""
    return load_saved(path, read_at, lang) if _is_saved(Path(path)) else load_files([path], read_at)


def load_files(paths: Sequence[str], read_at: datetime | None) -> Snapshot:
    """Dumps and manifests, with progress on a terminal."""
    with live.progress() as show:
        return files.read(list(paths), sys.stdin.buffer, read_at, show)


def load_saved(path: str, read_at: datetime | None, lang: Lang) -> Snapshot:
    """What was saved, as of when it was saved unless told otherwise."""
    snapshot = saved.load(path)
    live.tell(snapshot, lang)
    return snapshot.as_of(read_at) if read_at else snapshot


def before(
    path: str, chosen: Iterable[Page], namespaces: Collection[str], lang: Lang, target: Minor | None = None
) -> Baseline:
    """What the same checks find in an earlier picture of the cluster, as a baseline."""
    snapshot = structs.replace(load(path, None, lang), target_version=target)
    return baseline_of(run.run(snapshot, chosen, namespaces))


def tell(verdict: Verdict, lang: Lang) -> None:
    """What could not be judged, on stderr."""
    for note in verdict.notes:
        click.echo(f"kubegap: {terminal.visible(note.of(lang))}", err=True)


def _is_saved(path: Path) -> bool:
    try:
        with path.open("rb") as opened:
            return opened.read(len(_GZIP)) == _GZIP
    except OSError:
        # Whoever reads it next tells why it cannot be read.
        return False


_BASELINE = Text(
    ko="이미 아는 발견의 기준 파일; 새로 생기거나 나빠지거나 수용 기한이 지난 것만 센다",
    en="Baseline of known findings: only new, worsened and expired ones count",
)
_WRITE = Text(
    ko="이번 발견을 기준 파일로 쓴다 (`--baseline` 에서 수용한 것은 이어진다)",
    en="Write the findings of this run as a baseline (what `--baseline` accepts stays accepted)",
)
_COMPARE = Text(
    ko="같은 클러스터의 두 시점을 견준다: 저장한 스냅샷이나 덤프 둘",
    en="Compare a cluster at two times: two saved snapshots or dumps",
)
_EXISTS = Text(
    ko="{path} 이 이미 있어, 그 안에 수용한 것을 잃지 않도록 덮어쓰지 않았습니다.",
    en="{path} exists, and is not written over, lest what is accepted in it be lost.",
)
_KEEP = Text(
    ko="이어서 쓰려면 `--baseline {path}` 도 주고, 새로 시작하려면 파일을 먼저 지우세요.",
    en="Give `--baseline {path}` as well to carry it on, or remove it first.",
)
_ONE_BASELINE = Text(
    ko="`--baseline` 과 `--compare` 는 함께 쓸 수 없습니다.", en="Use either `--baseline` or `--compare`."
)
