"""The dead-link check, against a server of the test's own."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from kubegap.cli.commands.library import links


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(int(self.path[1:4]))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def address():
    server = HTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_dead_addresses_are_told_with_their_place(address: str) -> None:
    asked = list(links._asked([links.Link("a.yaml", 3, f"{address}/{code}") for code in (200, 404, 403, 500)]))

    assert [(link.line, link.trouble) for link in asked] == [(3, None), (3, "HTTP 404"), (3, None), (3, "HTTP 500")]


def test_unreachable_address_is_told() -> None:
    (link,) = links._asked([links.Link("a.yaml", 3, "http://127.0.0.1:9/")])

    assert link.trouble


def test_every_address_of_the_library_is_asked(loaded) -> None:
    found = list(links._links(loaded))
    sources = [source for document in loaded.incidents.values() for source in document.value.sources]
    wanted = [url for source in sources for url in (source.url, source.archive) if url]

    assert [link.url for link in found] == wanted
    assert all(link.line > 1 for link in found)
