"""`kubegap checks explain`: what a check looks for, why, and what it cannot see."""

from __future__ import annotations

import shutil

import click
import msgspec

from kubegap.checks import pages
from kubegap.checks.page_text import sections
from kubegap.checks.pages import CHECKS
from kubegap.cli import options
from kubegap.library.generation import library_directory, open_library
from kubegap.library.record_text import as_markdown, as_text
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("check", metavar="ID", shell_complete=options.complete_check)
    @options.format_option(lang, "table", "json", "markdown")
    @options.library_option(lang)
    @options.lang_option(lang)
    def explain(check: str, form: str, library: str | None) -> None:
        generation = open_library(library_directory(library))
        page = pages.page_of(check, generation.decoded(CHECKS, pages.decode))
        if form == "json":
            click.echo(msgspec.json.encode(page))
            return
        render = as_markdown if form == "markdown" else as_text
        parts = sections(page, lambda id_: f"{id_}: {generation.title_of(id_).of(lang)}", lang)
        click.echo(render(parts, shutil.get_terminal_size().columns))

    return explain


_HELP = Text(
    ko="점검 항목 하나가 무엇을 왜 찾고 무엇을 볼 수 없는지 설명한다.",
    en="Explain what a check looks for, why, and what it cannot see.",
)
