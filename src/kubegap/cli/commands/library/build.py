"""`kubegap library build`: compile the records into one generation and make it current."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from kubegap.cli import options
from kubegap.cli.building import build as build_library
from kubegap.library.generation import library_directory
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.roots_argument()
    @click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help=_OUT.of(lang))
    @click.option("--quiet", is_flag=True, help=_QUIET.of(lang))
    @options.format_option(lang, "table", "json")
    @options.lang_option(lang)
    def build(roots: tuple[Path, ...], out: Path | None, form: str, *, quiet: bool) -> None:
        target = out or library_directory()
        manifest = build_library(roots, target)
        if form == "json":
            click.echo(msgspec.json.encode(manifest))
        elif not quiet:
            click.echo(_BUILT.fill(out=target, incidents=manifest.incidents, hash=manifest.hash[:12]).of(lang))

    return build


_HELP = Text(
    ko="기록을 검사하고 컴파일해 한 번에 바꿔 넣는다. ROOT 는 라이브러리 폴더이고 기본값은 library 다.",
    en="Check the records, compile them and swap the result in. ROOT is a library folder, by default `library`.",
)
_OUT = Text(
    ko="컴파일한 라이브러리를 둘 폴더 (기본값: kubegap 이 찾는 곳)",
    en="Where the compiled library goes (default: where kubegap looks for it)",
)
_QUIET = Text(ko="잘되면 아무것도 쓰지 않는다", en="Say nothing when all is well")
_BUILT = Text(
    ko="{out} 에 사례 {incidents}건을 컴파일했습니다 ({hash}).",
    en="Compiled {incidents} incidents into {out} ({hash}).",
)
