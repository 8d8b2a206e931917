"""`kubegap checks explain`: what a check looks for, why, and what it cannot see."""

from __future__ import annotations

import shutil

import click
import msgspec

from kubegap.checks import pages
from kubegap.checks.model import Severity
from kubegap.checks.page import Page, Read
from kubegap.checks.pages import CHECKS
from kubegap.cli import options
from kubegap.cli.record_text import Section, as_markdown, as_text
from kubegap.library.generation import Generation, library_directory, open_library
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.argument("check", metavar="ID", shell_complete=options.complete_check)
    @options.format_option(lang, "table", "json", "markdown")
    @options.library_option(lang)
    @options.lang_option(lang)
    def explain(check: str, form: str, library: str | None) -> None:
        generation = open_library(library_directory(library))
        known = pages.decode(generation.file(CHECKS))
        if check not in known:
            raise pages.unknown(check, known, _NO_CHECK.fill(id=check))
        if form == "json":
            click.echo(msgspec.json.encode(known[check]))
            return
        render = as_markdown if form == "markdown" else as_text
        click.echo(render(_sections(known[check], generation, lang), shutil.get_terminal_size().columns))

    return explain


def _sections(page: Page, generation: Generation, lang: Lang) -> list[Section]:
    return [
        Section(page.title.of(lang), [f"{page.id} ({page.area})"]),
        Section(_LOOKS_FOR.of(lang), [page.looks_for.of(lang)]),
        Section(_WHY.of(lang), [page.why.of(lang)]),
        Section(
            _INCIDENTS.of(lang),
            [f"- {incident}: {generation.incident(incident).title.of(lang)}" for incident in page.incidents],
        ),
        Section(
            _SEVERITY.of(lang),
            [
                f"- {severity.value}: {page.severities[severity].of(lang)}"
                for severity in Severity
                if severity in page.severities
            ],
        ),
        Section(_REMEDIATION.of(lang), page.remediation.of(lang).splitlines()),
        Section(_VERIFY.of(lang), page.verify.of(lang).splitlines()),
        Section(_LIMITS.of(lang), [f"- {text.of(lang)}" for text in page.limits]),
        Section(_READS.of(lang), [f"- {_called(read)}: {read.why.of(lang)}" for read in page.reads]),
        Section(_CASES.of(lang), [f"- {case.tells.of(lang)} → {case.state.value}" for case in page.cases]),
    ]


def _called(read: Read) -> str:
    """The path of a kind, or the name of a group with its kinds."""
    if read.paths == (read.resource,):
        return read.resource
    return f"{read.resource} ({', '.join(read.paths)})"


_HELP = Text(
    ko="점검 항목 하나가 무엇을 왜 찾고 무엇을 볼 수 없는지 설명한다.",
    en="Explain what a check looks for, why, and what it cannot see.",
)
_NO_CHECK = Text(ko="`{id}` 라는 점검 항목이 없습니다.", en="there is no check `{id}`")
_LOOKS_FOR = Text(ko="찾는 것", en="Looks for")
_WHY = Text(ko="왜", en="Why")
_INCIDENTS = Text(ko="근거가 된 사례", en="Incidents behind it")
_SEVERITY = Text(ko="심각도", en="Severity")
_REMEDIATION = Text(ko="바꿀 것", en="What to change")
_VERIFY = Text(ko="확인", en="How to verify")
_LIMITS = Text(ko="볼 수 없는 것", en="What it cannot see")
_READS = Text(ko="읽는 것", en="What it reads")
_CASES = Text(ko="예", en="Cases")
