"""A client that costs the machine little, since it shares the cores with what it measures: plain sockets, kept open."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Lock

_HEAD = "GET {} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n\r\n"
_TIMEOUT = 120


class Connection:
    """One connection to a local port, for one request after the other."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT)

    def get(self, address: str) -> float:
        """Ask for a page and read it whole; the seconds that took. Raises `RuntimeError` unless it is there."""
        begun = time.perf_counter()
        self._socket.sendall(_HEAD.format(address).encode())
        head, _, body = self._head()
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"{address}: {head[:40]!r}")
        left = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]) - len(body)
        while left > 0:
            left -= len(self._read())
        return time.perf_counter() - begun

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _head(self) -> tuple[bytes, bytes, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._read()
        return data.partition(b"\r\n\r\n")

    def _read(self) -> bytes:
        if not (data := self._socket.recv(262_144)):
            raise RuntimeError("the server hung up in the middle of an answer")
        return data


def ask(port: int, addresses: Iterator[str], clients: int) -> list[float]:
    """Have some clients ask for all addresses, each address once; the seconds that every answer took."""
    lock = Lock()

    def work(_: int) -> list[float]:
        times = []
        with closing(Connection(port)) as connection:
            while True:
                with lock:
                    address = next(addresses, None)
                if address is None:
                    return times
                times.append(connection.get(address))

    with ThreadPoolExecutor(clients) as pool:
        return [seconds for times in pool.map(work, range(clients)) for seconds in times]
