"""`kubegap show`: one incident, whole."""

from __future__ import annotations

import shutil

import click
import msgspec

from kubegap.cli import options
from kubegap.library import record_text
from kubegap.library.generation import library_directory, open_library
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("incident", metavar="ID", shell_complete=options.complete_incident)
    @options.format_option(lang, "table", "json", "markdown")
    @options.library_option(lang)
    @options.lang_option(lang)
    def show(incident: str, form: str, library: str | None) -> int:
        generation = open_library(library_directory(library))
        if incident not in generation.ids:
            click.echo(f"kubegap: {generation.unknown(incident).sentence(lang)}", err=True)
            return 1
        if form == "json":
            click.echo(msgspec.json.encode(generation.incident(incident)))
        else:
            sections = record_text.sections(generation, incident, lang)
            render = record_text.as_markdown if form == "markdown" else record_text.as_text
            click.echo(render(sections, shutil.get_terminal_size().columns))
        return 0

    return show


_HELP = Text(ko="사례 하나를 모두 보여 준다.", en="Show one incident, whole.")
