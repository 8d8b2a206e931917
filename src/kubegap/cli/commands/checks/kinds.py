"""`kubegap checks kinds`: what a dump has to hold so that every check can answer."""

from __future__ import annotations

import click

from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.cli import options
from kubegap.cluster.resources import RESOURCES
from kubegap.library.generation import library_directory, open_library
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.library_option(lang)
    @options.lang_option(lang)
    def kinds(library: str | None) -> None:
        known = open_library(library_directory(library)).decoded(CHECKS, pages.decode)
        found = {RESOURCES[path].resource for page in known.values() for path in page.paths}
        # No dump holds what the API server counts.
        for name in sorted(resource.qualified_name for resource in found if not resource.is_metric):
            click.echo(name)

    return kinds


_HELP = Text(
    ko="점검 항목이 읽는 종류를 `kubectl get` 이 받는 이름으로 한 줄씩 나열한다.",
    en="List the kinds that the checks read, a line each, by the names that `kubectl get` takes.",
)
