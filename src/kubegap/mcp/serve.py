"""`kubegap mcp`: serve the tools over stdin and stdout until the client goes away."""

from __future__ import annotations

import os

import click

from kubegap.library.generation import library_directory, open_library
from kubegap.mcp.desk import Desk
from kubegap.mcp.scanning import Scanner
from kubegap.mcp.scans import Scans, default_folder
from kubegap.mcp.server import make_server
from kubegap.mcp.shelf import Shelf
from kubegap.mcp.target import Target
from kubegap.text import Lang, Text


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(name="mcp", help=_HELP.of(lang))
    @click.option("--kubeconfig", metavar="FILE", envvar="KUBEGAP_KUBECONFIG", help=_KUBECONFIG.of(lang))
    @click.option("--context", metavar="NAME", envvar="KUBEGAP_CONTEXT", help=_CONTEXT.of(lang))
    @click.option("--no-exec", is_flag=True, help=_NO_EXEC.of(lang))
    @click.option("--library", metavar="DIR", help=_LIBRARY.of(lang))
    @click.option("--lang", type=click.Choice(["ko", "en"]), expose_value=False, help=_LANG.of(lang))
    def mcp(kubeconfig: str | None, context: str | None, library: str | None, no_exec: bool) -> None:  # noqa: FBT001
        shelf = Shelf(open_library(library_directory(library)))
        target = Target(dict(os.environ), kubeconfig, context, no_exec)
        scans = Scans(default_folder(), shelf)
        desk = Desk(shelf, target, scans, Scanner(target.read, shelf, scans), lang)
        try:
            make_server(desk).run("stdio")
        finally:
            desk.scanner.end()

    return mcp


_HELP = Text(
    ko="사례 라이브러리와 점검을 에이전트의 도구로 제공한다 (MCP, 표준 입출력). 클러스터는 읽기만 한다.",
    en="Serve the library and the checker as tools of an agent (MCP over stdin and stdout). A cluster is only read.",
)
_KUBECONFIG = Text(ko="kubeconfig 파일 (기본값: KUBECONFIG)", en="The kubeconfig (default: KUBECONFIG)")
_CONTEXT = Text(
    ko="kubeconfig 의 컨텍스트 (기본값: current-context)", en="Context of the kubeconfig (default: the current one)"
)
_NO_EXEC = Text(
    ko="kubeconfig 가 인증을 위해 실행하라는 프로그램을 실행하지 않는다",
    en="Do not run programs that the kubeconfig names to authenticate",
)
_LIBRARY = Text(ko="컴파일된 라이브러리가 있는 폴더", en="Directory of a compiled library")
_LANG = Text(ko="답의 언어 (기본값: 로캘)", en="Language of answers (default: from the locale)")
