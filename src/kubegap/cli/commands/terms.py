"""`kubegap terms`: the controlled vocabulary."""

from __future__ import annotations

import shutil
from collections import Counter

import click
import msgspec
from msgspec import Struct

from kubegap import terminal
from kubegap.cli import options
from kubegap.library.generation import Generation, library_directory, open_library
from kubegap.library.vocabulary import FACET_NAMES, FACETS, Facet, Synonyms, carried
from kubegap.text import Lang, Text

# From here on there is room for what a term means.
_WIDE = 140


class Listed(Struct, frozen=True):
    """A term as it is listed, with the number of cases that carry it or a narrower one."""

    facet: Facet
    id: str
    label: Text
    definition: Text
    synonyms: Synonyms
    broader: str | None
    count: int


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("facet", required=False, type=click.Choice(FACETS))
    @options.format_option(lang, "table", "json")
    @options.library_option(lang)
    @options.lang_option(lang)
    def terms(facet: Facet | None, form: str, library: str | None) -> None:
        listed = _listed(open_library(library_directory(library)), [facet] if facet else list(FACETS))
        click.echo(msgspec.json.encode(listed) if form == "json" else _table(listed, lang))

    return terms


def _listed(generation: Generation, facets: list[Facet]) -> list[Listed]:
    vocabulary = generation.vocabulary
    counts = {facet: Counter[str]() for facet in facets}
    for incident in generation.standing():
        for facet in facets:
            counts[facet].update(carried(incident, facet, vocabulary))
    return [
        Listed(facet, term, entry.label, entry.definition, entry.synonyms, entry.broader, counts[facet][term])
        for facet in facets
        for term, entry in vocabulary[facet].items()
    ]


def _table(listed: list[Listed], lang: Lang) -> str:
    columns = shutil.get_terminal_size().columns
    blocks = []
    for facet in dict.fromkeys(term.facet for term in listed):
        rows = [_row(term, lang, columns) for term in listed if term.facet == facet]
        blocks.append(f"{FACET_NAMES[facet].of(lang)}\n{terminal.table(rows, columns)}")
    return "\n\n".join(blocks)


def _row(term: Listed, lang: Lang, columns: int) -> list[str]:
    row = [f"{term.count:>5,}", term.id, term.label.of(lang)]
    return [*row, term.definition.of(lang)] if columns >= _WIDE else row


_HELP = Text(
    ko="분류 값을 뜻과 사례 수와 함께 나열한다. FACET 을 주면 그 분류 축만 보여 준다.",
    en="List the terms of the vocabulary with their meaning and number of cases, of one FACET or all.",
)
