"""`kubegap similar`: the incidents closest to a pasted log, or to an incident."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kubegap.cli import options
from kubegap.cli.commands.search import FORMS, NOTHING_FOUND, written
from kubegap.library.generation import library_directory, open_library
from kubegap.library.record import is_incident_id
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.library.search.similar import MAX_BYTES
from kubegap.problems import UnreadableFile
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("what", metavar="[FILE|-|ID]", default="-", shell_complete=options.complete_incident)
    @click.option("--limit", type=click.IntRange(1, 100), default=10, help=_LIMIT.of(lang))
    @options.format_option(lang, *FORMS)
    @options.library_option(lang)
    @options.lang_option(lang)
    def similar(what: str, limit: int, form: str, library: str | None) -> int:
        generation = open_library(library_directory(library))
        search = Search(generation)
        query = Query(page_size=limit)
        if is_incident_id(what) and not Path(what).exists():
            result = search.similar_to(what, query)
        else:
            text, is_cut = _read(what)
            if is_cut:
                click.echo(_CUT.fill(limit=f"{MAX_BYTES:,}").of(lang), err=True)
            result = search.similar(text, query)
        click.echo(written(result, generation, form, lang))
        return 0 if result.items else NOTHING_FOUND

    return similar


def _read(what: str) -> tuple[str, bool]:
    """The text, and whether it was longer than is looked at."""
    try:
        if what == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(what).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(_UNREADABLE.fill(path=what, reason=error.strerror)) from error
    return data[:MAX_BYTES].decode("utf-8", errors="replace"), len(data) > MAX_BYTES


_HELP = Text(
    ko="붙여 넣은 로그(파일이나 표준 입력)나 사례 ID 와 가장 비슷한 사례를 찾는다.",
    en="Find the incidents closest to a pasted log (a file or standard input) or to an incident's ID.",
)
_LIMIT = Text(ko="보일 사례 수 (기본값: 10)", en="How many cases to show (default: 10)")
_CUT = Text(ko="앞의 {limit} 바이트만 봤습니다.", en="Only the first {limit} bytes were looked at.")
_UNREADABLE = Text(ko="{path} 파일을 읽을 수 없습니다: {reason}.", en="Cannot read {path}: {reason}.")
