"""Answers stay small whatever the cluster holds, and pages leave out nothing and repeat nothing."""

import msgspec
import pytest
from msgspec import structs

from kubegap.checks.model import State
from kubegap.mcp import shapes
from kubegap.mcp.paging import DETAIL_BYTES, LIST_BYTES, BadCursor
from kubegap.mcp.tools import (
    compare_scans,
    find_similar_incidents,
    get_cluster_status,
    get_gap,
    get_incident,
    list_checks,
    list_gaps,
    search_incidents,
)
from kubegap.mcp.tools.scan_cluster import scanned
from kubegap.text import Text

SCAN_BYTES = 4_000
STATUS_BYTES = 2_500


def size(answer):
    return len(msgspec.json.encode(answer))


def pages_of(ask, most=LIST_BYTES):
    """All pages of a list, none larger than it may be."""
    cursor, pages = "", []
    while True:
        answer = ask(cursor)
        assert size(answer) <= most
        pages.append(answer)
        cursor = answer.next_cursor
        if not cursor:
            return pages


@pytest.fixture
def crowd(desk, crowded):
    return desk, desk.scans.keep(crowded)


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("limit", [1, 7, 50])
def test_pages_of_gaps_hold_each_gap_once(crowd, lang, limit):
    desk, scan = crowd
    pages = pages_of(lambda cursor: list_gaps.make(desk)(limit=limit, cursor=cursor, lang=lang))
    found = [item.gap_id for page in pages for item in page.items]

    assert sorted(found) == sorted(result.page.id for result in scan.report.results)
    assert {page.total for page in pages} == {len(found)}
    assert sum(item.objects for page in pages for item in page.items) >= 5000
    ranks = [item.severity.rank for page in pages for item in page.items]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_pages_of_one_gap_hold_each_object_once(crowd, lang):
    desk, scan = crowd
    for result in scan.report.results[:3]:
        pages = pages_of(
            lambda cursor, id_=result.page.id: get_gap.make(desk)(id_, limit=50, cursor=cursor, lang=lang), DETAIL_BYTES
        )
        found = [(item.subject.namespace, item.subject.name) for page in pages for item in page.items]

        assert len(found) == len(set(found)) == len(result.findings)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_every_gap_in_detail_is_within_its_budget(crowd, lang):
    desk, scan = crowd
    for result in scan.report.results:
        answer = get_gap.make(desk)(result.page.id, lang=lang)
        assert size(answer) <= DETAIL_BYTES
        assert answer.items


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_a_scan_in_short_and_the_status_are_short(crowd, lang):
    desk, scan = crowd

    assert size(scanned(desk, scan, lang, reused=False)) <= SCAN_BYTES
    assert size(get_cluster_status.make(desk)(lang=lang)) <= STATUS_BYTES


def test_changes_between_scans_come_in_pages(desk, everything, crowded):
    before = desk.scans.keep(everything)
    after = desk.scans.keep(crowded)
    pages = pages_of(lambda cursor: compare_scans.make(desk)(before.id, after.id, limit=50, cursor=cursor))
    found = [item.finding + item.check_id for page in pages for item in page.items]

    assert len(found) == len(set(found)) == pages[0].total
    assert pages[0].counts["new"] >= 5000


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("limit", [3, 20])
def test_pages_of_a_search_are_the_search(desk, lang, limit):
    pages = pages_of(lambda cursor: search_incidents.make(desk)(query="GPU", limit=limit, cursor=cursor, lang=lang))
    found = [item.incident_id for page in pages for item in page.items]

    from kubegap.library.search.query import Query

    assert found == list(desk.shelf.search.ids(Query(q="GPU")))
    assert len(found) == pages[0].total > limit


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize(
    "query",
    [
        ("webhok " * 100)[:500],
        " ".join(f"webhok{number} podd{number}" for number in range(40))[:500],
        ("쿠버넷테스 웹훅 " * 100)[:500],
    ],
)
def test_the_longest_question_has_a_short_answer(desk, query, lang):
    assert size(search_incidents.make(desk)(query, limit=20, lang=lang)) <= LIST_BYTES


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_every_incident_is_within_its_budget_and_says_what_it_leaves_out(desk, lang):
    for incident in sorted(desk.shelf.ids):
        answer = get_incident.make(desk)(incident, lang=lang)
        assert size(answer) <= DETAIL_BYTES
        for section in answer.left_out:
            assert size(get_incident.make(desk)(incident, [section], lang=lang)) <= DETAIL_BYTES


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_all_checks_come_in_pages(desk, lang):
    pages = pages_of(lambda cursor: list_checks.make(desk)(limit=50, cursor=cursor, lang=lang))

    assert [item.check_id for page in pages for item in page.items] == sorted(desk.shelf.pages)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_similar_incidents_are_short_even_for_a_long_log(desk, lang):
    log = "NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory\n" * 900

    assert size(find_similar_incidents.make(desk)(log[:65_000], limit=20, lang=lang)) <= LIST_BYTES


def test_a_cursor_of_another_question_is_refused(crowd):
    desk, _ = crowd
    cursor = list_gaps.make(desk)(limit=1).next_cursor

    with pytest.raises(BadCursor):
        list_gaps.make(desk)(limit=1, severity="high", cursor=cursor)
    with pytest.raises(BadCursor):
        list_checks.make(desk)(cursor=cursor)


@pytest.mark.parametrize("cursor", ["!", "AAAA", "ü", "a" * 10_000])
def test_a_cursor_that_is_none_is_refused(crowd, cursor):
    with pytest.raises(BadCursor):
        list_gaps.make(crowd[0])(cursor=cursor)


@pytest.mark.parametrize("limit", [1, 3])
def test_filters_of_gaps_agree_with_the_report(crowd, limit):
    desk, scan = crowd
    result = scan.report.results[0]
    incident, namespace = result.page.incidents[0], result.findings[0].subject.namespace
    by_incident = pages_of(lambda cursor: list_gaps.make(desk)(incident_id=incident, limit=limit, cursor=cursor))
    by_namespace = pages_of(lambda cursor: list_gaps.make(desk)(namespace=namespace, limit=limit, cursor=cursor))
    (by_check,) = list_gaps.make(desk)(check_id=result.page.id).items

    citing = {one.page.id for one in scan.report.results if incident in one.page.incidents}
    assert {item.gap_id for page in by_incident for item in page.items} == citing
    counts = {item.gap_id: item.objects for page in by_namespace for item in page.items}
    for one in scan.report.results:
        assert counts.get(one.page.id, 0) == sum(found.subject.namespace == namespace for found in one.findings)
    assert by_check.objects == len(result.findings)


@pytest.mark.parametrize(("lang", "told"), [("ko", "2021-08-12 무렵"), ("en", "around 2021-08-12")])
def test_a_date_that_is_not_exact_is_never_told_as_exact(desk, lang, told):
    vague = "2021-08-bigscience-ecc-gpu-node-reused"
    rows = search_incidents.make(desk)(query="BigScience ECC", lang=lang).items

    assert get_incident.make(desk)(vague, lang=lang).happened.startswith(told)
    assert next(row.happened for row in rows if row.incident_id == vague) == told


@pytest.mark.parametrize(("other", "is_refused"), [("https://other.example:6443", True), ("", False)])
def test_scans_of_two_api_servers_are_not_compared_where_nothing_tells_clusters_apart(
    desk, everything, other, is_refused
):
    def unnamed(server):
        source = structs.replace(everything.snapshot.source, server=server or everything.snapshot.source.server)
        return structs.replace(everything, snapshot=structs.replace(everything.snapshot, objects={}, source=source))

    before, after = desk.scans.keep(unnamed("")), desk.scans.keep(unnamed(other))
    if is_refused:
        with pytest.raises(compare_scans.OtherCluster, match=r"other\.example"):
            compare_scans.make(desk)(before.id, after.id)
    else:
        assert compare_scans.make(desk)(before.id, after.id).counts["new"] == 0


def test_notes_that_do_not_fit_are_counted():
    many = [Text(ko=f"{n} 번", en=f"note {n}") for n in range(9)]

    assert shapes.notes(many, "en") == [*(f"note {n}" for n in range(5)), "There are 4 more notes."]
    assert shapes.notes(many, "ko")[-1] == "이 밖에 알릴 것이 4건 더 있다."
    assert shapes.notes(many[:5], "en")[-1] == "note 4"


def test_a_comparison_says_how_many_checks_it_could_not_see_in_all(desk, everything):
    unseen = [structs.replace(one, state=State.NOT_SEEN, findings=()) for one in everything.results]
    before, after = (desk.scans.keep(structs.replace(everything, results=tuple(unseen))) for _ in range(2))
    answer = compare_scans.make(desk)(before.id, after.id)

    assert answer.not_seen_total == len(unseen) > len(answer.not_seen) > 0
