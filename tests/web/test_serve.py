"""The command, as its own process."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent.parent / "src"
START = """
import sys
from kubegap.web import serve, wire
wire.HEAD_SECONDS = float(sys.argv[1])
serve.command(sys.argv[2]).main(sys.argv[3:])
"""


def start(library: Path, lang: str = "ko", *options: str, seconds: str = "15") -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        [sys.executable, "-c", START, seconds, lang, "--port", "0", "--library", str(library), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SRC)},
    )
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    assert found, line + process.stderr.read()
    assert ("라이브러리" in line) == (lang == "ko")
    return process, int(found[1])


def test_every_accepted_request_is_answered_when_it_ends(library_dir: Path):
    process, port = start(library_dir)
    answered: list[tuple[int, bool]] = []

    def read() -> None:
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            try:
                connection.connect()
            except OSError:
                return
            try:
                connection.request("GET", "/ko/incidents?q=NCCL")
                answer = connection.getresponse()
                answered.append((answer.status, answer.read().endswith(b"</html>")))
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # Closed before a byte came: it was still waiting at the door, and is safe to send again.
                return
            finally:
                connection.close()

    readers = [threading.Thread(target=read) for _ in range(6)]
    for reader in readers:
        reader.start()
    while len(answered) < 5:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    for reader in readers:
        reader.join()

    errors = ended(process)
    assert set(answered) == {(200, True)}
    assert "Traceback" not in errors


def test_a_request_under_way_is_finished(library_dir: Path):
    process, port = start(library_dir, "en")
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = "POST /en/similar HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nNC"
        connection.sendall(head.encode())
        connection.settimeout(20)
        # Give the server the time to accept it.
        assert http_get(port, "/healthz") == 200
        process.send_signal(signal.SIGTERM)
        connection.sendall(b"CL")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))

    assert answer.startswith(b"HTTP/1.1 200 ")
    ended(process)


def ended(process: subprocess.Popen[str]) -> str:
    """What it said on stderr, once it has ended as it should."""
    _, errors = process.communicate(timeout=20)
    assert process.returncode in {0, -signal.SIGTERM}
    return errors


def http_get(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_head_that_is_slow_or_does_not_end_is_cut_off(library_dir: Path):
    process, port = start(library_dir, "en", "--workers", "1", seconds="0.5")
    with (
        socket.create_connection(("127.0.0.1", port)) as slow,
        socket.create_connection(("127.0.0.1", port)) as endless,
    ):
        for connection in (slow, endless):
            connection.settimeout(20)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-More: ")
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                endless.sendall(b"a" * 4096)
        assert is_cut_off(endless)
        assert is_cut_off(slow)
    assert http_get(port, "/healthz") == 200
    process.send_signal(signal.SIGTERM)
    ended(process)


def is_cut_off(connection: socket.socket) -> bool:
    try:
        return connection.recv(100) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize(("lang", "words"), [("ko", "라이브러리가 없습니다"), ("en", "There is no library")])
def test_no_library_is_one_clear_line(tmp_path: Path, lang: str, words: str):
    from kubegap.problems import KubegapError
    from kubegap.web.serve import run
    from kubegap.web.settings import Settings

    with pytest.raises(KubegapError) as error:
        run(tmp_path, Settings(), "127.0.0.1", 0, lang)
    assert words in error.value.sentence(lang)


def test_a_taken_port_is_one_clear_line(library_dir: Path):
    from kubegap.web.serve import CannotListen, run
    from kubegap.web.settings import Settings

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CannotListen) as error:
            run(library_dir, Settings(), "127.0.0.1", taken.getsockname()[1], "en")
    assert "--port" in error.value.sentence("en")


def test_settings_come_from_options_and_environment(monkeypatch: pytest.MonkeyPatch):
    from kubegap.web.serve import settings_from

    monkeypatch.setenv("KUBEGAP_PUBLIC_URL", "https://public.example")
    settings = settings_from("library/", proxy_headers=True)

    assert (settings.root_path, settings.public_url, settings.proxy_headers) == (
        "/library",
        "https://public.example",
        True,
    )


def metrics_of(port: int) -> Iterator[str]:
    """What `/metrics` tells, asked again and again for a while."""
    for _ in range(200):
        yield http_text(port, "/metrics")
        time.sleep(0.05)
    raise AssertionError(http_text(port, "/metrics"))


def test_workers_tell_the_sum_and_are_replaced(library_dir: Path):
    process, port = start(library_dir, "en", "--workers", "2")
    for _ in range(20):
        assert http_get(port, "/healthz") == 200
    # A request is counted after its answer has gone out, so the last one may be missing for a moment.
    told = list(takewhile(lambda text: 'handler="healthz",status="200"} 20' not in text, metrics_of(port)))
    asked = 20 + len(told) + 1
    for more in (0, 1):
        counted = int(http_text(port, "/metrics").split("kubegap_http_request_seconds_count ")[1].split("\n")[0])
        assert asked + more - 1 <= counted <= asked + more

    one = children(process.pid)[0]
    time.sleep(2.1)
    os.kill(one, signal.SIGKILL)
    while one in children(process.pid) or len(children(process.pid)) < 2:
        time.sleep(0.05)
    assert http_get(port, "/en/incidents") == 200
    process.send_signal(signal.SIGTERM)
    assert "Traceback" not in ended(process)


def test_all_workers_end_together(library_dir: Path):
    process, port = start(library_dir, "en", "--workers", "3")
    assert http_get(port, "/healthz") == 200
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)

    ended(process)
    assert len(workers) == 3
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def http_text(port: int, path: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return text
