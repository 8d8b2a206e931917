"""The table: what a tired person sees first, in both languages, and nothing that a name could smuggle in."""

import pytest
from msgspec import structs

from kubegap.checks.model import Evidence, Message, Severity, State
from kubegap.checks.run import Cause
from kubegap.cluster.snapshot import Unread
from kubegap.report.table import render
from kubegap.terminal import width as width_of

EN = """\
Dump · kinds: 6, objects: 36 · eks · as of 2026-11-29 04:11 UTC (the newest time in the objects)

CRITICAL
  webhook-fail-closed-wide (2 findings): A fail-closed webhook can block the system namespaces, the
"""
KO = """\
덤프 · 6종류, 오브젝트 36개 · eks · 2026-11-29 04:11 UTC 기준 (오브젝트에 적힌 가장 늦은 시각)

심각
  webhook-fail-closed-wide (발견 2건): 실패하면 막는 웹훅이 시스템 네임스페이스나 노드, 제 복구까지
"""


@pytest.mark.parametrize(("lang", "head"), [("en", EN), ("ko", KO)])
def test_the_sample_begins_with_the_worst(report, titles, lang, head):
    assert render(report, titles, lang).startswith(head)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        (
            "en",
            [
                "webhooks[0].failurePolicy: Fail",
                "also: ValidatingWebhookConfiguration/kyverno",
                "and 2 more",
                "1 check: found 1",
            ],
        ),
        (
            "ko",
            [
                "webhooks[0].failurePolicy: Fail",
                "같은 틈: ValidatingWebhookConfiguration/kyverno",
                "이 밖에 2건",
                "점검 항목 1개: 발견 1",
            ],
        ),
    ],
)
def test_evidence_the_other_findings_the_incident_and_the_next_step(report, titles, lang, words):
    text = " ".join(render(report, titles, lang).split())

    assert [word for word in words if word not in text] == []
    assert titles["2019-00-jetstack-webhook-blocks-master-upgrade"].of(lang) in text
    assert "`kubegap checks explain webhook-fail-closed-wide`" in text


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("width", [40, 60, 100, 500])
def test_no_line_is_wider_than_the_terminal(report, titles, lang, width):
    assert max(width_of(line) for line in render(report, titles, lang, width).splitlines()) <= min(width, 120)


def test_colours_only_when_asked_for(report, titles):
    assert "\x1b" not in render(report, titles, "en")
    assert "\x1b[1;31mCRITICAL\x1b[0m" in render(report, titles, "en", colour=True)


def test_names_of_the_cluster_can_neither_act_nor_hide(report_of, finding_of):
    nasty = "a\x1b[2Jb\u202ec\u200bd\u2066e\u3164f\ng"
    message = Message("down", {"backend": nasty})
    finding = finding_of(name=nasty, messages=(message,), evidence=(Evidence(nasty, nasty, nasty, nasty),))

    text = render(report_of((State.FOUND, [finding], None)), {}, "en", 120)

    assert "a\\u001b[2Jb\\u202ec\\u200bd\\u2066e\\u3164f\\u000ag" in text.replace("\n", "")
    assert not set("\x1b\u202e\u200b\u2066\u3164") & set(text)


def test_gaps_are_grouped_by_their_worst_finding(report_of, finding_of):
    low, both = [finding_of(Severity.LOW)], [finding_of(Severity.HIGH), finding_of(Severity.LOW, "y")]

    lines = render(report_of((State.FOUND, low, None), (State.FOUND, both, None)), {}, "en").splitlines()
    heads = [line.split(" (")[0].strip() for line in lines if line in {"HIGH", "LOW"} or line.startswith("  check")]

    assert heads[:4] == ["HIGH", "check-1", "LOW", "check-0"]


def test_many_findings_are_counted_and_not_listed(report_of, finding_of):
    findings = [finding_of(name=f"n{number}") for number in range(50)]

    text = render(report_of((State.FOUND, findings, None)), {}, "en")

    assert "(50 findings)" in text
    assert "and 46 more" in text
    assert len(text.splitlines()) < 20


def test_what_was_not_seen_stands_at_the_end_with_its_reason_and_the_right_it_needs(report_of):
    report = report_of((State.NOT_SEEN, [], Cause.REFUSED), (State.CLEAR, [], None))
    seen = structs.replace(report.results[0], grant="get, list pods")

    text = render(structs.replace(report, results=(seen, report.results[1])), {}, "en")

    assert "No gap found in what was seen. Checks without an answer: 1." in text
    assert "2 checks: clear 1, not seen 1" in text
    assert "check-0 (not seen): why" in text
    assert "needs: get, list pods" in text


def test_a_clean_run_says_so(report_of):
    text = render(report_of((State.CLEAR, [], None)), {}, "ko")

    assert "틈을 찾지 못했다." in text
    assert "본 범위에서는" not in text


def test_lost_pieces_of_the_input_are_named(report):
    snapshot = structs.replace(report.snapshot, unread=tuple(Unread(f"x:{n}", "broken") for n in range(9)))

    text = render(structs.replace(report, snapshot=snapshot), {}, "en")

    assert "Parts of the input that could not be read: 9" in text
    assert "x:0: broken" in text


def test_an_incident_that_the_library_lacks_is_still_cited(report):
    text = render(report, {}, "en")

    assert "not in this library (2019-00-jetstack-webhook-blocks-master-upgrade" in text


def test_a_field_that_is_not_set_and_a_long_one(report_of, finding_of):
    evidence = (Evidence("Namespace/x", "a", None, "b"), Evidence("Namespace/y", "c", "z" * 500))

    text = " ".join(render(report_of((State.FOUND, [finding_of(evidence=evidence)], None)), {}, "en").split())

    assert "- a: not set (better: b)" in text
    assert "- Namespace/y c: zzz" in text
    assert "(+340)" in text
