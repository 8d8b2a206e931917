"""A check as sections of lines, from its page: for a terminal, as Markdown, and for `docs/checks/`."""

from __future__ import annotations

from collections.abc import Callable

from kubegap.checks.model import Severity
from kubegap.checks.page import Page, Read
from kubegap.library.record_text import Section
from kubegap.text import Lang, Text


def sections(page: Page, cited: Callable[[str], str], lang: Lang) -> list[Section]:
    """All of a check, the title first; `cited` gives what stands for an incident's id."""
    return [
        Section(page.title.of(lang), [f"{page.id} ({page.area})"]),
        Section(_LOOKS_FOR.of(lang), [page.looks_for.of(lang)]),
        Section(_WHY.of(lang), [page.why.of(lang)]),
        Section(_INCIDENTS.of(lang), [f"- {cited(incident)}" for incident in page.incidents]),
        Section(_SEVERITY.of(lang), _severities(page, lang)),
        Section(_REMEDIATION.of(lang), page.remediation.of(lang).splitlines()),
        Section(_VERIFY.of(lang), page.verify.of(lang).splitlines()),
        Section(_LIMITS.of(lang), [f"- {text.of(lang)}" for text in page.limits]),
        Section(_READS.of(lang), [f"- {_called(read)}: {read.why.of(lang)}" for read in page.reads]),
        Section(_CASES.of(lang), [f"- {case.tells.of(lang)} → {case.state.value}" for case in page.cases]),
    ]


def _severities(page: Page, lang: Lang) -> list[str]:
    return [
        f"- {severity.value}: {page.severities[severity].of(lang)}"
        for severity in Severity
        if severity in page.severities
    ]


def _called(read: Read) -> str:
    """The path of a kind, or the name of a group with its kinds."""
    if read.paths == (read.resource,):
        return read.resource
    return f"{read.resource} ({', '.join(read.paths)})"


_LOOKS_FOR = Text(ko="찾는 것", en="Looks for")
_WHY = Text(ko="왜", en="Why")
_INCIDENTS = Text(ko="근거가 된 사례", en="Incidents behind it")
_SEVERITY = Text(ko="심각도", en="Severity")
_REMEDIATION = Text(ko="바꿀 것", en="What to change")
_VERIFY = Text(ko="확인", en="How to verify")
_LIMITS = Text(ko="볼 수 없는 것", en="What it cannot see")
_READS = Text(ko="읽는 것", en="What it reads")
_CASES = Text(ko="예", en="Cases")
