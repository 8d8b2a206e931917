"""Routes that are neither pages nor data: the way in, the language switch, files, crawlers, health."""

from __future__ import annotations

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kubegap.web import crawlers
from kubegap.web.addresses import COOKIE_PATH, Addresses, with_query
from kubegap.web.house import House, Visit, query_pairs, reader_language
from kubegap.web.language import COOKIE, known
from kubegap.web.metrics import MEDIA_TYPE, Metrics

_YEAR = 365 * 24 * 3600
_FOREVER = {"cache-control": f"public, max-age={_YEAR}, immutable"}
_BY_READER = {"vary": "Accept-Language, Cookie", "cache-control": "no-cache"}
_PART = re.compile(r"[0-9]{1,6}")
XML = "application/xml; charset=utf-8"


class Plumbing:
    """The handlers."""

    def __init__(self, house: House, metrics: Metrics) -> None:
        self.house = house
        self.metrics = metrics

    def routes(self) -> list[Route]:
        """All of them."""
        fresh = self.house.fresh
        return [
            Route("/", self.entrance),
            Route("/{lang:lang}", self.language_root),
            Route(f"{COOKIE_PATH}/{{lang:lang}}", self.language),
            Route("/static/{name}", self.static),
            Route("/robots.txt", fresh(self.robots)),
            Route("/sitemap.xml", fresh(self.sitemap)),
            Route("/sitemap-{part}.xml", fresh(self.sitemap)),
            Route("/{lang:lang}/opensearch.xml", fresh(self.opensearch)),
            Route("/healthz", self.healthz),
            Route("/readyz", self.readyz),
            Route("/metrics", self.numbers),
        ]

    def entrance(self, request: Request) -> Response:
        """To the cases, in the reader's language."""
        addresses = Addresses(self.house.settings.root_path, reader_language(request))
        return RedirectResponse(
            with_query(addresses.incidents(), request.scope["query_string"]), 302, headers=_BY_READER
        )

    def language_root(self, request: Request) -> Response:
        """To the cases, in the language of the path; what was asked for goes along."""
        cases = self._addresses(request).incidents()
        return RedirectResponse(with_query(cases, request.scope["query_string"]), 308)

    def language(self, request: Request) -> Response:
        """Remember the language and go on to the page that the switch stood on."""
        below = next((value for name, value in query_pairs(request) if name == "to"), "")
        addresses = self._addresses(request)
        # What stands behind the language cannot lead out of this site.
        answer = RedirectResponse(addresses.path(below) if below.startswith("/") else addresses.incidents(), 303)
        is_secure = request.scope["scheme"] == "https"
        path = self.house.settings.root_path or "/"
        answer.set_cookie(
            COOKIE, addresses.lang, max_age=_YEAR, path=path, samesite="lax", httponly=True, secure=is_secure
        )
        answer.headers["cache-control"] = "no-store"
        return answer

    def static(self, request: Request) -> Response:
        """A file of the interface."""
        if (file := self.house.static.get(request.path_params["name"])) is None:
            raise HTTPException(404)
        return Response(file.data, media_type=file.media_type, headers=_FOREVER)

    def robots(self, visit: Visit) -> Response:
        """The rules for robots."""
        return Response(
            crawlers.robots(visit.around.origin, self.house.settings.root_path), media_type="text/plain; charset=utf-8"
        )

    def sitemap(self, visit: Visit) -> Response:
        """All addresses worth finding."""
        part = visit.request.path_params.get("part")
        number = int(part) if part and _PART.fullmatch(part) else 0 if part else None
        text = crawlers.sitemap(visit.edition, visit.around.origin, self.house.settings.root_path, number)
        if text is None:
            raise HTTPException(404)
        return Response(text, media_type=XML)

    def opensearch(self, visit: Visit) -> Response:
        """The description of the search box."""
        text = crawlers.search_description(visit.around.origin, visit.addresses)
        return Response(text, media_type="application/opensearchdescription+xml; charset=utf-8")

    def healthz(self, _request: Request) -> Response:
        """The process answers."""
        return Response("ok\n", media_type="text/plain", headers={"cache-control": "no-store"})

    def readyz(self, _request: Request) -> Response:
        """A library is open."""
        mark = self.house.shelf.edition().mark
        return Response(f"ok {mark}\n", media_type="text/plain", headers={"cache-control": "no-store"})

    def numbers(self, _request: Request) -> Response:
        """Numbers about the server."""
        edition = self.house.shelf.edition()
        text = self.metrics.text(len(edition.ids), edition.mark, self.house.shelf.failures)
        return Response(text.encode(), headers={"content-type": MEDIA_TYPE, "cache-control": "no-store"})

    def _addresses(self, request: Request) -> Addresses:
        return Addresses(self.house.settings.root_path, known(request.path_params["lang"]) or reader_language(request))
