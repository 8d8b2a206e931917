"""The page about the library, with its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from kubegap.library.stats import Stats
from kubegap.library.words import EXTENT, SOURCE_KIND
from kubegap.text import Lang, Text
from kubegap.web.edition import Edition
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.views.results import Link
from kubegap.web.words import about as words
from kubegap.web.words.frame import language_name

K = TypeVar("K", bound=str)


class Chapter(Struct, frozen=True):
    """A heading and what it says."""

    title: str
    text: str


class Number(Struct, frozen=True):
    """A count of something."""

    label: str
    count: str


class Table(Struct, frozen=True):
    """Counts of one kind."""

    title: str
    rows: list[Number]


class AboutPage(Struct, frozen=True):
    """What the library is and holds."""

    frame: Frame
    chapters: list[Chapter]
    data: Chapter
    links: list[Link]
    numbers: list[Number]
    tables: list[Table]
    hash: str
    revision: str


def about_page(edition: Edition, around: Around) -> AboutPage:
    """The page about an edition."""
    addresses, manifest = around.addresses, edition.generation.manifest
    lang = addresses.lang
    return AboutPage(
        frame=frame(around, words.ABOUT_TITLE.of(lang), "/about", menu="about"),
        chapters=[Chapter(title.of(lang), text.of(lang)) for title, text in _CHAPTERS],
        data=Chapter(words.ABOUT_DATA.of(lang), words.ABOUT_DATA_TEXT.of(lang)),
        links=[
            Link(words.ABOUT_DOWNLOAD.of(lang), addresses.api("/library.zip")),
            Link(words.ABOUT_CHECKSUM.of(lang), addresses.api("/library")),
            Link(words.ABOUT_API.of(lang), addresses.api("/openapi.json")),
        ],
        numbers=_numbers(edition.stats, sum(manifest.terms.values()), lang),
        tables=_tables(edition.stats, lang),
        hash=manifest.hash,
        revision=manifest.revision,
    )


def _numbers(stats: Stats, terms: int, lang: Lang) -> list[Number]:
    found = [
        (words.NUMBER_CASES, stats.incidents),
        (words.NUMBER_WITHDRAWN, stats.withdrawn),
        (words.NUMBER_ORGANISATIONS, len(stats.organisations)),
        (words.NUMBER_SOURCES, sum(stats.source_kinds.values())),
        (words.NUMBER_YEARS, len(stats.years)),
        (words.NUMBER_TERMS, terms),
        (words.NUMBER_UNUSED, sum(len(unused) for unused in stats.unused.values())),
    ]
    return [Number(label.of(lang), f"{count:,}") for label, count in found]


def _tables(stats: Stats, lang: Lang) -> list[Table]:
    return [
        _table(words.BY_YEAR, {year: year for year in stats.years}, stats.years, lang),
        _table(
            words.BY_LANGUAGE,
            {code: language_name(code, lang) for code in stats.source_languages},
            stats.source_languages,
            lang,
        ),
        _table(
            words.BY_KIND, {kind: SOURCE_KIND[kind].of(lang) for kind in stats.source_kinds}, stats.source_kinds, lang
        ),
        _table(words.BY_EXTENT, {extent: EXTENT[extent].of(lang) for extent in stats.read}, stats.read, lang),
    ]


def _table(title: Text, names: Mapping[K, str], counts: Mapping[K, int], lang: Lang) -> Table:
    return Table(title.of(lang), [Number(name, f"{counts[key]:,}") for key, name in names.items()])


_CHAPTERS = (
    (words.ABOUT_WHAT, words.ABOUT_WHAT_TEXT),
    (words.ABOUT_HOW, words.ABOUT_HOW_TEXT),
    (words.ABOUT_SURE, words.ABOUT_SURE_TEXT),
    (words.ABOUT_CORRECTIONS, words.ABOUT_CORRECTIONS_TEXT),
    (words.ABOUT_PRIVACY, words.ABOUT_PRIVACY_TEXT),
)
