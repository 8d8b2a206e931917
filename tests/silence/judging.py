"""What counts as silence: no finding above `info`, and every check in a state that says it was seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kubegap.checks.model import Severity, State
from kubegap.checks.run import Report

SEEN = {State.FOUND, State.CLEAR, State.NOT_APPLICABLE, State.NOT_VISIBLE}


class Noise(NamedTuple):
    """A finding above `info`."""

    check: str
    subject: str
    sentence: str


def noises(report: Report) -> Iterator[Noise]:
    """Every finding above `info`."""
    for result in report.results:
        for finding in result.findings:
            if finding.severity is not Severity.INFO:
                said = result.page.sentence(finding).en
                yield Noise(result.page.id, finding.subject.path, f"{finding.severity}: {said}")


def unseen(report: Report) -> list[tuple[str, str, str]]:
    """The checks that did not end in a state that says they were seen."""
    return [
        (result.page.id, result.state, result.reason.en if result.reason else "")
        for result in report.results
        if result.state not in SEEN
    ]
