"""What every handler stands on: the editions, the templates, and the request told in our terms."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from email.utils import format_datetime, parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl, quote
from weakref import WeakKeyDictionary

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kubegap.text import LANGS, Lang
from kubegap.web.addresses import Addresses
from kubegap.web.edition import Edition, Shelf
from kubegap.web.language import COOKIE, choose, known
from kubegap.web.settings import Settings
from kubegap.web.templating import Drawn, Templates
from kubegap.web.views.frame import Around

_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
_PATH_SAFE = "/-._~!$&'()*+,;=:@"
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

HTML = "text/html; charset=utf-8"

Handler = Callable[["Visit"], Response]
Endpoint = Callable[[Request], Awaitable[Response]]


class StaticFile(Struct, frozen=True):
    """A file of the interface; its name holds its content's hash, so that it never changes."""

    data: bytes
    media_type: str


class Visit(Struct, frozen=True):
    """One request, with the one edition that answers it."""

    request: Request
    edition: Edition
    addresses: Addresses
    around: Around

    @property
    def lang(self) -> Lang:
        """The language of the answer."""
        return self.addresses.lang

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of the address, in order; bytes that are no UTF-8 are replaced."""
        return query_pairs(self.request)

    def part(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])


class House:
    """Editions, settings and templates of one server."""

    def __init__(self, library: Path, settings: Settings) -> None:
        self.settings = settings
        self.shelf = Shelf(library, settings.root_path)
        self.templates = Templates()
        self.static, self.static_names = _static_files()
        self.code_mark = _code_mark()
        self._drawn: WeakKeyDictionary[Edition, dict[Lang, Drawn]] = WeakKeyDictionary()

    def visit(self, request: Request, lang: Lang | None = None) -> Visit:
        """A request, in a language, or else in that of its path, or else in the reader's."""
        edition = self.shelf.edition()
        chosen = lang or known(request.path_params.get("lang")) or reader_language(request)
        addresses = Addresses(self.settings.root_path, chosen)
        return Visit(
            request, edition, addresses, Around(addresses, self.origin(request), edition.mark, self.static_names)
        )

    def drawn(self, edition: Edition, lang: Lang) -> Drawn:
        """What an edition draws only once."""
        if (found := self._drawn.get(edition)) is None:
            found = self._drawn[edition] = {lang: self.templates.drawn(lang) for lang in LANGS}
        return found[lang]

    def page(self, name: str, page: Struct, visit: Visit, status: int = 200, media_type: str = HTML) -> Response:
        """A page from its view model."""
        text = self.templates.render(name, page, visit.lang, draw=self.drawn(visit.edition, visit.lang))
        headers = {"content-language": visit.lang}
        return Response(text.encode(errors="replace"), status, media_type=media_type, headers=headers)

    def fresh(self, handler: Handler, *, is_quick: bool = False) -> Endpoint:
        """An endpoint whose answer depends on the edition and the address alone: who has it gets 304.

        A quick one is answered at once, without the detour through another thread, which costs a fraction of a millisecond.
        """

        async def endpoint(request: Request) -> Response:
            visit = self.visit(request)
            stamp = self.stamp(visit)
            if is_unchanged(request, stamp):
                return Response(status_code=304, headers=stamp)
            response = handler(visit) if is_quick else await run_in_threadpool(handler, visit)
            if response.status_code == 200:
                response.headers.update(stamp)
            return response

        endpoint.__name__ = handler.__name__
        return endpoint

    def stamp(self, visit: Visit) -> dict[str, str]:
        """ETag and Last-Modified; the tag names this address too, so that only who was answered before can hold it."""
        scope = visit.request.scope
        address = hashlib.blake2b(
            f"{self.code_mark} {scope['path']}?".encode(errors="replace") + scope["query_string"], digest_size=6
        )
        changed = visit.edition.changed
        return {
            "etag": f'W/"{visit.edition.mark}-{address.hexdigest()}"',
            "last-modified": format_datetime(changed, usegmt=True),
            "cache-control": "no-cache",
        }

    def origin(self, request: Request) -> str:
        """`https://host`, without trusting what the asker claims."""
        if self.settings.public_url:
            return self.settings.public_url.rstrip("/")
        host = request.headers.get("host", "")
        if self.settings.proxy_headers and _HOST.fullmatch(host):
            return f"{request.scope['scheme']}://{host}"
        name, port = request.scope.get("server") or ("127.0.0.1", None)
        name = f"[{name}]" if ":" in name else name
        return f"{request.scope['scheme']}://{name}" + (f":{port}" if port not in {None, 80, 443} else "")

    def below(self, request: Request) -> str:
        """The address behind the language, quoted anew; `/incidents` for an address without a language."""
        path = request.scope["path"]
        rest = next((path[3:] for lang in LANGS if path == f"/{lang}" or path.startswith(f"/{lang}/")), "/incidents")
        return quote(rest, safe=_PATH_SAFE, errors="replace")


def query_pairs(request: Request) -> list[tuple[str, str]]:
    """The parameters of an address, in order."""
    query: bytes = request.scope["query_string"]
    return parse_qsl(query.decode("latin-1"), keep_blank_values=True, errors="replace")


def reader_language(request: Request) -> Lang:
    """The language that the reader chose, or that the browser asks for."""
    return choose(request.cookies.get(COOKIE), request.headers.get("accept-language", ""))


def is_unchanged(request: Request, stamp: dict[str, str]) -> bool:
    """Whether the asker already has the answer; the tag decides where there is one."""
    if tags := request.headers.get("if-none-match"):
        return stamp["etag"] in [tag.strip() for tag in tags.split(",")]
    if since := request.headers.get("if-modified-since"):
        try:
            return parsedate_to_datetime(since) >= parsedate_to_datetime(stamp["last-modified"])
        except (ValueError, TypeError, OverflowError):
            return False
    return False


def _static_files() -> tuple[dict[str, StaticFile], dict[str, str]]:
    served: dict[str, StaticFile] = {}
    names: dict[str, str] = {}
    for file in files("kubegap.web").joinpath("static").iterdir():
        data = file.read_bytes()
        stem, _, ending = file.name.rpartition(".")
        names[file.name] = f"{stem}-{hashlib.sha256(data).hexdigest()[:10]}.{ending}"
        served[names[file.name]] = StaticFile(data, TYPES[f".{ending}"])
    return served, names


def _code_mark() -> str:
    """Names the code that makes the pages, so that a new version makes new answers."""
    digest = hashlib.sha256()
    try:
        digest.update(version("kubegap").encode())
    except PackageNotFoundError:
        digest.update(b"not installed")
    for file in sorted(Path(__file__).parent.rglob("*.*")):
        if file.suffix in {".py", ".html", ".css", ".js", ".svg"}:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]
