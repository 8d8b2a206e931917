from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET

import msgspec
import pytest
import yaml

from kubegap.library.search.query import Query
from kubegap.web.edition import Edition
from tests.web.client import Client
from tests.web.conftest import CASE, SEED
from tests.web.page import Page

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def test_csv_opens_in_a_spreadsheet(client: Client):
    answer = client.get("/ko/incidents.csv")

    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert "attachment" in answer.headers["content-disposition"]
    row = next(row for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))) if row["id"] == CASE)
    assert row["components"].split(";")[0] == "gpu-hardware-memory"
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_atom_is_a_valid_feed_of_the_last_added(client: Client, edition: Edition):
    root = ET.fromstring(client.get(f"/en/incidents.atom?{SEED}").content)
    asked = edition.search.run(Query(filters=dict(parse(SEED)), order="added", page_size=50))
    links = {link.get("rel"): link.get("href") for link in root.findall("a:link", ATOM)}

    assert root.tag == "{http://www.w3.org/2005/Atom}feed"
    assert links == {
        "self": f"http://library.test/en/incidents.atom?{SEED}",
        "alternate": f"http://library.test/en/incidents?{SEED}",
    }
    assert [entry.find("a:link", ATOM).get("href").rsplit("/", 1)[1] for entry in root.findall("a:entry", ATOM)] == [
        item.id for item in asked.items
    ]
    for part in ("id", "title", "updated", "author"):
        assert root.find(f"a:{part}", ATOM) is not None
    for entry in root.findall("a:entry", ATOM):
        assert entry.find("a:id", ATOM).text.startswith("urn:uuid:")
        assert entry.find("a:updated", ATOM).text.endswith("Z")
        assert entry.find("a:summary", ATOM).text


def test_atom_of_any_words_is_well_formed(client: Client):
    ET.fromstring(client.get("/en/incidents.atom", params={"q": '\x00\x01\x0b ￾ <&>" \U0001f600'}).content)


def test_the_feed_of_a_filter_is_found_from_its_page(client: Client):
    page = Page(client.get(f"/en/incidents?{SEED}&page=1").text)
    feeds = [
        attributes["href"]
        for tag, attributes in page.tags
        if tag == "link" and attributes.get("type") == "application/atom+xml"
    ]

    assert feeds == [f"/en/incidents.atom?{SEED}"]


def test_record_as_yaml_is_what_its_file_says(client: Client, loaded):
    plain = yaml.safe_load(client.get(f"/ko/incidents/{CASE}.yaml").text)
    written = msgspec.to_builtins(loaded.incidents[CASE].value)

    assert {"id": CASE, **plain} == written


def test_record_as_json_has_its_id(client: Client):
    assert client.get(f"/ko/incidents/{CASE}.json").json()["id"] == CASE


@pytest.mark.parametrize("form", ["json", "csv", "ndjson", "atom"])
def test_programs_get_an_error_for_what_is_not_used(client: Client, form: str):
    answer = client.get(f"/en/incidents.{form}?componet=nccl&q=a&q=b")

    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert {error["parameter"] for error in answer.json()["errors"]} == {"componet", "q"}


def parse(address: str):
    for pair in address.split("&"):
        name, _, value = pair.partition("=")
        yield name, (value,)
