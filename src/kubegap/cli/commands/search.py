"""`kubegap search`: find incidents by words and filters."""

from __future__ import annotations

import shutil

import click
import msgspec

from kubegap import terminal
from kubegap.cli import options
from kubegap.library.generation import Generation, library_directory, open_library
from kubegap.library.search.query import ORDERS, PAGE_SIZE, Order, Query
from kubegap.library.search.result import Item, Result
from kubegap.library.search.search import Search
from kubegap.library.vocabulary import FACET_NAMES, FACETS, Facet
from kubegap.text import Lang, Text

NOTHING_FOUND = 1
FORMS = ("table", "json", "ndjson", "csv", "markdown")
_SHOWN_VALUES = 5


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("words", metavar="[QUERY]", nargs=-1)
    @options.facet_options(lang)
    @click.option("--from", "from_", metavar="DATE", help=_FROM.of(lang))
    @click.option("--to", metavar="DATE", help=_TO.of(lang))
    @click.option("--order", type=click.Choice(ORDERS), help=_ORDER.of(lang))
    @click.option("--limit", type=click.IntRange(1, 1000), default=PAGE_SIZE, help=_LIMIT.of(lang))
    @click.option("--page", type=click.IntRange(1), default=1, help=_PAGE.of(lang))
    @options.format_option(lang, *FORMS)
    @options.library_option(lang)
    @options.lang_option(lang)
    def search(  # noqa: PLR0913, PLR0917, one parameter for each option
        words: tuple[str, ...],
        from_: str | None,
        to: str | None,
        order: Order | None,
        limit: int,
        page: int,
        form: str,
        library: str | None,
        **filters: tuple[str, ...],
    ) -> int:
        query = Query(
            q=" ".join(words),
            filters={facet: filters[facet] for facet in FACETS if filters[facet]},
            from_=from_,
            to=to,
            order=order,
            page=page,
            page_size=limit,
        )
        generation = open_library(library_directory(library))
        result = Search(generation).run(query)
        click.echo(written(result, generation, form, lang))
        return 0 if result.items else NOTHING_FOUND

    return search


def written(result: Result, generation: Generation, form: str, lang: Lang) -> str | bytes:
    """A result in one of `FORMS`."""
    if form == "json":
        return msgspec.json.encode(result)
    if form == "table":
        return as_table(result, lang, shutil.get_terminal_size().columns)
    from kubegap.library.search import formats  # noqa: PLC0415, only some forms need it

    match form:
        case "ndjson":
            return formats.to_ndjson(result.items).rstrip("\n")
        case "csv":
            return formats.to_csv(generation.incident(item.id) for item in result.items).rstrip("\r\n")
        case _:
            return formats.to_markdown(result, lang)


def as_table(result: Result, lang: Lang, columns: int) -> str:
    """The list as it is read in a terminal: the sentence, the cases, and what else could be asked."""
    parts = [
        "\n".join(terminal.wrap(result.sentence.of(lang), columns)),
        _count_line(result).of(lang),
        *(_case(item, lang, columns) for item in result.items),
        *_corrections(result, lang),
        *_recognised(result, lang),
        *_top_components(result, lang, columns),
        *_values(result, lang, columns),
    ]
    return "\n\n".join(part for part in parts if part)


def _count_line(result: Result) -> Text:
    if not result.items:
        return _NO_CASES.fill(total=f"{result.total:,}")
    first = (result.page - 1) * result.page_size + 1
    return _COUNT.fill(total=f"{result.total:,}", first=f"{first:,}", last=f"{first + len(result.items) - 1:,}")


def _case(item: Item, lang: Lang, columns: int) -> str:
    title = terminal.wrap(terminal.visible(item.title.of(lang)), columns)
    place = f"{item.id}  {item.happened.from_}  {item.organisation}"
    matched = ", ".join(dict.fromkeys(word for why in item.why for word in why.words))
    why = _MATCHED.fill(words=matched).of(lang) if matched else ""
    lines = [
        *title,
        *(f"  {line}" for text in (place, why) if text for line in terminal.wrap(terminal.visible(text), columns - 2)),
    ]
    return "\n".join(lines)


def _corrections(result: Result, lang: Lang) -> list[str]:
    return [_CORRECTION.fill(word=found.word, to=found.to, q=found.q).of(lang) for found in result.corrections]


def _recognised(result: Result, lang: Lang) -> list[str]:
    """The values found in the words, as the options that would apply them."""
    lines = [f"  --{found.facet} {found.id}  {found.label.of(lang)} ({found.count:,})" for found in result.recognised]
    return ["\n".join([_RECOMMENDED.of(lang), *lines])] if lines else []


def _top_components(result: Result, lang: Lang, columns: int) -> list[str]:
    if not result.top_components:
        return []
    named = ", ".join(f"{top.label.of(lang)} ({top.count:,})" for top in result.top_components)
    return ["\n".join(terminal.wrap(_TOP.fill(names=named).of(lang), columns))]


def _values(result: Result, lang: Lang, columns: int) -> list[str]:
    rows = [[FACET_NAMES[facet].of(lang), line] for facet in FACETS if (line := _value_line(result, facet, lang))]
    return [terminal.table(rows, columns)] if rows else []


def _value_line(result: Result, facet: Facet, lang: Lang) -> str:
    values = [
        f"{'✓ ' if value.selected else ''}{value.label.of(lang)} {value.count:,}" for value in result.facets[facet]
    ]
    more = [_MORE.fill(count=len(values) - _SHOWN_VALUES).of(lang)] if len(values) > _SHOWN_VALUES else []
    return " · ".join([*values[:_SHOWN_VALUES], *more])


_HELP = Text(
    ko="말과 필터로 사례를 찾는다. 한국어와 영어 어느 쪽으로 써도 두 언어의 기록을 함께 찾는다.",
    en="Find incidents by words and filters. Korean and English words both find records of both languages.",
)
_FROM = Text(
    ko="이때부터 일어난 사례 (2024, 2024-03, 2024-03-09)", en="Incidents from this date (2024, 2024-03, 2024-03-09)"
)
_TO = Text(ko="이때까지 일어난 사례", en="Incidents up to this date")
_ORDER = Text(
    ko="순서 (기본값: 검색어가 있으면 relevance, 없으면 newest)",
    en="Order (default: relevance with words, newest without)",
)
_LIMIT = Text(ko="한 쪽에 보일 사례 수 (기본값: 20)", en="Cases on a page (default: 20)")
_PAGE = Text(ko="몇째 쪽", en="Page")
_COUNT = Text(ko="사례 {total}건 ({first}~{last}번째)", en="{total} case(s), {first} to {last}")
_NO_CASES = Text(ko="사례 {total}건", en="{total} cases")
_MATCHED = Text(ko="맞은 말: {words}", en="matched: {words}")
_CORRECTION = Text(
    ko="“{word}” 대신 “{to}” 로 찾으려면: kubegap search '{q}'",
    en="To search for “{to}” instead of “{word}”: kubegap search '{q}'",
)
_RECOMMENDED = Text(ko="추천 필터", en="Recommended filters")
_TOP = Text(ko="이 사례들에 가장 많이 나오는 구성 요소: {names}", en="Most frequent components of these cases: {names}")
_MORE = Text(ko="외 {count}개", en="{count} more")
