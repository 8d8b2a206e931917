"""The page that answers a pasted log; the text is read, used and forgotten."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from kubegap.library.search.query import Query
from kubegap.web.api import MOST_SIMILAR
from kubegap.web.house import House, Visit
from kubegap.web.paste import pasted
from kubegap.web.views.similar import similar_page
from kubegap.web.words.similar import SIMILAR_EMPTY


class Pasting:
    """The handler of the form."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def similar(self, request: Request) -> Response:
        """Find cases like the pasted text."""
        text = await pasted(request)
        return await run_in_threadpool(self._answer, text, self.house.visit(request))

    def _answer(self, text: str, visit: Visit) -> Response:
        if not text.strip():
            problem = SIMILAR_EMPTY.of(visit.lang)
            page, status = similar_page("", None, visit.edition, visit.around, problem), 400
        else:
            result = visit.edition.search.similar(text, Query(page_size=MOST_SIMILAR))
            page, status = similar_page(text, result, visit.edition, visit.around), 200
        answer = self.house.page("similar.html", page, visit, status)
        answer.headers["cache-control"] = "no-store"
        return answer
