"""`kubegap checks list`: all checks, a line each."""

from __future__ import annotations

import shutil

import click
import msgspec

from kubegap import terminal
from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.cli import options
from kubegap.library.generation import library_directory, open_library
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.format_option(lang, "table", "json")
    @options.library_option(lang)
    @options.lang_option(lang)
    def listing(form: str, library: str | None) -> None:
        known = open_library(library_directory(library)).decoded(CHECKS, pages.decode)
        if form == "json":
            listed = [
                {"id": page.id, "area": page.area, "title": page.title, "incidents": page.incidents}
                for page in known.values()
            ]
            click.echo(msgspec.json.encode(listed))
        else:
            rows = [[page.id, page.area, page.title.of(lang)] for page in known.values()]
            click.echo(terminal.table(rows, shutil.get_terminal_size().columns))

    return listing


_HELP = Text(ko="점검 항목을 한 줄씩 나열한다.", en="List all checks, a line each.")
