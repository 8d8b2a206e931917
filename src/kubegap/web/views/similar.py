"""The page that takes a pasted log."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.search.query import Query
from kubegap.library.search.result import Result
from kubegap.web.edition import Edition
from kubegap.web.views import results
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.views.results import Hit
from kubegap.web.words import similar as words


class SimilarPage(Struct, frozen=True):
    """The box, and below it what was found for `text`; `problem` says why nothing was searched for."""

    frame: Frame
    action: str
    text: str
    problem: str | None
    sentence: str | None
    found: str | None
    hits: list[Hit]


def similar_page(
    text: str, result: Result | None, edition: Edition, around: Around, problem: str | None = None
) -> SimilarPage:
    """The empty page, or the answer to a pasted text."""
    lang = around.addresses.lang
    return SimilarPage(
        frame=frame(around, words.SIMILAR_TITLE.of(lang), "/similar", menu="similar", is_indexed=result is None),
        action=around.addresses.similar(),
        text=text,
        problem=problem,
        sentence=result.sentence.of(lang) if result else None,
        found=words.SIMILAR_FIRST.fill(total=f"{result.total:,}", shown=f"{len(result.items):,}").of(lang)
        if result and result.items
        else None,
        hits=results.hits(Query(), result, edition, lang) if result else [],
    )
