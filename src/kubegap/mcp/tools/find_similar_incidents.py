"""`find_similar_incidents`: the incidents closest to a pasted log, or to another incident."""

from __future__ import annotations

from collections.abc import Callable

from kubegap.library.search.query import Query
from kubegap.library.search.similar import MAX_BYTES
from kubegap.mcp import paging
from kubegap.mcp.arguments import Few, Language
from kubegap.mcp.cases import Cases, case_of, cases_of
from kubegap.mcp.desk import Desk
from kubegap.problems import KubegapError
from kubegap.text import Text

TITLE = "Find similar incidents"


class NothingToCompare(KubegapError):
    """Neither a text nor an incident, or both."""


def make(desk: Desk) -> Callable[..., Cases]:
    """The function that answers."""

    def find_similar_incidents(
        text: str = "",
        incident_id: str = "",
        limit: Few = 10,
        lang: Language = "",
    ) -> Cases:
        """The incidents closest to `text` (a log, an error, events; up to 64 KiB; times, addresses and hashes are masked,
        nothing is stored) or to an incident. Give one of the two. Needs no cluster.
        """
        language = desk.language(lang)
        if bool(text.strip()) == bool(incident_id):
            raise NothingToCompare(_ONE_OF_TWO)
        data = text.encode(errors="replace")
        if len(data) > MAX_BYTES:
            raise NothingToCompare(_TOO_LONG.fill(size=f"{len(data):,}", limit=f"{MAX_BYTES:,}"))
        asked, search = Query(page_size=limit), desk.shelf.search
        result = search.similar_to(incident_id, asked) if incident_id else search.similar(text, asked)
        rows = [case_of(desk, item, language) for item in result.items]
        # The closest are the answer; there is no second page of them.
        return paging.page(cases_of(result, language), rows, 0, [], total=len(rows))

    return find_similar_incidents


_ONE_OF_TWO = Text(ko="text 와 incident_id 가운데 하나만 주세요.", en="Give either text or incident_id.")
_TOO_LONG = Text(
    ko="text 가 {size} 바이트입니다. 문제가 드러나는 부분만 {limit} 바이트까지 주세요.",
    en="text has {size} bytes; give the part that shows the trouble, up to {limit} bytes.",
)
