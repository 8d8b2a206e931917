from __future__ import annotations

import logging

import pytest
from starlette.applications import Starlette

from kubegap.library.search.similar import MAX_BYTES
from kubegap.web import paste
from tests.web.client import Client, Raw
from tests.web.page import Page

FORM = (b"content-type", b"application/x-www-form-urlencoded")
LOG = "2021-08-12T08:19:28Z node7 RuntimeError: CUDA error: uncorrectable ECC error encountered"


def test_a_pasted_log_finds_its_case(client: Client):
    answer = client.post("/en/similar", data={"text": LOG})

    assert answer.status_code == 200
    assert "/en/incidents/2021-08-bigscience-ecc-gpu-node-reused" in Page(answer.text).hrefs()
    assert answer.headers["cache-control"] == "no-store"


def test_the_text_is_only_in_the_answer(client: Client, caplog: pytest.LogCaptureFixture):
    secret = "hunter2-secret-token"
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/ko/similar", data={"text": f"NCCL {secret}"})

    assert secret not in caplog.text
    assert secret not in str(answer.headers)
    assert secret not in "".join(Page(answer.text).hrefs())
    assert secret not in client.get("/metrics").text


def test_data_and_page_find_the_same(client: Client):
    result = client.post("/api/v1/similar", json={"text": LOG}).json()
    plain = client.post("/api/v1/similar", content=LOG, headers={"content-type": "text/plain"}).json()
    page = Page(client.post("/ko/similar", data={"text": LOG}).text)
    shown = [link.href.rsplit("/", 1)[1] for link in page.links if link.href.startswith("/ko/incidents/")]

    assert [item["id"] for item in result["items"]] == list(dict.fromkeys(shown))
    assert plain == result


def test_nothing_pasted_says_so(client: Client):
    answer = client.post("/ko/similar", data={"text": "  \n"})

    assert answer.status_code == 400
    assert "붙여 넣은 글이 없습니다." in answer.text


def test_nothing_found_says_what_to_try(client: Client):
    assert "No similar case was found" in client.post("/en/similar", data={"text": "xyzzyqwv"}).text


@pytest.mark.parametrize(("size", "status"), [(MAX_BYTES, 200), (MAX_BYTES + 1, 413)])
@pytest.mark.parametrize("letter", ["a", "%EA%B0%80"])
def test_the_limit_is_64_kib_of_text(app: Starlette, size: int, status: int, letter: str):
    each = 3 if letter.startswith("%") else 1
    whole, rest = divmod(size, each)
    text = letter * whole + "a" * rest

    assert Raw(app).ask("/en/similar", method="POST", headers=[FORM], body=[b"text=" + text.encode()]).status == status


def test_a_huge_body_is_cut_while_it_is_read(app: Starlette):
    pieces = [b"a" * 65536] * 1000
    answer = Raw(app).ask("/en/similar", method="POST", headers=[FORM], body=pieces)

    assert answer.status == 413
    assert answer.pieces_read < 10


def test_a_body_that_says_it_is_huge_is_not_read(app: Starlette):
    headers = [FORM, (b"content-length", b"99999999999999999999")]
    answer = Raw(app).ask("/api/v1/similar", method="POST", headers=headers, body=[b"a"] * 5)

    assert answer.status == 413
    assert answer.pieces_read == 0


def test_a_slow_body_is_cut(app: Starlette, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paste, "SECONDS", 0.05)

    assert Raw(app).ask("/en/similar", method="POST", headers=[FORM], body=[b"a"] * 100, pause=0.02).status == 408


def test_a_broken_connection_is_no_fault_of_ours(app: Starlette):
    assert Raw(app).ask("/en/similar", method="POST", headers=[FORM], body=[b"text=a", None]).status == 400


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("multipart/form-data; boundary=x", b"--x--", 415),
        ("application/json", b'{"text": 5}', 400),
        ("application/json", b"\xff", 400),
        ("application/json", b'{"text": "\\ud800"}', 400),
        ("application/x-www-form-urlencoded", b"&".join([b"a=1"] * 50), 400),
    ],
)
def test_other_forms_are_refused_clearly(client: Client, kind: str, body: bytes, status: int):
    answer = client.post("/api/v1/similar", content=body, headers={"content-type": kind})

    assert answer.status_code == status
    assert answer.json()["errors"]
