from __future__ import annotations

import gzip

import pytest
from msgspec.structs import replace

from kubegap.library.record import Incident
from kubegap.web.settings import Settings
from tests.web.client import Client, Raw
from tests.web.conftest import CASE

PLACES = ("/en/incidents", "/en/nothing", "/api/v1/terms", "/static/x", "/en/incidents.atom", "/robots.txt", "/healthz")


@pytest.mark.parametrize("place", PLACES)
def test_every_answer_is_safe(client: Client, place: str):
    headers = client.get(place).headers

    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "set-cookie" not in headers


@pytest.mark.parametrize(
    "place", ["/en/incidents?q=GPU", f"/ko/incidents/{CASE}", "/api/v1/incidents", "/ko/incidents.csv", "/sitemap.xml"]
)
def test_an_unchanged_answer_is_not_sent_again(client: Client, place: str):
    first = client.get(place)
    again = client.get(place, headers={"if-none-match": f'"x", {first.headers["etag"]}'})
    since = client.get(place, headers={"if-modified-since": first.headers["last-modified"]})

    assert (again.status_code, again.content) == (304, b"")
    assert since.status_code == 304
    assert again.headers["etag"] == first.headers["etag"]


def test_tags_differ_by_address_and_mistakes_have_none(client: Client):
    assert client.get("/en/incidents").headers["etag"] != client.get("/ko/incidents").headers["etag"]
    assert client.get("/en/incidents?page=2").headers["etag"] != client.get("/en/incidents").headers["etag"]
    assert "etag" not in client.get("/en/nothing").headers


def test_a_tag_of_another_address_is_worth_nothing(client: Client):
    tag = client.get("/en/incidents").headers["etag"]

    assert client.get("/en/incidents?component=gpu-hw", headers={"if-none-match": tag}).status_code == 400


@pytest.mark.parametrize("place", ["/en/incidents", "/api/v1/terms", "/en/nothing"])
def test_head_is_get_without_a_body(client: Client, place: str):
    get, head = client.get(place), client.ask("HEAD", place)

    assert (head.status_code, head.content) == (get.status_code, b"")
    assert head.headers["content-type"] == get.headers["content-type"]


def test_pages_are_compressed(client: Client):
    answer = Raw(client.app).ask("/en/incidents", headers=[(b"accept-encoding", b"gzip")])

    assert answer.headers["content-encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(answer.body)
    assert len(answer.body) < 200 * 1024


@pytest.mark.parametrize(
    "place", ["/ko/incidents.csv", "/ko/incidents.ndjson", "/api/v1/incidents", "/ko/incidents.svg"]
)
def test_what_is_sent_in_pieces_is_compressed_too(client: Client, place: str):
    plain = Raw(client.app).ask(place)
    answer = Raw(client.app).ask(place, headers=[(b"accept-encoding", b"br;q=0, gzip;q=0.5")])

    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == plain.body
    assert "Accept-Encoding" in plain.headers["vary"]


@pytest.mark.parametrize("accepted", [b"", b"br", b"gzip;q=0", b"br, gzip; q=0.0", b"xgzip"])
def test_nobody_gets_gzip_who_does_not_take_it(client: Client, accepted: bytes):
    answer = Raw(client.app).ask("/en/incidents", headers=[(b"accept-encoding", accepted)])

    assert "content-encoding" not in answer.headers
    assert answer.body.endswith(b"</html>")
    assert answer.headers["content-length"] == str(len(answer.body))


@pytest.mark.parametrize("place", ["/healthz", "/api/v1/library.zip"])
def test_what_gains_nothing_is_sent_as_it_is(client: Client, place: str):
    assert "content-encoding" not in Raw(client.app).ask(place, headers=[(b"accept-encoding", b"gzip")]).headers


def test_files_never_change_under_their_name(client: Client):
    text = client.get("/en/about").text
    name = text.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = client.get(name)

    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize(
    ("settings", "host", "origin"),
    [
        (Settings(), b"evil.example", "http://127.0.0.1:8000"),
        (Settings(proxy_headers=True), b"library.example", "http://library.example"),
        (Settings(proxy_headers=True), b'x"><script>', "http://127.0.0.1:8000"),
        (Settings(proxy_headers=True, public_url="https://public.example/"), b"evil.example", "https://public.example"),
    ],
)
def test_the_host_is_trusted_only_when_configured(made, case: Incident, settings: Settings, host: bytes, origin: str):
    client = made(replace(case, related=[]), settings=settings)
    answer = Raw(client.app).ask("/en/incidents", headers=[(b"host", host)])

    assert f'<link rel="canonical" href="{origin}/en/incidents">' in answer.body.decode()
    assert b"evil.example" not in answer.body
