"""Baselines and acceptance: what counts, what is gone, what nobody could look for, and a file that people edit."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from kubegap.checks.model import Severity, State
from kubegap.checks.run import Cause
from kubegap.cluster.objects import Metadata, Namespace
from kubegap.cluster.snapshot import Coverage, ReadState
from kubegap.problems import BadFile, UnreadableFile
from kubegap.report import baseline as baselines
from kubegap.report import exit_code
from kubegap.report.acceptance import Acceptance, parse
from kubegap.report.baseline import Baseline, Known, WrongCluster
from kubegap.report.standing import Status, baseline_of, counted, judge

READ_AT = datetime(2026, 12, 1, 8, tzinfo=UTC)
GOOD = Acceptance("the owner moves in spring", date(2026, 12, 1))
OVER = Acceptance("the owner moved", date(2026, 11, 30))


@pytest.fixture
def seen(report_of):
    """A report as of a time, of a cluster with a UID, whose Namespace/x may carry an acceptance of check-0."""

    def make(*results, uid="u1", read_at=READ_AT, accept=None, state=ReadState.READ):
        report = report_of(*results)
        annotations = {"accept.kubegap.io/check-0": accept} if accept else None
        namespaces = (
            Namespace(metadata=Metadata(name="kube-system", uid=uid)),
            Namespace(metadata=Metadata(name="x", annotations=annotations)),
        )
        source = structs.replace(report.snapshot.source, read_at=read_at)
        snapshot = structs.replace(
            report.snapshot,
            source=source,
            objects={"v1/namespaces": namespaces},
            coverage={"v1/namespaces": Coverage(Namespace.resource, len(namespaces), state)},
        )
        return structs.replace(report, snapshot=snapshot)

    return make


def baseline(*entries, cluster="u1"):
    return Baseline("1", list(entries), cluster)


def known(name="x", severity=Severity.HIGH, accepted=None, check="check-0"):
    return Known(f"{check}/Namespace/-/{name}", severity, accepted)


def found(*findings):
    return State.FOUND, list(findings), None


@pytest.mark.parametrize(
    ("entries", "status", "code"),
    [
        ([], Status.NEW, 1),
        ([known()], Status.KNOWN, 0),
        ([known(severity=Severity.CRITICAL)], Status.KNOWN, 0),
        ([known(severity=Severity.MEDIUM)], Status.WORSENED, 1),
        ([known(accepted=GOOD)], Status.ACCEPTED, 0),
        ([known(accepted=OVER)], Status.EXPIRED, 1),
        ([known(severity=Severity.MEDIUM, accepted=GOOD)], Status.WORSENED, 1),
    ],
)
def test_only_new_worsened_and_expired_findings_count(seen, finding_of, entries, status, code):
    report = seen(found(finding_of()))
    verdict = judge(report, baseline(*entries))

    assert [standing.status for standing in verdict.standings.values()] == [status]
    assert exit_code(counted(report, verdict)) == code


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("moves in spring; until 2026-12-01", Status.ACCEPTED),
        ("moves in spring; until 2026-11-30", Status.EXPIRED),
        ("moves in spring", None),
        ("; until 2027-01-01", None),
        ("x; until 2027-02-30", None),
        ("x; until tomorrow", None),
    ],
)
def test_the_object_accepts_until_a_day_of_the_snapshot(seen, finding_of, words, status):
    report = seen(found(finding_of()), accept=words)
    verdict = judge(report)
    standing = verdict.of("check-0/Namespace/-/x")

    assert (standing.status if standing else None) == status
    assert exit_code(counted(report, verdict)) == (0 if status is Status.ACCEPTED else 1)
    assert bool(verdict.notes) == (status is None)


def test_an_annotation_that_names_no_check_is_told_with_the_nearest(seen, finding_of):
    report = seen(found(finding_of()), accept="x; until 2027-01-01")
    misspelt = judge(report, checks=["check-one", "replicas-colocated"])
    nothing_near = judge(report, checks=["replicas-colocated"])

    assert misspelt.standings == {}
    (note,) = misspelt.notes
    assert note.en.startswith(
        "The annotation accept.kubegap.io/check-0 of Namespace/x accepts nothing: there is no such"
    )
    assert note.en.endswith("; did you mean `check-one`?")
    assert nothing_near.notes[0].ko.endswith("맞는 점검 항목이 없어 아무것도 수용하지 않았다.")
    assert judge(report, checks=["check-0"]).count(Status.ACCEPTED) == 1


def test_an_acceptance_of_another_check_or_object_accepts_nothing(seen, finding_of):
    report = seen(found(), found(finding_of()), found(finding_of(name="y")), accept="x; until 2027-01-01")

    assert judge(report).standings == {}


def test_without_a_time_nothing_is_accepted_and_that_is_said(seen, finding_of):
    report = seen(found(finding_of()), read_at=None, accept="x; until 2999-01-01")
    verdict = judge(report)

    assert verdict.standings == {}
    assert "--read-at" in verdict.notes[0].en


@pytest.mark.parametrize(("ours", "theirs"), [("u1", "u2"), (None, "u2"), ("u1", None)])
def test_another_cluster_is_refused(seen, ours, theirs):
    with pytest.raises(WrongCluster) as caught:
        judge(seen(found(), uid=ours), baseline(cluster=theirs))

    assert caught.value.exit_code == 2
    assert "\n" not in caught.value.sentence("en")


def test_files_without_a_cluster_have_baselines_too(seen, finding_of):
    verdict = judge(seen(found(finding_of()), uid=None), baseline(known(), cluster=None))

    assert verdict.count(Status.KNOWN) == 1


@pytest.mark.parametrize(
    ("state", "cause", "is_gone"),
    [
        (State.CLEAR, None, True),
        (State.FOUND, None, True),
        (State.NOT_APPLICABLE, None, True),
        (State.NOT_SEEN, Cause.REFUSED, False),
        (State.NOT_SEEN, Cause.FAILED, False),
        (State.FOUND, Cause.NOT_IN_THIS_INPUT, False),
        (State.NOT_VISIBLE, None, False),
        (State.NOT_IN_THIS_INPUT, Cause.NOT_IN_THIS_INPUT, False),
    ],
)
def test_gone_only_if_the_check_was_fully_seen(seen, state, cause, is_gone):
    verdict = judge(seen((state, [], cause)), baseline(known()))

    assert verdict.gone == (("check-0/Namespace/-/x",) if is_gone else ())
    assert verdict.unconfirmed == (() if is_gone else ("check-0/Namespace/-/x",))


@pytest.mark.parametrize("state", ReadState)
def test_gone_only_if_its_kind_was_read_whole(seen, state):
    verdict = judge(seen((State.CLEAR, [], None), state=state), baseline(known()))

    is_whole = state in {ReadState.READ, ReadState.NOT_SERVED}
    assert verdict.gone == (("check-0/Namespace/-/x",) if is_whole else ())
    assert verdict.unconfirmed == (() if is_whole else ("check-0/Namespace/-/x",))


def test_checks_and_namespaces_that_were_left_out_confirm_nothing(seen):
    other = Known("check-0/Pod/shop/a", Severity.LOW)
    limited = structs.replace(seen(found()), namespaces=frozenset({"bank"}))
    verdict = judge(limited, baseline(known(check="another"), other))

    assert verdict.gone == ()
    assert len(verdict.unconfirmed) == 2


def test_what_is_written_is_known_and_keeps_what_was_accepted_or_not_looked_for(seen, finding_of):
    report = seen(found(finding_of()))
    old = baseline(known(accepted=GOOD), known("gone"), known(check="not-chosen"))
    new = baseline_of(report, judge(report, old), old)

    assert [(entry.id, entry.accepted) for entry in new.findings] == [
        ("check-0/Namespace/-/x", GOOD),
        ("not-chosen/Namespace/-/x", None),
    ]
    assert new.cluster == "u1"
    assert exit_code(counted(report, judge(report, baseline_of(report)))) == 0


def test_what_the_baseline_could_not_see_may_not_be_new_and_that_is_said(seen, finding_of):
    nothing = (State.NOT_SEEN, [], Cause.REFUSED)
    before = baseline_of(seen(nothing, nothing, (State.CLEAR, [], None), (State.NOT_VISIBLE, [], None)))
    verdict = judge(seen(found(finding_of()), found(), found(finding_of())), before)

    assert before.not_seen == ["check-0", "check-1", "check-3"]
    assert verdict.count(Status.NEW) == 2
    assert [note.en.rpartition(": ")[2] for note in verdict.notes] == ["check-0."]


def test_checks_that_were_not_chosen_stay_not_seen(seen):
    old = Baseline("1", [], "u1", not_seen=["another", "check-0"])

    assert baseline_of(seen((State.CLEAR, [], None)), old=old).not_seen == ["another"]


@pytest.mark.parametrize("before", Severity)
@pytest.mark.parametrize("now", Severity)
def test_an_acceptance_never_moves_on_to_a_worse_finding(seen, finding_of, before, now):
    report = seen(found(finding_of(now)))
    old = baseline(known(severity=before, accepted=GOOD))
    first = judge(report, old)
    second = judge(report, baseline_of(report, first, old))

    is_worse = now.rank < before.rank
    assert first.count(Status.WORSENED) == is_worse
    assert second.count(Status.ACCEPTED) == (not is_worse)
    assert second.count(Status.KNOWN) == is_worse


names = st.text(min_size=1).filter(lambda name: name.isprintable() or name.encode("utf-8", "ignore").decode() == name)
entries = st.builds(
    Known,
    st.builds("{}/Kind/-/{}".format, st.from_regex(r"[a-z-]{1,9}", fullmatch=True), names),
    st.sampled_from(Severity),
    st.none() | st.builds(Acceptance, names, st.dates()),
)


@given(
    st.lists(entries, max_size=5, unique_by=lambda entry: entry.id),
    st.none() | names,
    st.lists(names, max_size=3).map(sorted),
)
def test_what_is_written_reads_back_whatever_the_names_are(entries, cluster, not_seen):
    made = Baseline("1", sorted(entries, key=lambda entry: entry.id), cluster, READ_AT, not_seen)

    assert baselines.decode("b.yaml", baselines.encode(made).encode()) == made


def test_json_is_read_as_well():
    text = '{"version": 1, "findings": [{"id": "a/b/c/d", "severity": "low"}]}'

    assert baselines.decode("b.json", text.encode()).findings == [Known("a/b/c/d", Severity.LOW)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 2\nfindings: []\n", "b.yaml:1:10: version: "),
        ("findings: []\n", "`version` is missing"),
        ("version: 1\nfindings: []\nfinding: []\n", "b.yaml:3:1: finding: "),
        ("version: 1\nfindings:\n- id: a/b\n  severity: low\n", "b.yaml:3:7: findings[0].id: "),
        ("version: 1\nfindings:\n- id: a/b/c/d\n  severity: bad\n", "b.yaml:4:13: findings[0].severity: "),
        (
            "version: 1\nfindings:\n- id: a/b/c/d\n  severity: low\n  accepted:\n    until: 2027-01-01\n",
            "`reason` is missing",
        ),
        (
            "version: 1\nfindings:\n- {id: a/b/c/d, severity: low,\n   accepted: {reason: x,\n      until: 2027-02-30}}\n",
            "b.yaml:5:14: findings[0].accepted.until: no such day; write 2027-03-01",
        ),
        (
            "version: 1\nfindings:\n- id: a/b/c/d\n  severity: low\n- id: a/b/c/d\n  severity: low\n",
            "b.yaml:5:7: findings[1].id: this id stands on line 3 already",
        ),
    ],
)
def test_mistakes_are_told_with_file_and_line(text, said):
    with pytest.raises(BadFile) as caught:
        baselines.decode("b.yaml", text.encode())

    assert any(said in problem.sentence("en") for problem in caught.value.problems)
    assert caught.value.exit_code == 2


def test_a_baseline_that_is_not_there(tmp_path):
    with pytest.raises(UnreadableFile):
        baselines.read(tmp_path / "none.yaml")


def test_writing_leaves_nothing_beside(tmp_path):
    baselines.write(tmp_path / "b.yaml", baseline(known()))

    assert [path.name for path in tmp_path.iterdir()] == ["b.yaml"]
    assert baselines.read(tmp_path / "b.yaml") == baseline(known())


def test_a_reason_may_hold_a_semicolon():
    assert parse("a; b; until 2027-03-01") == Acceptance("a; b", date(2027, 3, 1))
