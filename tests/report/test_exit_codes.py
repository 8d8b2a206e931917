"""Exit codes as DESIGN section 6 has them."""

import pytest

from kubegap.checks.model import Severity, State
from kubegap.checks.run import Cause
from kubegap.report import exit_code

INPUT = Cause.NOT_IN_THIS_INPUT


@pytest.mark.parametrize(
    ("severity", "fail_on", "code"),
    [
        (Severity.CRITICAL, Severity.HIGH, 1),
        (Severity.HIGH, Severity.HIGH, 1),
        (Severity.MEDIUM, Severity.HIGH, 0),
        (Severity.HIGH, Severity.CRITICAL, 0),
        (Severity.LOW, Severity.LOW, 1),
        (Severity.INFO, Severity.LOW, 0),
        (Severity.INFO, Severity.INFO, 0),
    ],
)
def test_findings_count_from_the_limit_on(report_of, finding_of, severity, fail_on, code):
    report = report_of((State.FOUND, [finding_of(severity)], None))

    assert exit_code(report, fail_on) == code


@pytest.mark.parametrize(
    ("state", "cause", "code", "code_if_named"),
    [
        (State.CLEAR, None, 0, 0),
        (State.FOUND, None, 0, 0),
        (State.NOT_SEEN, Cause.REFUSED, 3, 3),
        (State.NOT_SEEN, Cause.TIMED_OUT, 3, 3),
        (State.NOT_SEEN, Cause.HALF_READ, 3, 3),
        (State.NOT_SEEN, Cause.FAILED, 2, 2),
        (State.NOT_SEEN, INPUT, 0, 3),
        (State.NOT_IN_THIS_INPUT, INPUT, 0, 3),
        (State.NOT_APPLICABLE, None, 0, 3),
        (State.NOT_VISIBLE, None, 0, 3),
    ],
)
def test_states(report_of, state, cause, code, code_if_named):
    report = report_of((state, [], cause))

    assert exit_code(report) == code
    assert exit_code(report, selected=["check-0"]) == code_if_named
    assert exit_code(report, selected=["another-check"]) == code


def test_a_finding_outweighs_what_was_not_seen(report_of, finding_of):
    report = report_of((State.NOT_SEEN, [finding_of()], Cause.REFUSED))

    assert exit_code(report) == 1


def test_a_broken_check_outweighs_a_finding(report_of, finding_of):
    report = report_of((State.FOUND, [finding_of()], None), (State.NOT_SEEN, [], Cause.FAILED))

    assert exit_code(report) == 2
