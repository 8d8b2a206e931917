"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from kubegap.library.generation import Generation, library_directory, open_library
from kubegap.library.vocabulary import FACET_NAMES, FACETS, Facet
from kubegap.problems import KubegapError
from kubegap.text import LANGS, Lang, Text

F = TypeVar("F", bound=Callable[..., Any])


def library_option(lang: Lang) -> Callable[[F], F]:
    """`--library DIR`."""
    words = Text(ko="컴파일된 라이브러리가 있는 폴더", en="Directory of a compiled library")
    return click.option("--library", metavar="DIR", help=words.of(lang))


def roots_argument() -> Callable[[F], F]:
    """`[ROOT]...`, the folders of a library's files."""
    kind = click.Path(path_type=Path)
    return click.argument(
        "roots", nargs=-1, type=kind, metavar="[ROOT]...", callback=lambda _c, _p, given: given or (Path("library"),)
    )


def lang_option(lang: Lang) -> Callable[[F], F]:
    """`--lang ko|en`; the value was read before parsing (see `language.choose`)."""
    words = Text(ko="언어 (기본값: 로캘)", en="Language (default: from the locale)")
    return click.option("--lang", type=click.Choice(LANGS), expose_value=False, help=words.of(lang))


def format_option(lang: Lang, *formats: str) -> Callable[[F], F]:
    """`--format`, the first being the default."""
    words = Text(ko="출력 형식 (기본값: {first})", en="Output format (default: {first})").fill(first=formats[0])
    return click.option("--format", "form", type=click.Choice(formats), default=formats[0], help=words.of(lang))


def facet_options(lang: Lang) -> Callable[[F], F]:
    """`--component ID` and the like, each repeatable, completed from the vocabulary."""

    def decorate(command: F) -> F:
        for facet in reversed(FACETS):
            words = _FILTER.fill(facet=FACET_NAMES[facet])
            option = click.option(
                f"--{facet}",
                facet,
                multiple=True,
                metavar="ID",
                help=words.of(lang),
                shell_complete=_complete_term(facet),
            )
            command = option(command)
        return command

    return decorate


def complete_incident(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of incidents that begin so, with their titles."""
    if (generation := _open_quietly(ctx)) is None:
        return []
    begun = [incident for incident in generation.ids if incident.startswith(incomplete)]
    return [CompletionItem(incident, help=generation.incident(incident).title.en) for incident in begun]


def complete_check(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of checks that begin so, with their titles."""
    if (generation := _open_quietly(ctx)) is None:
        return []
    from kubegap.checks import pages  # noqa: PLC0415, most commands need no checks
    from kubegap.checks.pages import CHECKS  # noqa: PLC0415

    known = generation.decoded(CHECKS, pages.decode)
    return [CompletionItem(check, help=page.title.en) for check, page in known.items() if check.startswith(incomplete)]


def _complete_term(facet: Facet) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    def complete(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if (generation := _open_quietly(ctx)) is None:
            return []
        terms = generation.vocabulary[facet]
        return [CompletionItem(term, help=terms[term].label.en) for term in terms if term.startswith(incomplete)]

    return complete


def _open_quietly(ctx: click.Context) -> Generation | None:
    """The library for completion, which must not print trouble into a half-typed line."""
    try:
        return open_library(library_directory(ctx.params.get("library")))
    except KubegapError:
        return None


_FILTER = Text(ko="{facet} 값 (여러 번 줄 수 있다)", en="Value of the facet {facet} (may be repeated)")
