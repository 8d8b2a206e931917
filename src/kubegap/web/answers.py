"""What becomes of mistakes: a page for people, a problem document for programs, never a traceback."""

from __future__ import annotations

import logging
from typing import cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ExceptionHandler

from kubegap.library.generation import DamagedLibrary
from kubegap.problems import KubegapError
from kubegap.text import LANGS
from kubegap.web import mistakes
from kubegap.web.addresses import with_query
from kubegap.web.house import House, reader_language
from kubegap.web.mistakes import Detail, Mistake, Refused, short
from kubegap.web.problem import problem
from kubegap.web.safety import HEADERS
from kubegap.web.views.mistake import mistake_page
from kubegap.web.words import mistakes as words

_DATA_ENDINGS = (".json", ".csv", ".ndjson", ".atom", ".yaml", ".zip", ".svg")

log = logging.getLogger(__name__)


class Answers:
    """Answers to requests that have no other."""

    def __init__(self, house: House) -> None:
        self.house = house

    @property
    def by_error(self) -> dict[type[Exception], ExceptionHandler]:
        """What answers each kind of error that handlers raise."""
        return {
            Refused: self.refused,
            HTTPException: self.http,
            DamagedLibrary: self.damaged,
            KubegapError: self.unasked,
            Exception: self.broken,
        }

    async def refused(self, request: Request, error: Exception) -> Response:
        """A mistake that a handler found."""
        return self.answer(request, cast(Refused, error).mistake)

    async def unasked(self, request: Request, error: Exception) -> Response:
        """A question that the library refused."""
        return self.answer(request, mistakes.bad_query(cast(KubegapError, error), []))

    async def damaged(self, request: Request, error: Exception) -> Response:
        """Files of the library that changed under us; the server logs which, readers need not know its paths."""
        log.error("%s", error)
        return self._broken(request)

    async def http(self, request: Request, error: Exception) -> Response:
        """No such route, or not with this method."""
        found = cast(HTTPException, error)
        if found.status_code == 404:
            return self._without_slash(request) or self.answer(request, mistakes.not_found())
        if found.status_code == 405:
            detail = Detail(words.WRONG_METHOD_DETAIL.fill(method=short(request.method)))
            answer = self.answer(
                request, Mistake(405, "wrong-method", words.WRONG_METHOD, [detail], [mistakes.ALL_CASES])
            )
            answer.headers.update(found.headers or {})
            return answer
        return self.answer(
            request, Mistake(found.status_code, "refused", words.REFUSED, [Detail(words.REFUSED)], [mistakes.ALL_CASES])
        )

    async def broken(self, request: Request, _error: Exception) -> Response:
        """A fault of ours; the server logs it."""
        answer = self._broken(request)
        # This answer is made outside of what adds the headers to all others.
        answer.headers.update({name.decode(): value.decode() for name, value in HEADERS})
        return answer

    def _broken(self, request: Request) -> Response:
        detail = Detail(words.BROKEN_DETAIL)
        return self.answer(request, Mistake(500, "broken", words.BROKEN, [detail], [mistakes.ALL_CASES]))

    def answer(self, request: Request, mistake: Mistake) -> Response:
        """The mistake in the form that the asker can use."""
        path = request.scope["path"]
        if path.startswith("/api/") or path.endswith(_DATA_ENDINGS):
            return problem(mistake, reader_language(request))
        lang = next((lang for lang in LANGS if path == f"/{lang}" or path.startswith(f"/{lang}/")), None)
        visit = self.house.visit(request, lang)
        answer = self.house.page(
            "mistake.html", mistake_page(mistake, self.house.below(request), visit.around), visit, mistake.status
        )
        answer.headers["cache-control"] = "no-store"
        return answer

    def _without_slash(self, request: Request) -> Response | None:
        path = "/" + request.scope["path"].strip("/")
        if path == request.scope["path"] or request.method != "GET" or path == "/":
            return None
        return RedirectResponse(with_query(self.house.settings.root_path + path, request.scope["query_string"]), 308)
