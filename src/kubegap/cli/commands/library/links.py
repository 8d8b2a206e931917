"""`kubegap library links`: ask the web whether the sources still stand. The only command of the library that leaves the machine."""

from __future__ import annotations

import ssl
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from kubegap.cli import options
from kubegap.library import loading
from kubegap.library.loading import Library
from kubegap.text import Lang, Text

DEAD = 1
_SECONDS = 15
_AT_ONCE = 4
# Sites that turn programs away still stand.
_STANDING = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.TOO_MANY_REQUESTS}


class Link(Struct, frozen=True):
    """An address of a source, where it stands in the files, and what the web answered (`trouble` absent: it stands)."""

    path: str
    line: int
    url: str
    trouble: str | None = None


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @options.roots_argument()
    @options.format_option(lang, "table", "json")
    @options.lang_option(lang)
    def links(roots: tuple[Path, ...], form: str) -> int:
        asked = list(_asked(_links(loading.load(roots))))
        dead = [link for link in asked if link.trouble]
        if form == "json":
            click.echo(msgspec.json.encode({"links": len(asked), "dead": dead}))
        else:
            for link in dead:
                click.echo(f"{link.path}:{link.line}: {link.url}: {link.trouble}")
            click.echo(_SUMMARY.fill(links=len(asked), dead=len(dead)).of(lang), err=True)
        return DEAD if dead else 0

    return links


def _links(library: Library) -> Iterator[Link]:
    for document in library.incidents.values():
        for place, source in enumerate(document.value.sources):
            for field, url in (("url", source.url), ("archive", source.archive)):
                if url:
                    yield Link(document.path, document.parsed.mark(("sources", place, field)).line, url)


def _asked(links: Iterable[Link]) -> Iterator[Link]:
    """Each address asked once, a few at a time."""
    found = list(links)
    urls = list(dict.fromkeys(link.url for link in found))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        trouble = dict(zip(urls, pool.map(_trouble, urls), strict=True))
    return (msgspec.structs.replace(link, trouble=trouble[link.url]) for link in found)


def _trouble(url: str) -> str | None:
    request = urllib.request.Request(url, headers={"User-Agent": "kubegap library links"})  # noqa: S310, records hold https only
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS):  # noqa: S310
            return None
    except urllib.error.HTTPError as error:
        return None if error.code in _STANDING else f"HTTP {error.code}"
    except (OSError, ssl.SSLError, ValueError) as error:
        return str(error)


_HELP = Text(
    ko="출처의 주소가 아직 살아 있는지 웹에 물어본다. 이 명령만 네트워크를 쓴다.",
    en="Ask the web whether the sources' addresses still stand. Only this command uses the network.",
)
_SUMMARY = Text(ko="주소 {links}개 가운데 {dead}개가 답하지 않습니다.", en="{dead} of {links} addresses do not answer.")
