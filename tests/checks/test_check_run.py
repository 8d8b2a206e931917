"""Choosing and running checks: every chosen check ends in exactly one state, and nothing unread is called clear."""

from datetime import timedelta

import pytest
from msgspec import structs

from kubegap.checks.model import Answer, Confidence, Evidence, Finding, Message, Severity, State, Subject
from kubegap.checks.run import Cause, choose, run
from kubegap.cluster.kinds.batch import Job
from kubegap.cluster.objects import Metadata, Namespace, Pod
from kubegap.cluster.resources import RESOURCES, paths_of
from kubegap.cluster.snapshot import Coverage, Origin, ReadState, Snapshot, Source
from kubegap.problems import UnknownName

ID = "webhook-fail-closed-wide"
NAMESPACES = Namespace.resource.path
PODS = Pod.resource.path


def found(severity=Severity.HIGH, confidence=Confidence.CONFIG, namespace=None, name="x"):
    subject = Subject("v1", "Namespace", namespace, name)
    return Finding(subject, severity, confidence, (Message("down", {"backend": "b"}),), (Evidence("x", "y", None),))


def page_of(pages, **changes):
    reads = [structs.replace(pages[ID].reads[0], resource=path) for path in (NAMESPACES, PODS)]
    return structs.replace(pages[ID], reads=reads, subjects=[NAMESPACES], **changes)


def snapshot_of(origin=Origin.DUMP, pods=ReadState.READ, namespaces=ReadState.READ, count=1):
    objects = {NAMESPACES: tuple(Namespace(metadata=Metadata(name=f"n{number}")) for number in range(count))}
    states = {PODS: pods, NAMESPACES: namespaces}
    coverage = {path: Coverage(RESOURCES[path].resource, count, state) for path, state in states.items()}
    return Snapshot(Source(origin), objects, coverage)


def result_of(snapshot, page, *findings, namespaces=()):
    return run(snapshot, [page], namespaces, find=lambda _: lambda _cluster: findings).results[0]


@pytest.mark.parametrize(
    ("snapshot", "findings", "state", "cause"),
    [
        (snapshot_of(), 1, State.FOUND, None),
        (snapshot_of(), 0, State.CLEAR, None),
        (snapshot_of(count=0), 0, State.NOT_APPLICABLE, None),
        (snapshot_of(pods=ReadState.REFUSED), 0, State.NOT_SEEN, Cause.REFUSED),
        (snapshot_of(pods=ReadState.REFUSED), 1, State.NOT_SEEN, Cause.REFUSED),
        (snapshot_of(pods=ReadState.TIMED_OUT), 0, State.NOT_SEEN, Cause.TIMED_OUT),
        (snapshot_of(pods=ReadState.HALF_READ), 1, State.NOT_SEEN, Cause.HALF_READ),
        (snapshot_of(pods=ReadState.NOT_IN_THIS_INPUT), 0, State.NOT_SEEN, Cause.NOT_IN_THIS_INPUT),
        (snapshot_of(pods=ReadState.NOT_IN_THIS_INPUT), 1, State.NOT_SEEN, Cause.NOT_IN_THIS_INPUT),
        (
            snapshot_of(Origin.MANIFESTS, ReadState.NOT_IN_THIS_INPUT),
            0,
            State.NOT_IN_THIS_INPUT,
            Cause.NOT_IN_THIS_INPUT,
        ),
        (snapshot_of(Origin.MANIFESTS, ReadState.NOT_IN_THIS_INPUT), 1, State.FOUND, Cause.NOT_IN_THIS_INPUT),
        (snapshot_of(Origin.MANIFESTS, ReadState.HALF_READ), 0, State.NOT_SEEN, Cause.HALF_READ),
        (snapshot_of(pods=ReadState.HALF_READ, namespaces=ReadState.REFUSED), 0, State.NOT_SEEN, Cause.REFUSED),
    ],
)
def test_states(pages, snapshot, findings, state, cause):
    result = result_of(snapshot, page_of(pages), *[found()] * findings)

    assert (result.state, result.cause) == (state, cause)
    assert len(result.findings) == findings
    assert (result.reason is None) is (state in {State.FOUND, State.CLEAR} and cause is None)


def test_a_kind_that_was_never_asked_for_is_not_clear(pages):
    snapshot = Snapshot(Source(Origin.DUMP), {}, {})

    assert result_of(snapshot, page_of(pages)).state is State.NOT_SEEN


def test_a_refusal_names_the_right_that_is_missing(pages):
    result = result_of(snapshot_of(pods=ReadState.REFUSED), page_of(pages))

    assert result.grant == "get, list pods"
    assert "Pod" in result.reason.ko


def test_kinds_with_one_reason_are_told_together(pages):
    result = result_of(snapshot_of(pods=ReadState.TIMED_OUT, namespaces=ReadState.TIMED_OUT), page_of(pages))

    assert result.reason.en == "Namespace, Pod: reading timed out"


def test_a_check_that_breaks_is_not_seen_and_the_others_still_run(pages):
    good = page_of(pages)
    bad = structs.replace(good, id="bad-check")

    def broken(_cluster):
        yield found()
        raise KeyError("boom")

    finders = {"bad-check": broken, ID: lambda _cluster: [found()]}
    first, second = run(snapshot_of(), [bad, good], find=lambda page: finders[page.id]).results

    assert (first.state, first.cause, first.findings) == (State.NOT_SEEN, Cause.FAILED, ())
    assert "bad-check" in first.reason.en
    assert "boom" in first.reason.ko
    assert second.state is State.FOUND


def test_a_heuristic_finding_is_never_above_medium(pages):
    findings = [found(Severity.CRITICAL, Confidence.HEURISTIC), found(Severity.LOW, Confidence.HEURISTIC, name="y")]

    result = result_of(snapshot_of(), page_of(pages), *findings)

    assert [finding.severity for finding in result.findings] == [Severity.MEDIUM, Severity.LOW]


def test_a_check_without_incidents_only_informs(pages):
    result = result_of(snapshot_of(), page_of(pages, incidents=[]), found(Severity.CRITICAL))

    assert result.findings[0].severity is Severity.INFO


def test_findings_stand_worst_first(pages):
    result = result_of(
        snapshot_of(), page_of(pages), found(Severity.LOW), found(Severity.HIGH, name="z"), found(name="a")
    )

    assert [finding.subject.name for finding in result.findings] == ["a", "z", "x"]


def test_namespaces_filter_subjects(pages):
    findings = [found(namespace="shop", name="a"), found(namespace="pay", name="b"), found(name="c")]

    result = result_of(snapshot_of(), page_of(pages), *findings, namespaces={"shop"})

    assert [finding.subject.name for finding in result.findings] == ["a"]
    assert result.left_out == 2


def test_a_check_that_found_something_elsewhere_is_not_clear(pages):
    found_elsewhere = result_of(snapshot_of(), page_of(pages), found(namespace="pay"), namespaces={"shop"})
    half_read = snapshot_of(pods=ReadState.HALF_READ)
    not_seen = result_of(half_read, page_of(pages), found(namespace="pay"), namespaces={"shop"})

    assert (found_elsewhere.state, found_elsewhere.findings) == (State.FOUND, ())
    assert found_elsewhere.reason.en == "Findings outside of the chosen namespaces, left out: 1."
    assert not_seen.state is State.NOT_SEEN
    assert not_seen.reason.en == f"{found_elsewhere.reason.en} Pod: read only in part"


def test_an_answer_stands_in_place_of_findings_and_only_there(pages):
    answer = Answer(State.NOT_VISIBLE, Message("down", {"backend": "b"}))
    page = page_of(pages)

    assert result_of(snapshot_of(), page, answer).state is State.NOT_VISIBLE
    assert "`b`" in result_of(snapshot_of(), page, answer).reason.en
    assert result_of(snapshot_of(), page, answer, found()).state is State.FOUND
    assert result_of(snapshot_of(pods=ReadState.REFUSED), page, answer).state is State.NOT_SEEN


@pytest.mark.parametrize(
    ("pods", "state"),
    [
        (ReadState.NOT_IN_THIS_INPUT, State.CLEAR),
        (ReadState.NOT_SERVED, State.CLEAR),
        (ReadState.REFUSED, State.NOT_SEEN),
        (ReadState.HALF_READ, State.NOT_SEEN),
    ],
)
def test_an_optional_kind_may_be_missing_but_not_refused(pages, pods, state):
    page = page_of(pages)
    reads = [page.reads[0], structs.replace(page.reads[1], optional=True)]

    assert result_of(snapshot_of(pods=pods), structs.replace(page, reads=reads)).state is state


def test_a_kind_that_the_server_does_not_have_is_seen(pages):
    assert result_of(snapshot_of(pods=ReadState.NOT_SERVED), page_of(pages)).state is State.CLEAR


GROUP = paths_of("training")


def in_states(origin, pytorch=ReadState.NOT_IN_THIS_INPUT):
    found = dict.fromkeys(GROUP, ReadState.NOT_IN_THIS_INPUT) | {JOBS: ReadState.READ}
    found[KUBEFLOW] = pytorch
    coverage = {path: Coverage(RESOURCES[path].resource, 1, state) for path, state in found.items()}
    return Snapshot(Source(origin), {JOBS: (Job(),)}, coverage)


JOBS, KUBEFLOW = Job.resource.path, "kubeflow.org/v1/pytorchjobs"


@pytest.mark.parametrize("origin", [Origin.DUMP, Origin.MANIFESTS])
def test_of_a_group_a_file_needs_to_hold_one_kind(pages, origin):
    reads = [structs.replace(pages[ID].reads[0], resource="training")]
    page = structs.replace(pages[ID], reads=reads, subjects=["training"])

    assert result_of(in_states(origin), page).state is State.CLEAR
    assert result_of(in_states(origin, pytorch=ReadState.REFUSED), page).state is State.NOT_SEEN
    assert result_of(in_states(origin, pytorch=ReadState.HALF_READ), page).state is State.NOT_SEEN
    assert result_of(Snapshot(Source(origin), {}, {}), page).state is not State.CLEAR


def test_a_group_without_any_object_is_told_by_its_name(pages):
    reads = [structs.replace(pages[ID].reads[0], resource="training")]
    page = structs.replace(pages[ID], reads=reads, subjects=["training", "v1/pods"])
    coverage = {path: Coverage(RESOURCES[path].resource, 0, ReadState.NOT_SERVED) for path in GROUP}

    result = result_of(Snapshot(Source(Origin.LIVE), {}, coverage), page)

    assert result.state is State.NOT_APPLICABLE
    assert result.reason.en == "This cluster has no training workloads, Pod."
    assert page.paths == set(GROUP)


def test_severities_are_compared_by_their_rank():
    assert Severity.worst([Severity.LOW, Severity.HIGH, Severity.MEDIUM]) is Severity.HIGH
    assert Severity.worst([]) is Severity.INFO
    assert Severity.CRITICAL.milder is Severity.HIGH
    assert Severity.INFO.milder is Severity.INFO


def test_waiting_times_go_to_find_by_name(pages):
    page = page_of(pages, waits={"rollout": timedelta(minutes=10)})
    seen = []

    run(snapshot_of(), [page], find=lambda _: lambda _cluster, rollout: seen.append(rollout) or [])

    assert seen == [timedelta(minutes=10)]


@pytest.fixture
def three(pages):
    areas = {"dns-ndots": "dns", "webhook-a": "control_plane", "webhook-b": "control_plane"}
    return {check: structs.replace(pages[ID], id=check, area=area, incidents=[area]) for check, area in areas.items()}


@pytest.mark.parametrize(
    ("select", "skip", "chosen"),
    [
        ([], [], ["dns-ndots", "webhook-a", "webhook-b"]),
        (["webhook-b"], [], ["webhook-b"]),
        (["control_plane"], [], ["webhook-a", "webhook-b"]),
        (["control-plane"], [], ["webhook-a", "webhook-b"]),
        (["webhook-*", "dns"], ["*-a"], ["dns-ndots", "webhook-b"]),
        ([], ["dns"], ["webhook-a", "webhook-b"]),
        (["dns"], ["dns"], []),
    ],
)
def test_choosing(three, select, skip, chosen):
    assert [page.id for page in choose(three, select, skip)] == chosen


def test_choosing_by_incidents(three):
    assert [page.id for page in choose(three, incidents=["dns", "other"])] == ["dns-ndots"]
    assert choose(three, incidents=[]) == []


@pytest.mark.parametrize("option", ["select", "skip"])
def test_a_name_that_fits_nothing_is_told_with_the_nearest(three, option):
    with pytest.raises(UnknownName) as caught:
        choose(three, **{option: ["webhok-a"]})

    assert caught.value.nearest[0] == "webhook-a"


def test_coverage_names_only_kinds_that_the_checks_read(pages):
    report = run(snapshot_of(), [page_of(pages)], find=lambda _: lambda _cluster: [])

    assert [coverage.resource.kind for coverage in report.coverage()] == ["Namespace", "Pod"]
