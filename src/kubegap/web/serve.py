"""`kubegap serve`: the library in a browser, from processes that end when they are told to, without dropping anyone."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
from pathlib import Path

import click
import uvicorn
from starlette.applications import Starlette

from kubegap.library.generation import library_directory, open_library
from kubegap.problems import KubegapError
from kubegap.text import Lang, Text
from kubegap.web.app import create_app
from kubegap.web.board import Board
from kubegap.web.metrics import Metrics
from kubegap.web.settings import Settings
from kubegap.web.templating import compile_templates
from kubegap.web.wire import Wire
from kubegap.web.workers import Workers, cores

PORT = 8000
# How long answers that are under way may take once the server was told to end.
DRAIN_SECONDS = 30
_IDLE_SECONDS = 15
_ON_THE_WIRE_SECONDS = 0.5
_MOST_CONNECTIONS = 2048
_MOST_WAITING = 2048
# A worker takes in one connection at a time, so that those who knock at once are shared out among the workers.
_TAKEN_AT_ONCE = 1


class CannotListen(KubegapError):
    """The address is taken, or is not ours."""


class WorkersFailed(KubegapError):
    """A worker ended as soon as it was started."""


class Server(uvicorn.Server):
    """Says where it listens once it does, if there is anything to say."""

    def __init__(self, config: uvicorn.Config, words: str) -> None:
        super().__init__(config)
        self._words = words

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then say so on stdout."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_MOST_WAITING)
        if self.started and self._words:
            click.echo(self._words)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, then let everyone finish who had one: their request may still be on the wire."""
        # One round of the loop accepts whoever is waiting at the door.
        await asyncio.sleep(0)
        for server in self.servers:
            server.close()
        await asyncio.sleep(_ON_THE_WIRE_SECONDS)
        await super().shutdown(sockets)


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(name="serve", help=_HELP.of(lang))
    @click.option("--host", default="127.0.0.1", show_default=True, help=_HOST.of(lang))
    @click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help=_PORT.of(lang))
    @click.option("--proxy-headers", is_flag=True, help=_PROXY.of(lang))
    @click.option("--root-path", default="", metavar="PATH", help=_ROOT.of(lang))
    @click.option("--workers", type=click.IntRange(1, 256), default=cores, help=_WORKERS.of(lang))
    @click.option("--library", metavar="DIR", help=_LIBRARY.of(lang))
    @click.option("--lang", type=click.Choice(["ko", "en"]), expose_value=False, help=_LANG.of(lang))
    def serve(host: str, port: int, proxy_headers: bool, root_path: str, workers: int, library: str | None) -> None:  # noqa: FBT001
        settings = settings_from(root_path, proxy_headers=proxy_headers)
        run(library_directory(library), settings, host, port, lang, workers)

    return serve


def settings_from(root_path: str, *, proxy_headers: bool) -> Settings:
    """Settings from options, and from the environment what a deployment sets once."""
    return Settings(
        root_path="/" + root_path.strip("/") if root_path.strip("/") else "",
        public_url=os.environ.get("KUBEGAP_PUBLIC_URL") or None,
        proxy_headers=proxy_headers,
        report_url=os.environ.get("KUBEGAP_REPORT_URL") or None,
    )


# A page makes some ten thousand objects and hardly a cycle among them: looking for garbage is worth it after a few pages.
_COLLECTED = (3_000, 20, 20)


def run(library: Path, settings: Settings, host: str, port: int, lang: Lang, workers: int = 1) -> None:
    """Serve until told to end; raises `KubegapError` when there is no library or no such address."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    open_library(library)
    listening = _listen(host, port)
    words = _LISTENS.fill(address=f"{address(host, listening)}{settings.root_path}").of(lang)
    board = Board(workers)

    # What the workers have in common is made before they part, and not looked through by each of their collectors.
    compile_templates()
    gc.collect()
    gc.freeze()

    def work(place: int) -> None:
        gc.set_threshold(*_COLLECTED)
        app = create_app(library, settings, Metrics(board, place))
        Server(_config(app, settings), "" if place else words).run(sockets=[listening])

    with listening:
        if workers == 1:
            work(0)
        elif not Workers(workers, listening, work, lang).run():
            raise WorkersFailed(_FAILED)


def _config(app: Starlette, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        # Addresses of readers are logged nowhere.
        access_log=False,
        http=Wire,
        log_config=None,
        server_header=False,
        proxy_headers=settings.proxy_headers,
        backlog=_TAKEN_AT_ONCE,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )


def address(host: str, listening: socket.socket) -> str:
    """Where a browser on this machine finds us."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{name}:{listening.getsockname()[1]}"


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's delay only where it is.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise CannotListen(_TAKEN.fill(host=host, port=port, reason=error.strerror or error), _OTHER_PORT) from error
    return listening


_HELP = Text(ko="라이브러리를 브라우저로 본다.", en="Open the library in a browser.")
_HOST = Text(ko="듣는 주소", en="Address to listen on")
_PORT = Text(ko="듣는 포트", en="Port to listen on")
_PROXY = Text(
    ko="프록시가 보낸 Host, X-Forwarded-* 를 믿는다", en="Trust Host and X-Forwarded-* from the proxy in front"
)
_ROOT = Text(ko="프록시가 앞에 붙이는 경로", en="Path under which a proxy serves this")
_WORKERS = Text(ko="프로세스 수 (기본값: 코어마다 하나)", en="Number of processes (default: one for each core)")
_LIBRARY = Text(ko="컴파일된 라이브러리가 있는 폴더", en="Directory of a compiled library")
_LANG = Text(ko="언어 (기본값: 로캘)", en="Language (default: from the locale)")
_LISTENS = Text(
    ko="라이브러리를 열었습니다: {address} (끝내려면 Ctrl+C)", en="The library is open at {address} (Ctrl+C ends it)"
)
_FAILED = Text(
    ko="작업 프로세스가 시작하자마자 끝났습니다. 위에 이유가 있습니다.",
    en="A worker process ended as soon as it was started; the reason stands above.",
)
_TAKEN = Text(ko="{host}:{port} 에서 들을 수 없습니다({reason}).", en="Cannot listen on {host}:{port} ({reason}).")
_OTHER_PORT = Text(ko="`--port` 로 다른 포트를 고르세요.", en="Choose another port with `--port`.")
