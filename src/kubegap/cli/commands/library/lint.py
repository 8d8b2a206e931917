"""`kubegap library lint`: every problem of every record, term and page of a check."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from kubegap.checks import pages
from kubegap.checks.pages import Checks
from kubegap.cli import building, options
from kubegap.library import loading, rules
from kubegap.library.loading import Library
from kubegap.problems import Problem
from kubegap.text import Lang, Text

PROBLEMS = 1


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.roots_argument()
    @options.format_option(lang, "table", "json")
    @options.lang_option(lang)
    def lint(roots: tuple[Path, ...], form: str) -> int:
        library, checks = loading.load(roots), pages.load()
        problems = building.lint(library, checks)
        if form == "json":
            click.echo(
                msgspec.json.encode(
                    {
                        "problems": problems,
                        "incidents": len(library.incidents),
                        "checks": len(checks.documents),
                        "rules": list(rules.rules()),
                    }
                )
            )
        else:
            for problem in problems:
                click.echo(problem.sentence(lang))
            click.echo(_summary(library, checks, problems).of(lang), err=True)
        return PROBLEMS if problems else 0

    return lint


def _summary(library: Library, checks: Checks, problems: list[Problem]) -> Text:
    return _SUMMARY.fill(incidents=len(library.incidents), checks=len(checks.documents), problems=len(problems))


_HELP = Text(
    ko="기록과 분류 값, 점검 페이지의 문제를 모두 알려 준다. ROOT 는 라이브러리 폴더이고 기본값은 library 다.",
    en="Tell every problem of records, terms and pages of checks. ROOT is a library folder, by default `library`.",
)
_SUMMARY = Text(
    ko="읽은 기록 {incidents}건, 점검 {checks}개, 문제 {problems}개",
    en="{incidents} records and {checks} checks read, {problems} problem(s)",
)
