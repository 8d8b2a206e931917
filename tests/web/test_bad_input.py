from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette

from tests.web.client import Client, Raw
from tests.web.page import Page

PLACES = (
    "/incidents",
    "/incidents.json",
    "/incidents.csv",
    "/incidents.atom",
    "/incidents/x",
    "/terms/x/y",
    "/similar",
    "/about",
    "/agents",
    "",
)
NAMES = (b"q", b"component", b"cause", b"symptom", b"factor", b"platform", b"from", b"to", b"order", b"page", b"x")
quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.mark.parametrize(
    ("address", "status", "says"),
    [
        ("component=gpu-hw-memory", 400, "gpu-hardware-memory"),
        ("component=gpu-hw-memory&symptom=gpu-not-visble&component=nccl", 400, "gpu-not-visible"),
        ("from=2024&to=2020", 400, "/en/incidents?from=2020&amp;to=2024"),
        ("from=yesterday", 400, "2024-03"),
        ("order=best", 400, "relevance"),
        ("page=0", 400, "from 1 up"),
        ("page=99", 404, "no page 99"),
        ("page=-1", 400, "from 1 up"),
        ("page=99999999999999999999", 400, "from 1 up"),
        ("q=" + "x" * 3000, 414, "/en/similar"),
        ("component=" + "x" * 9000, 414, "/en/similar"),
    ],
)
def test_a_mistake_is_answered_with_ways_out(client: Client, address: str, status: int, says: str):
    answer = client.get(f"/en/incidents?{address}")
    page = Page(answer.text)

    assert answer.status_code == status
    assert says in answer.text
    assert any(href.startswith("/en/incidents") for href in page.hrefs())
    assert len(answer.content) < 60_000


@pytest.mark.parametrize(
    "address", ["component=gpu-hw-memory", "from=2024&to=2020", "page=99", "order=best", "q=" + "x" * 3000]
)
def test_programs_get_the_same_mistake_as_a_problem(client: Client, address: str):
    page, data = (
        client.get(f"/en/incidents?{address}"),
        client.get(f"/api/v1/incidents?{address}", headers={"accept-language": "ko"}),
    )

    assert data.status_code == page.status_code
    assert data.headers["content-type"] == "application/problem+json"
    body = data.json()
    assert set(body) == {"type", "title", "status", "detail", "errors"}
    assert any("가" <= letter <= "힣" for letter in body["detail"])


def test_unknown_values_name_the_nearest(client: Client):
    errors = client.get("/api/v1/incidents?component=gpu-hw-memory").json()["errors"]

    assert errors[0]["nearest"][0] == "gpu-hardware-memory"
    assert errors[0]["parameter"] == "component"


def test_unknown_case_names_the_nearest(client: Client):
    answer = client.get("/en/incidents/2021-08-bigscience-ecc-gpu-node-reusd")

    assert answer.status_code == 404
    assert "/en/incidents/2021-08-bigscience-ecc-gpu-node-reused" in Page(answer.text).hrefs()


def test_unknown_term_names_the_nearest(client: Client):
    answer = client.get("/en/terms/component/ncl")

    assert answer.status_code == 404
    assert "/en/terms/component/nccl" in Page(answer.text).hrefs()


@pytest.mark.parametrize("path", ["/ko/incidents/", "/ko/about//", "//ko/terms/"])
def test_a_slash_too_many_is_taken_off(client: Client, path: str):
    answer = Raw(client.app).ask(path, b"q=a")

    assert answer.status == 308
    assert answer.headers["location"].startswith("/ko/")
    assert answer.headers["location"].endswith("?q=a")


@pytest.mark.parametrize("path", ["/", "/ko"])
def test_a_redirect_to_the_cases_keeps_what_was_asked(client: Client, path: str):
    answer = Raw(client.app).ask(path, b"symptom=gpu-not-visible&q=%EA%B0%80")

    assert answer.headers["location"].endswith("/incidents?symptom=gpu-not-visible&q=%EA%B0%80")


def test_a_slash_redirect_leads_nowhere_else(client: Client):
    assert Raw(client.app).ask("//evil.example/").headers["location"] == "/evil.example"


def test_other_methods_are_refused_with_what_is_allowed(client: Client):
    answer = client.ask("DELETE", "/en/incidents")

    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]


@quick
@given(
    pairs=st.lists(st.tuples(st.sampled_from(NAMES), st.binary(max_size=30)), max_size=6), place=st.sampled_from(PLACES)
)
def test_no_query_string_breaks_a_page(app: Starlette, pairs, place: str):
    query = b"&".join(name + b"=" + value for name, value in pairs)

    assert 200 <= Raw(app).ask(f"/ko{place}", query).status < 500


@quick
@given(
    path=st.one_of(st.binary(max_size=40).map(lambda raw: unquote(quote(raw))), st.text(max_size=40)),
    prefix=st.sampled_from(
        [
            "/",
            "/ko/",
            "/en/incidents/",
            "/ko/terms/component/",
            "/api/v1/",
            "/api/v1/incidents/",
            "/static/",
            "/language/",
            "/sitemap-",
        ]
    ),
)
def test_no_path_breaks_a_page(app: Starlette, path: str, prefix: str):
    assert 200 <= Raw(app).ask(prefix + path.encode(errors="replace").decode(), b"").status < 500


@quick
@given(
    values=st.lists(st.binary(max_size=40), min_size=8, max_size=8),
    place=st.sampled_from(["/", "/ko/incidents?q=a", "/en/nothing", "/api/v1/incidents?page=0"]),
)
def test_no_header_breaks_a_page(app: Starlette, values, place: str):
    names = (
        b"host",
        b"accept-language",
        b"cookie",
        b"if-none-match",
        b"if-modified-since",
        b"accept-encoding",
        b"x-forwarded-host",
        b"accept",
    )
    path, _, query = place.partition("?")

    assert 200 <= Raw(app).ask(path, query.encode(), headers=zip(names, values, strict=True)).status < 500


@quick
@given(
    body=st.binary(max_size=300),
    kind=st.sampled_from([b"application/x-www-form-urlencoded", b"application/json", b"text/plain", b"x/y", b""]),
)
def test_no_body_breaks_the_paste(app: Starlette, body: bytes, kind: bytes):
    for path in ("/ko/similar", "/api/v1/similar"):
        assert (
            200
            <= Raw(app).ask(path, method="POST", headers=[(b"content-type", kind)], body=[b"text=" + body]).status
            < 500
        )
