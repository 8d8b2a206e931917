"""`kubegap library lint`: every problem of every record and term."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from kubegap.cli import options
from kubegap.library import loading, rules
from kubegap.text import Lang, Text

PROBLEMS = 1


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.roots_argument()
    @options.format_option(lang, "table", "json")
    @options.lang_option(lang)
    def lint(roots: tuple[Path, ...], form: str) -> int:
        library = loading.load(roots)
        problems = rules.lint(library, datetime.now(UTC).date())
        if form == "json":
            click.echo(
                msgspec.json.encode(
                    {"problems": problems, "incidents": len(library.incidents), "rules": list(rules.rules())}
                )
            )
        else:
            for problem in problems:
                click.echo(problem.sentence(lang))
            click.echo(_SUMMARY.fill(incidents=len(library.incidents), problems=len(problems)).of(lang), err=True)
        return PROBLEMS if problems else 0

    return lint


_HELP = Text(
    ko="기록과 분류 값의 문제를 모두 알려 준다. ROOT 는 라이브러리 폴더이고 기본값은 library 다.",
    en="Tell every problem of records and terms. ROOT is a library folder, by default `library`.",
)
_SUMMARY = Text(ko="읽은 기록 {incidents}건, 문제 {problems}개", en="{incidents} records read, {problems} problem(s)")
