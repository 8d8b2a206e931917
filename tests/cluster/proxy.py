"""Small proxies on this machine: HTTP with CONNECT, and SOCKS5. They send every host to one port here and note who was asked for."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# A server, NO_PROXY, and whether the proxy stands before that server; held against the real kubectl in `tests/control_plane`.
EXCEPTIONS = [
    ("https://api.example.com:6443", "", True),
    ("https://api.example.com:6443", "example.com", False),
    ("https://api.example.com:6443", ".example.com", False),
    ("https://api.example.com:6443", "*.example.com", False),
    ("https://api.example.com:6443", "ample.com", True),
    ("https://api.example.com:6443", "EXAMPLE.com ,other", False),
    ("https://api.example.com:6443", "other, example.com:6443", False),
    ("https://api.example.com:6443", "example.com:443", True),
    ("https://api.example.com", "example.com:443", False),
    ("https://example.com", ".example.com", True),
    ("https://example.com", "example.com", False),
    ("https://api.example.com", "*", False),
    ("https://10.1.2.3:6443", "10.0.0.0/8", False),
    ("https://10.1.2.3:6443", "10.1.2.3", False),
    ("https://10.1.2.3:6443", "10.1.2.3:6443", False),
    ("https://10.1.2.3:6443", "10.1.2.3:443", True),
    ("https://10.1.2.3:6443", "1.2.3", True),
    ("https://11.1.2.3:6443", "10.0.0.0/8,192.168.0.0/16", True),
    ("https://[fd00::1]:6443", "fd00::/8", False),
    ("https://[fd00::1]:6443", "fd00::1", False),
    ("https://[fd00::1]:6443", "[fd00::1]:6443", False),
    ("https://localhost:6443", "", False),
    ("https://127.1.2.3:6443", "", False),
    ("https://[::1]:6443", "", False),
]


class Proxy:
    """What it was asked, as `host:port`, and with which name and password."""

    def __init__(self, target: int) -> None:
        self.asked: list[str] = []
        self.login = ""
        self._target = target
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"

    @contextmanager
    def running(self) -> Iterator[Proxy]:
        threading.Thread(target=self._serve, daemon=True).start()
        try:
            yield self
        finally:
            # Closing alone would leave it open for whom the thread waits for.
            self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                threading.Thread(target=self._speak, args=(client,), daemon=True).start()

    def _speak(self, client: socket.socket) -> None:
        with client, suppress(OSError), client.makefile("rb") as said, socket.socket() as server:
            self.greet(client, said)
            server.connect(("127.0.0.1", self._target))
            back = threading.Thread(target=_carry, args=(server.recv, client), daemon=True)
            back.start()
            _carry(said.read1, server)
            back.join(5)

    def greet(self, client, said) -> None:
        """The talk before the first byte for the server."""
        raise NotImplementedError


class HttpProxy(Proxy):
    """Answers CONNECT."""

    def greet(self, client, said) -> None:
        self.asked.append(said.readline().decode().split()[1])
        while (line := said.readline().strip()) != b"":
            name, _, value = line.decode().partition(": ")
            if name.lower() == "proxy-authorization":
                self.login = base64.b64decode(value.split()[1]).decode()
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")


class SocksProxy(Proxy):
    """SOCKS5 (RFC 1928) with names and passwords (RFC 1929)."""

    def greet(self, client, said) -> None:
        methods = said.read(said.read(2)[1])
        has_login = 2 in methods
        client.sendall(bytes([5, 2 if has_login else 0]))
        if has_login:
            said.read(1)
            self.login = ":".join(said.read(said.read(1)[0]).decode() for _ in range(2))
            client.sendall(b"\x01\x00")
        kind = said.read(4)[3]
        host = said.read(said.read(1)[0]).decode() if kind == 3 else socket.inet_ntoa(said.read(4))
        self.asked.append(f"{host}:{int.from_bytes(said.read(2))}")
        client.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")


def _carry(read, to: socket.socket) -> None:
    with suppress(OSError):
        while part := read(1 << 16):
            to.sendall(part)
        to.shutdown(socket.SHUT_WR)
