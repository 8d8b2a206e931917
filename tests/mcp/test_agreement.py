"""The same question gives the same incidents in the same order, whoever is asked: a tool, the command line, the page, the API."""

import json
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kubegap.cli.main import run
from kubegap.library.generation import PACKAGED
from kubegap.library.vocabulary import FACETS
from kubegap.mcp.tools import find_similar_incidents, search_incidents
from kubegap.web.app import create_app
from kubegap.web.settings import Settings
from tests.web.client import Client
from tests.web.page import Page
from tests.web.test_agreement import queries


@pytest.fixture(scope="module")
def client():
    found = Client(create_app(PACKAGED, Settings()))
    yield found
    found.close()


@pytest.fixture(scope="module")
def edition(client):
    return client.app.state.house.shelf.edition()


def asked_of_a_tool(desk, query, lang):
    """All ids, page by page."""
    ask, cursor, found = search_incidents.make(desk), "", []
    while True:
        answer = ask(
            query.q,
            **{facet: list(query.filters.get(facet, ())) for facet in FACETS},
            from_date=query.from_ or "",
            to_date=query.to or "",
            order=query.order or "",
            limit=20,
            cursor=cursor,
            lang=lang,
        )
        found += [item.incident_id for item in answer.items]
        cursor = answer.next_cursor
        if not cursor:
            assert answer.total == len(found)
            return found


def asked_of_the_command(query):
    options = [part for name, value in query.parameters() if name not in {"q", "page"} for part in (f"--{name}", value)]
    written = TextIOWrapper(BytesIO(), encoding="utf-8")
    with redirect_stdout(written):
        run(["search", "--limit", "1000", "--format", "json", *options, "--", query.q], {}, {})
    written.flush()
    return [item["id"] for item in json.loads(written.buffer.getvalue())["items"]]


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(data=st.data(), lang=st.sampled_from(["ko", "en"]))
def test_every_face_finds_the_same_in_the_same_order(desk, client, edition, data, lang):
    query = replace(data.draw(queries(edition)), page=1)
    found = asked_of_a_tool(desk, query, lang)
    api = client.get(f"/api/v1/incidents{query.address()}").json()
    page = Page(client.get(f"/{lang}/incidents{query.address()}").text)

    assert asked_of_the_command(query) == found
    assert [item["id"] for item in api["items"]] == found[:20]
    assert api["total"] == len(found)
    shown = [attributes["aria-labelledby"] for tag, attributes in page.tags if tag == "article"]
    assert shown == [f"{one}-title" for one in found[:20]]


@pytest.mark.parametrize(
    "text", ["NVRM: Xid (PCI:0000:3b:00): 79", "x509: certificate has expired", "노드가 NotReady 로 바뀜"]
)
def test_a_pasted_log_finds_the_same(desk, client, text):
    found = [item.incident_id for item in find_similar_incidents.make(desk)(text).items]
    api = client.post("/api/v1/similar", json={"text": text}).json()

    assert [item["id"] for item in api["items"]][: len(found)] == found
    assert found
