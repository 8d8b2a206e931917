"""No answer says that all is well where nobody looked, and none compares a scan with itself."""

import pytest
from msgspec import structs

from kubegap.checks.model import State
from kubegap.checks.run import Result
from kubegap.mcp.tools import compare_scans, list_gaps
from kubegap.mcp.tools.compare_scans import SameScan
from kubegap.mcp.tools.list_gaps import NotLookedFor
from kubegap.report.standing import judge

CHECK = "webhook-fail-closed-wide"
OTHER = "pdb-blocks-drain"


@pytest.fixture
def limited(desk, everything):
    """A desk whose newest scan is of one check in one namespace."""
    results = tuple(result for result in everything.results if result.page.id == CHECK)
    desk.scans.keep(structs.replace(everything, results=results, namespaces=frozenset({"shop"})))
    return desk


@pytest.mark.parametrize(("lang", "words"), [("ko", "아무것도 말해 주지 않습니다"), ("en", "says nothing about it")])
def test_an_incident_that_no_check_rests_on_is_no_question_for_a_scan(desk, everything, lang, words):
    desk.scans.keep(everything)
    incident = next(incident for incident in sorted(desk.shelf.ids) if not desk.shelf.citing(incident))
    with pytest.raises(NotLookedFor) as raised:
        list_gaps.make(desk)(incident_id=incident)

    assert words in raised.value.sentence(lang)


def test_a_check_that_does_not_rest_on_the_incident_is_told(desk, everything, shelf):
    desk.scans.keep(everything)
    incident = next(one for one in shelf.pages[OTHER].incidents if one not in shelf.pages[CHECK].incidents)
    with pytest.raises(NotLookedFor, match="does not rest on"):
        list_gaps.make(desk)(check_id=CHECK, incident_id=incident)


def test_a_check_that_the_scan_did_not_run_is_not_without_gaps(limited, shelf):
    incident = next(one for one in shelf.pages[OTHER].incidents if shelf.citing(one) == [OTHER])
    for asked in ({"check_id": OTHER}, {"incident_id": incident}):
        with pytest.raises(NotLookedFor, match=f"did not run .*{OTHER}"):
            list_gaps.make(limited)(**asked)


def test_a_namespace_that_the_scan_left_out_is_not_without_gaps(limited):
    with pytest.raises(NotLookedFor, match="left out the namespace `pay`"):
        list_gaps.make(limited)(namespace="pay")
    assert list_gaps.make(limited)(namespace="shop").total == 0


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_what_a_scan_was_limited_to_is_told(limited, lang):
    notes = list_gaps.make(limited)(lang=lang).notes

    assert len(notes) == 2
    assert str(len(limited.shelf.pages) - 1) in notes[0]
    assert "shop" in notes[1]
    assert list_gaps.make(limited)(check_id=CHECK, lang=lang).notes == notes[1:]


def test_a_whole_scan_has_no_notes(desk, everything):
    desk.scans.keep(everything)

    assert list_gaps.make(desk)().notes == []


def test_what_was_not_seen_is_about_the_checks_that_are_asked_for(desk, everything):
    results = tuple(Result(result.page, State.NOT_SEEN) for result in everything.results)
    desk.scans.keep(structs.replace(everything, results=results))
    last = max(desk.shelf.pages)
    answer = list_gaps.make(desk)(check_id=last)

    assert (answer.not_seen, answer.not_seen_total) == ([last], 1)
    assert list_gaps.make(desk)().not_seen_total == len(results)


def test_a_scan_is_not_compared_with_itself(desk, everything):
    scan = desk.scans.keep(everything)
    for before, after in ((scan.id, ""), (scan.id, scan.id), ("", "")):
        with pytest.raises(SameScan, match="the same scan"):
            compare_scans.make(desk)(before, after)


def test_scans_in_the_wrong_order_are_told(desk, everything):
    first, second = desk.scans.keep(everything), desk.scans.keep(everything)

    assert any("later" in note for note in compare_scans.make(desk)(second.id, first.id).notes)
    assert compare_scans.make(desk)(first.id, second.id).notes == []


def test_all_pages_of_a_comparison_are_judged_once(desk, everything, crowded, monkeypatch):
    calls = []

    def counted(*arguments):
        calls.append(arguments)
        return judge(*arguments)

    before, after = desk.scans.keep(everything), desk.scans.keep(crowded)
    monkeypatch.setattr(compare_scans, "judge", counted)
    ask = compare_scans.make(desk)
    first = ask(before.id, after.id)
    second = ask(before.id, after.id, cursor=first.next_cursor)

    assert first.items != second.items
    assert len(calls) == 1
    assert ask(after.id, before.id).counts["gone"] == first.counts["new"]
