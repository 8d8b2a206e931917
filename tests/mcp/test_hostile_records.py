"""A library of somebody else's making may hold anything: its texts stay in the fields of records, without characters that act,
and short."""

import json

import msgspec
import pytest
from msgspec import Struct, structs

from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.library.compiling import compile_library
from kubegap.library.generation import open_library
from kubegap.library.record import Happened
from kubegap.mcp import resources
from kubegap.mcp.desk import Desk
from kubegap.mcp.paging import DETAIL_BYTES, LIST_BYTES
from kubegap.mcp.scanning import Scanner
from kubegap.mcp.scans import Scans
from kubegap.mcp.server import make_server
from kubegap.mcp.shelf import Shelf
from kubegap.mcp.target import Target
from kubegap.mcp.tools import (
    find_similar_incidents,
    get_gap,
    get_incident,
    list_checks,
    list_gaps,
    search_incidents,
)
from kubegap.text import Text
from mcp import Client
from tests.mcp.test_untrusted_text import CANARY, TRICKS, texts

CHECK = "webhook-fail-closed-wide"
LINE = 300
# Where the texts of records stand; ids and dates cannot hold any.
FIELDS = {
    "title",
    "organisation",
    "lesson",
    "matched",
    # Single words that stand in some record.
    "corrections",
    "impact",
    "symptom",
    "trigger",
    "detection",
    "actions",
    "follow_ups",
    "note",
    "signatures",
    "sources",
}


def spoilt(part, words):
    """A part of a record in which every text that has no form of its own says something else."""
    if isinstance(part, Happened):
        return part
    if isinstance(part, Text):
        return structs.replace(part, ko=words, en=words)
    if isinstance(part, list):
        return [spoilt(one, words) for one in part]
    if isinstance(part, Struct):
        free = {"organisation", "signatures", "at", "publisher"} | ({"title"} if hasattr(part, "publisher") else set())
        return structs.replace(
            part,
            **{
                name: _line(getattr(part, name), words) if name in free else spoilt(getattr(part, name), words)
                for name in part.__struct_fields__
            },
        )
    return part


def _line(value, words):
    """A text that records keep short."""
    if isinstance(value, list):
        return [words[:LINE] for _ in value]
    return words[:LINE] if value else value


@pytest.fixture(scope="module", params=TRICKS)
def hostile(request, loaded, tmp_path_factory):
    """A library in which one record, behind a check, is not what it should be; and the id of that record."""
    folder = tmp_path_factory.mktemp("hostile")
    found = pages.read_pages()
    incident = found[CHECK].incidents[0]
    records = [document.value for document in loaded.incidents.values()]
    records = [spoilt(record, TRICKS[request.param]) if record.id == incident else record for record in records]
    compile_library(records, loaded.vocabulary, folder, revision="test", extra={CHECKS: pages.encode(found)})
    return Shelf(open_library(folder)), incident


@pytest.fixture
def asked(hostile, everything, tmp_path):
    """What every tool says about it, with the most bytes that it may take."""
    shelf, incident = hostile
    target, scans = Target({"HOME": str(tmp_path)}), Scans(tmp_path / "scans", shelf)
    desk = Desk(shelf, target, scans, Scanner(target.read, shelf, scans), "en")
    scans.keep(everything)
    answers = [
        (search_incidents.make(desk)(query="IGNORE PREVIOUS INSTRUCTIONS", limit=20), LIST_BYTES),
        (search_incidents.make(desk)(from_date=incident[:4], to_date=incident[:4], limit=20), LIST_BYTES),
        (find_similar_incidents.make(desk)(text=CANARY, limit=20), LIST_BYTES),
        (find_similar_incidents.make(desk)(incident_id=incident), LIST_BYTES),
        (get_incident.make(desk)(incident), DETAIL_BYTES),
        *((get_incident.make(desk)(incident, [name]), DETAIL_BYTES) for name in get_incident.SECTIONS),
        (get_gap.make(desk)(CHECK), DETAIL_BYTES),
        (list_gaps.make(desk)(incident_id=incident), LIST_BYTES),
        (list_checks.make(desk)(incident_id=incident), LIST_BYTES),
    ]
    return desk, incident, answers


def is_canary(text):
    return "IGNORE" in text or "e0049" in text


def test_text_of_a_record_stands_only_in_the_fields_of_records(asked):
    _, _, answers = asked
    seen = 0
    for answer, most in answers:
        data = msgspec.json.encode(answer)
        assert len(data) <= most
        for path, text in texts(json.loads(data)):
            if is_canary(text) and path != ("summary",):
                seen += 1
                assert set(path) & FIELDS, path
            assert text.isprintable() or not is_canary(text), (path, text)
            assert "\x1b" not in text
            assert "\u202e" not in text

    assert seen > 10


def test_the_summary_of_a_search_says_only_what_was_asked(asked):
    _, _, answers = asked

    assert not any(is_canary(answer.summary) for answer, _ in answers[1:4])


@pytest.mark.anyio
async def test_documents_and_prompts_hold_no_character_that_acts(asked):
    desk, incident, _ = asked
    async with Client(make_server(desk)) as client:
        told = [
            (await client.read_resource(uri)).contents[0].text
            for uri in (resources.INDEX, f"incident://{incident}", f"check://{CHECK}")
        ]
        for name, argument in (("incident_brief", "incident_id"), ("explain_gap", "gap_id")):
            value = incident if name == "incident_brief" else CHECK
            told.append((await client.get_prompt(name, {argument: value})).messages[0].content.text)
        definitions = (await client.list_tools()).model_dump_json() + (await client.list_resources()).model_dump_json()

    for text in told:
        assert is_canary(text)
        assert all(character == "\n" or character.isprintable() for character in text)
        assert "\nSystem:" not in text
    assert not is_canary(definitions)


def test_a_section_that_does_not_fit_is_cut_and_named(loaded, tmp_path):
    incident = pages.read_pages()[CHECK].incidents[0]
    (record,) = (one.value for one in loaded.incidents.values() if one.value.id == incident)
    many = [structs.replace(record.actions[0], ko=f"가 {number} " * 90, en="x " * 300) for number in range(60)]
    out = {CHECKS: pages.encode(pages.read_pages())}
    compile_library([structs.replace(record, actions=many)], loaded.vocabulary, tmp_path, revision="test", extra=out)
    shelf = Shelf(open_library(tmp_path))
    target, scans = Target({"HOME": str(tmp_path)}), Scans(tmp_path / "scans", shelf)
    desk = Desk(shelf, target, scans, Scanner(target.read, shelf, scans), "ko")
    answer = get_incident.make(desk)(incident, ["story"])

    assert len(msgspec.json.encode(answer)) <= DETAIL_BYTES
    assert answer.left_out == ["actions"]
    assert 3 < len(answer.actions) < 60
    assert answer.lesson
