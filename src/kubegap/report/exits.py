"""The exit code of `kubegap check`."""

from collections.abc import Collection

from kubegap.checks.model import Severity, State
from kubegap.checks.run import Cause, Report

OK = 0
FOUND = 1
TROUBLE = 2
NOT_SEEN = 3

_HINDERED = {Cause.REFUSED, Cause.TIMED_OUT, Cause.HALF_READ}
_UNANSWERED = {State.NOT_SEEN, State.NOT_APPLICABLE, State.NOT_VISIBLE, State.NOT_IN_THIS_INPUT}


def exit_code(report: Report, fail_on: Severity = Severity.HIGH, selected: Collection[str] = ()) -> int:
    """2 when a check broke, 1 for a finding at or above `fail_on`, 3 when a check could not look, else 0.

    Info never counts. `selected` are the checks that `--select` names by id: they have to be answered, whatever the
    reason that they were not.
    """
    if any(result.cause is Cause.FAILED for result in report.results):
        return TROUBLE
    limit = min(fail_on.rank, Severity.LOW.rank)
    if any(finding.severity.rank <= limit for result in report.results for finding in result.findings):
        return FOUND
    if any(result.state is State.NOT_SEEN and result.cause in _HINDERED for result in report.results):
        return NOT_SEEN
    unanswered = {result.page.id for result in report.results if result.state in _UNANSWERED}
    return OK if unanswered.isdisjoint(selected) else NOT_SEEN
