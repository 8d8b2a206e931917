"""The table: what a tired person sees first, in both languages, and nothing that a name could smuggle in."""

import pytest
from msgspec import structs

from kubegap.checks.model import Evidence, Message, Severity, State
from kubegap.checks.run import Cause
from kubegap.cluster.objects import Node, Pod
from kubegap.cluster.snapshot import Coverage, ReadState, Unread
from kubegap.report import gaps
from kubegap.report.formats import table
from kubegap.report.view import WIDTH, View
from kubegap.terminal import width as width_of
from kubegap.text import Text, same

REFUSED = Coverage(Pod.resource, 0, ReadState.REFUSED, same("may not"))

EN = """\
Dump · eks · kinds: 6, objects: 36 · as of 2026-11-29 04:11 UTC (the newest time in the objects)

CRITICAL
  webhook-fail-closed-wide (2 findings): A fail-closed webhook can block the system namespaces, the
"""
KO = """\
덤프 · eks · 6종류, 오브젝트 36개 · 2026-11-29 04:11 UTC 기준 (오브젝트에 적힌 가장 늦은 시각)

심각
  webhook-fail-closed-wide (발견 2건): 실패하면 막는 웹훅이 시스템 네임스페이스나 노드, 제 복구까지
"""


def render(report, titles, lang, width=WIDTH, *, is_verbose=False, colour=False):
    return table.render(View(report, lang, titles, width=width, is_verbose=is_verbose, has_colour=colour))


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
    lacking = structs.replace(report.results[0], missing=(REFUSED,), grant="get, list pods")

    text = render(structs.replace(report, results=(lacking, report.results[1])), {}, "en")

    assert "No gap found in what was seen. Checks not fully answered: 1." in text
    assert "2 checks: clear 1, not seen 1" in text
    assert "not seen: Pod: may not [check-0]" in text
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


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("width", [100, 120])
def test_fifteen_gaps_and_eight_other_checks_fit_on_a_screen(many_gaps, report_of, lang, width):
    others = report_of(*[(State.NOT_APPLICABLE, [], None)] * 4, *[(State.CLEAR, [], None)] * 4).results
    report = many_gaps(15, others)

    text = render(report, {}, lang, width)

    assert len(text.splitlines()) <= 30
    assert [result.page.id for result in report.results[:15] if f"{result.page.id} (" not in text] == []
    assert [worst_of(result) for result in report.results[:15] if worst_of(result) not in text] == []


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_every_check_with_a_gap_fits_on_a_screen_too(many_gaps, lang):
    report = many_gaps(26)
    # Of a large cluster there is more to count.
    first, *others = report.results
    many = structs.replace(first, findings=first.findings * 4_321)
    text = render(structs.replace(report, results=(many, *others)), {}, lang, 100)

    assert len(text.splitlines()) <= 30
    assert "4,321" in text
    assert [result.page.id for result in report.results if f"{result.page.id} (" not in text] == []
    assert [worst_of(result) for result in report.results if worst_of(result) not in text] == []


def worst_of(result):
    return result.findings[0].subject.shown


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("count", [4, 6, 7, 15, 40])
@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_table_of_many_gaps_is_not_wider_than_the_terminal(many_gaps, lang, count, width):
    lines = render(many_gaps(count), {}, lang, width).splitlines()

    assert max(width_of(line) for line in lines) <= width


def test_the_more_gaps_the_fewer_lines_each_has():
    lines = [1 + gaps.has_room(count) + gaps.incidents_told(count) / count for count in range(gaps.FULL_GAPS + 1, 60)]

    assert lines == sorted(lines, reverse=True)
    assert lines[0] == 3
    assert lines[-1] == 1


def test_a_table_of_many_says_how_much_there_is(many_gaps):
    report = many_gaps(15)
    findings = [finding for result in report.results for finding in result.findings]
    seen = sum(len(finding.evidence) for finding in findings)

    assert f"15 gaps, {len(findings)} findings, {seen} pieces of evidence" in render(report, {}, "en")


def test_verbose_cuts_nothing(many_gaps, report_of, finding_of):
    long = [finding_of(name=f"n{n}", evidence=(Evidence("Namespace/x", "a", f"{n}" + "z" * 500),)) for n in range(9)]
    for report in (many_gaps(15), report_of((State.FOUND, long, None))):
        text = "".join(render(report, {}, "en", is_verbose=True).split())

        for result in report.results:
            for finding in result.findings:
                assert finding.subject.shown in text
                assert [
                    seen.value for seen in finding.evidence if "".join((seen.value or "").split()) not in text
                ] == []
            assert [incident for incident in result.page.incidents if incident not in text] == []


def test_verbose_says_of_every_check_why_it_was_not_answered(report_of):
    report = report_of((State.NOT_APPLICABLE, [], None), (State.NOT_APPLICABLE, [], None))

    text = render(report, {}, "en", is_verbose=True)

    assert "check-0 (not applicable): why" in text
    assert "check-1 (not applicable): why" in text


def test_alike_findings_stand_together_and_their_names_on_request(report_of, finding_of):
    alike = [
        finding_of(name=f"shop-{n}", evidence=(Evidence(f"Namespace/shop-{n}", "a", f"shop-{n}"),)) for n in range(500)
    ]
    other = finding_of(name="z", evidence=(Evidence("Namespace/z", "a", "else"),))
    report = report_of((State.FOUND, [*alike, other], None))

    short = render(report, {}, "en")
    verbose = render(report, {}, "en", is_verbose=True)

    assert "(501 findings)" in short
    assert len(short.splitlines()) < 15
    assert "the same holds for 499 more: Namespace/shop-1," in verbose
    assert all(f"Namespace/shop-{n}" in verbose for n in range(500))
    assert "- a: else" in verbose


def test_each_reason_stands_once_with_its_checks_and_rights_are_merged(report_of):
    report = report_of(*[(State.NOT_SEEN, [], Cause.REFUSED)] * 6)
    node = structs.replace(REFUSED, resource=Node.resource)
    kinds = [(REFUSED,), (REFUSED, node), *[(node,)] * 4]
    results = tuple(
        structs.replace(result, missing=missing) for result, missing in zip(report.results, kinds, strict=True)
    )

    text = render(structs.replace(report, results=results), {}, "en")

    assert text.count("may not") == 1
    assert "not seen: Node, Pod: may not [check-0, check-1, check-2, check-3, and 2 more]" in text
    assert "needs: get, list nodes; get, list pods" in text


def test_what_a_provider_hides_is_told_once_for_all_who_asked(report_of):
    report = report_of((State.NOT_VISIBLE, [], None), (State.NOT_VISIBLE, [], None), (State.CLEAR, [], None))

    assert "not visible: why [check-0, check-1]" in render(report, {}, "en")


def test_a_fault_is_told_with_its_check(report_of):
    report = report_of((State.NOT_SEEN, [], Cause.FAILED), (State.NOT_SEEN, [], Cause.FAILED))
    other = structs.replace(report.results[1], reason=Text(ko="다른 까닭", en="another"))

    text = render(structs.replace(report, results=(report.results[0], other)), {}, "en")

    assert "not seen: why [check-0]" in text
    assert "not seen: another [check-1]" in text


def test_a_live_run_says_what_it_cost(many_gaps):
    head = render(many_gaps(1), {}, "en").splitlines()[0]

    assert head.startswith("Cluster · staging · ")
    assert head.endswith("0 requests, 0.0 MB, 0.0 s")
