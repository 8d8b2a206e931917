"""`kubegap library stats`: what the library holds, in counts."""

from __future__ import annotations

import shutil

import click
import msgspec

from kubegap import terminal
from kubegap.cli import options
from kubegap.library.generation import library_directory, open_library
from kubegap.library.stats import Stats, count
from kubegap.library.vocabulary import FACET_NAMES
from kubegap.library.words import EXTENT, SECTION_NAMES, SOURCE_KIND
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.format_option(lang, "table", "json")
    @options.library_option(lang)
    @options.lang_option(lang)
    def stats(form: str, library: str | None) -> None:
        generation = open_library(library_directory(library))
        counted = count(generation.incidents(), generation.vocabulary)
        click.echo(msgspec.json.encode(counted) if form == "json" else _table(counted, lang))

    return stats


def _table(stats: Stats, lang: Lang) -> str:
    blocks = [
        (_YEARS, stats.years),
        (_ORGANISATIONS, stats.organisations),
        (_LANGUAGES, stats.source_languages),
        (_READ, {EXTENT[extent].of(lang): number for extent, number in stats.read.items()}),
        (SECTION_NAMES["sources"], {SOURCE_KIND[kind].of(lang): number for kind, number in stats.source_kinds.items()}),
        *((FACET_NAMES[facet], counts) for facet, counts in stats.terms.items()),
        *(
            (_UNUSED.fill(facet=FACET_NAMES[facet]), dict.fromkeys(terms, 0))
            for facet, terms in stats.unused.items()
            if terms
        ),
    ]
    return "\n\n".join(
        [_RECORDS.fill(count=stats.incidents).of(lang), *(_block(heading, counts, lang) for heading, counts in blocks)]
    )


def _block(heading: Text, counts: dict[str, int], lang: Lang) -> str:
    columns = shutil.get_terminal_size().columns
    return (
        heading.of(lang) + "\n" + terminal.table([[f"{number:>6,}", name] for name, number in counts.items()], columns)
    )


_HELP = Text(ko="라이브러리에 무엇이 얼마나 있는지 센다.", en="Count what the library holds.")
_RECORDS = Text(ko="사례 {count}건", en="{count} incidents")
_YEARS = Text(ko="연도", en="Years")
_ORGANISATIONS = Text(ko="조직", en="Organisations")
_LANGUAGES = Text(ko="출처의 언어", en="Languages of sources")
_READ = Text(ko="읽은 정도", en="How much was read")
_UNUSED = Text(ko="{facet}: 사례가 없는 값", en="{facet}: values without a case")
