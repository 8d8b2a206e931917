"""Whatever is asked, every form of the answer says the same: page, JSON, CSV, NDJSON, feed and command line."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import xml.etree.ElementTree as ET
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kubegap.cli.main import run
from kubegap.library.search.query import ORDERS, Query
from kubegap.library.vocabulary import FACETS, tagged
from kubegap.text import LANGS
from kubegap.web.atom import ENTRIES
from kubegap.web.edition import Edition
from kubegap.web.views.facets import SHOWN_FACETS
from kubegap.web.words.results import HEADING_COUNT
from tests.web.client import Client
from tests.web.page import Page

ATOM = {"a": "http://www.w3.org/2005/Atom"}
_LIST = re.compile(r'<section class="by (\w+)"(.*?)</section>', re.DOTALL)
_VALUE = re.compile(
    r'<li><a class="s\d+"[^>]*><span>(.*?)(?: <span class="hidden">.*?</span>)?</span> <span class="count">([\d,]+)'
)


def queries(edition: Edition) -> st.SearchStrategy[Query]:
    """Words of the records or of nowhere, and filters that some record carries or that none may carry together."""
    records = list(edition.generation.standing())
    words = sorted({word for record in records for lang in LANGS for word in record.title.of(lang).split()})
    word = st.one_of(st.sampled_from(words), st.sampled_from(words), st.text(max_size=6))
    carried = st.sampled_from(records).flatmap(
        lambda record: st.fixed_dictionaries(
            {}, optional={facet: st.just((terms[0],)) for facet, terms in tagged(record).items() if terms}
        )
    )
    chosen = st.fixed_dictionaries(
        {},
        optional={
            facet: st.lists(st.sampled_from(sorted(edition.vocabulary[facet])), min_size=1, max_size=2).map(tuple)
            for facet in FACETS
        },
    )
    return st.builds(
        Query,
        q=st.lists(word, max_size=3).map(" ".join),
        filters=st.one_of(st.just({}), carried, chosen),
        from_=st.one_of(st.none(), st.sampled_from(["2018", "2020-03", "2021-06-15"])),
        to=st.one_of(st.none(), st.sampled_from(["2022", "2024-11", "2025-01-31"])),
        order=st.one_of(st.none(), st.sampled_from(ORDERS)),
        page=st.sampled_from([1, 1, 1, 2]),
    )


@pytest.fixture(scope="module")
def ask(client: Client, edition: Edition, library_dir: Path) -> Asking:
    return Asking(client, edition, library_dir)


class Asking:
    """The same question in every form."""

    def __init__(self, client: Client, edition: Edition, library: Path) -> None:
        self.edition = edition
        self._client = client
        self._library = library

    def json(self, query: Query) -> Any:
        answers = [
            self._client.get(f"{place}{query.address()}") for place in ("/ko/incidents.json", "/api/v1/incidents")
        ]
        assert answers[0].content == answers[1].content or answers[0].status_code == answers[1].status_code == 404
        return answers[0].json() if answers[0].status_code == 200 else None

    def page(self, query: Query, lang: str) -> str | None:
        answer = self._client.get(f"/{lang}/incidents{query.address()}")
        assert answer.status_code in {200, 404}
        return answer.text if answer.status_code == 200 else None

    def rows(self, query: Query) -> list[str]:
        text = self._client.get(f"/en/incidents.csv{query.address()}").content.decode("utf-8-sig")
        return [row["id"] for row in csv.DictReader(io.StringIO(text))]

    def lines(self, query: Query) -> list[str]:
        return [
            json.loads(line)["id"]
            for line in self._client.get(f"/ko/incidents.ndjson{query.address()}").text.splitlines()
        ]

    def feed(self, query: Query) -> list[str]:
        root = ET.fromstring(self._client.get(f"/en/incidents.atom{query.address()}").content)
        return [entry.find("a:link", ATOM).get("href").rsplit("/", 1)[1] for entry in root.findall("a:entry", ATOM)]

    def command(self, query: Query) -> Any:
        options = [part for name, value in query.parameters() if name != "q" for part in (f"--{name}", value)]
        written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with redirect_stdout(written):
            code = run(["search", "--library", str(self._library), "--format", "json", *options, "--", query.q], {}, {})
        written.flush()
        result = json.loads(written.buffer.getvalue())
        assert code == (0 if result["items"] else 1)
        return result


def values_on(page: str) -> dict[str, list[tuple[str, int]]]:
    return {
        facet: [(html.unescape(label), int(count.replace(",", ""))) for label, count in _VALUE.findall(inside)]
        for facet, inside in _LIST.findall(page)
    }


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(data=st.data(), lang=st.sampled_from(LANGS))
def test_every_form_says_the_same(ask: Asking, data: st.DataObject, lang: str):
    query = data.draw(queries(ask.edition))
    whole, told = replace(query, page=1), ask.command(query)
    result, page, everything = ask.json(query), ask.page(query, lang), ask.rows(whole)

    first = (query.page - 1) * query.page_size
    assert [item["id"] for item in told["items"]] == everything[first : first + query.page_size]
    assert ask.lines(whole) == everything
    assert told["total"] == len(everything)
    # A page behind the last one is told to be none; the command line shows that it is empty.
    assert (result is None) == (page is None) == (first > 0 and first >= told["total"])
    if result is not None and page is not None:
        assert result == told
        shown = [attributes["aria-labelledby"] for tag, attributes in Page(page).tags if tag == "article"]
        assert shown == [f"{item['id']}-title" for item in result["items"]]
        assert HEADING_COUNT.fill(count=f"{result['total']:,}").of(lang) in Page(page).text
        assert values_on(page) == {facet: listed(result["facets"][facet], lang) for facet in SHOWN_FACETS}

    added = replace(whole, order="added")
    assert ask.feed(whole) == ask.lines(added)[:ENTRIES]


def listed(values: list[Any], lang: str) -> list[tuple[str, int]]:
    """The values of a facet as a page lists them: the chosen ones first."""
    ordered = sorted(values, key=lambda value: not value["selected"])
    return [(value["label"][lang], value["count"]) for value in ordered]
