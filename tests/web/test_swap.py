"""A new generation comes while people read."""

from __future__ import annotations

import gc
import shutil
import threading
import time
import weakref
from pathlib import Path

from msgspec.structs import replace

from kubegap.library.generation import CURRENT, INCIDENTS, Generation, current
from kubegap.library.record import Incident
from kubegap.library.search.tantivy_index import FOLDER
from kubegap.text import Text
from kubegap.web.app import create_app
from kubegap.web.edition import Shelf
from kubegap.web.settings import Settings
from tests.web.client import Client
from tests.web.conftest import CASE, CHECK, compile_made


def renamed(case: Incident, name: str) -> Incident:
    return replace(case, title=Text(ko=name, en=name), organisation=name, related=[])


def test_no_answer_fails_and_no_page_is_mixed(generation: Generation, case: Incident, tmp_path: Path):
    compile_made(tmp_path, [renamed(case, "edition-0")], generation)
    app = create_app(tmp_path, Settings())
    answers: list[tuple[int, str]] = []
    is_over = threading.Event()

    def read() -> None:
        reader = Client(app)
        while not is_over.is_set():
            answer = reader.get("/en/incidents")
            answers.append((answer.status_code, answer.text))
        reader.close()

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(1, 4):
        compile_made(tmp_path, [renamed(case, f"edition-{number}")], generation)
        time.sleep(0.15)
    is_over.set()
    for reader in readers:
        reader.join()

    assert {status for status, _ in answers} == {200}
    for _, text in answers:
        named = {number for number in range(4) if f"edition-{number}" in text}
        assert len(named) == 1


def test_the_new_generation_is_found_without_a_restart(made, generation: Generation, case: Incident, tmp_path: Path):
    client = made(renamed(case, "before"))
    tag = client.get(f"/en/incidents/{CASE}").headers["etag"]
    compile_made(tmp_path, [renamed(case, "after")], generation)
    client.app.state.house.shelf.refresh()

    answer = client.get(f"/en/incidents/{CASE}", headers={"if-none-match": tag})
    assert answer.status_code == 200
    assert "after" in answer.text
    assert "before" not in answer.text


def test_a_broken_generation_leaves_the_old_one(made, case: Incident, tmp_path: Path, caplog):
    client = made(renamed(case, "before"))
    (tmp_path / CURRENT).write_text("no-such-generation")
    shelf: Shelf = client.app.state.house.shelf
    shelf.refresh()

    assert "before" in client.get("/en/incidents").text
    assert "kubegap_library_reload_failures_total 1" in client.get("/metrics").text
    assert "still served" in caplog.text


def test_a_generation_without_its_index_leaves_the_old_one(
    made, generation: Generation, case: Incident, tmp_path: Path
):
    client = made(renamed(case, "before"))
    compile_made(tmp_path, [renamed(case, "after")], generation)
    shutil.rmtree(tmp_path / current(tmp_path) / FOLDER)
    client.app.state.house.shelf.refresh()

    assert "before" in client.get("/en/incidents").text
    assert "kubegap_library_reload_failures_total 1" in client.get("/metrics").text


def test_nothing_keeps_an_edition_that_was_swapped_out(made, generation: Generation, case: Incident, tmp_path: Path):
    client = made(renamed(case, "before"))
    shelf: Shelf = client.app.state.house.shelf
    before = weakref.ref(shelf.edition())
    places = (
        "/api/v1/openapi.json",
        "/api/v1/library",
        "/api/v1/suggest?q=gpu",
        "/ko/incidents?q=GPU",
        f"/ko/incidents/{CASE}",
    )
    for place in (
        *places,
        "/ko/incidents.svg",
        "/ko/terms",
        "/ko/checks",
        f"/ko/checks/{CHECK}",
        "/ko/about",
        "/sitemap.xml",
    ):
        assert client.get(place).status_code == 200, place
    described = client.get("/api/v1/openapi.json").content
    compile_made(tmp_path, [renamed(case, "after")], generation)
    shelf.refresh()
    gc.collect()

    assert before() is None
    assert client.get("/api/v1/openapi.json").content == described


def test_records_that_change_under_the_server_are_its_fault_and_show_no_path(
    made, case: Incident, tmp_path: Path, caplog
):
    client = made(renamed(case, "before"))
    path = tmp_path / current(tmp_path) / INCIDENTS
    with path.open("r+b") as file:
        file.write(b"x" * path.stat().st_size)

    for place in (f"/en/incidents/{CASE}", f"/api/v1/incidents/{CASE}"):
        answer = client.get(place)
        assert answer.status_code == 500
        assert str(tmp_path) not in answer.text
        assert "content-security-policy" in answer.headers
    assert str(path) in caplog.text


def test_a_directory_that_goes_away_leaves_the_library_open(made, case: Incident, tmp_path: Path):
    client = made(renamed(case, "before"))
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()

    assert client.get("/en/incidents?q=before").status_code == 200
