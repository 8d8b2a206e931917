"""Incidents as rows of a list, for tools that search."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.record import passages
from kubegap.library.search.result import Item, Result
from kubegap.library.words import when
from kubegap.mcp.desk import Desk
from kubegap.mcp.paging import fits
from kubegap.mcp.untrusted import LONGEST_TITLE, shown, told
from kubegap.text import Lang

_LESSON = 160
_ORGANISATION = 60
_TERMS = 3
_WORDS = 6
_WORD = 40
_LABEL = 80
_SENTENCE = 1_500
_RECOGNISED_BYTES = 900
_CORRECTIONS = 3


class Case(Struct, frozen=True):
    """An incident in a list; `matched` are the words of the question that stand in it."""

    incident_id: str
    title: str
    organisation: str
    happened: str
    components: list[str]
    causes: list[str]
    lesson: str
    matched: list[str]


class Filter(Struct, frozen=True):
    """A value of the vocabulary that the question names; as a filter it would leave `count` incidents."""

    facet: str
    id: str
    label: str
    count: int


class Correction(Struct, frozen=True):
    """A word that stands nowhere, and the question with the word that it may have meant."""

    word: str
    query: str


class Cases(Struct, frozen=True):
    """A page of incidents, and the sentence that says how the list was made."""

    summary: str
    total: int
    items: list[Case]
    next_cursor: str
    recognised: list[Filter]
    corrections: list[Correction]


def cases_of(result: Result, lang: Lang) -> Cases:
    """Everything of a result but its rows."""
    recognised = [
        Filter(found.facet, found.id, told(found.label.of(lang), _LABEL), found.count) for found in result.recognised
    ]
    corrections = [Correction(shown(found.word), told(found.q)) for found in result.corrections[:_CORRECTIONS]]
    return Cases(
        shown(result.sentence.of(lang), _SENTENCE),
        result.total,
        [],
        "",
        fits(recognised, _RECOGNISED_BYTES),
        corrections,
    )


def case_of(desk: Desk, item: Item, lang: Lang) -> Case:
    """One row."""
    incident = desk.shelf.incident(item.id)
    matched = dict.fromkeys(word for why in item.why for word in why.words)
    return Case(
        incident_id=item.id,
        title=told(incident.title.of(lang), LONGEST_TITLE),
        organisation=told(incident.organisation, _ORGANISATION),
        happened=when(item.happened, lang),
        components=item.components[:_TERMS],
        causes=item.causes[:_TERMS],
        lesson=told(passages(incident.lesson)[0].of(lang), _LESSON),
        matched=[shown(word, _WORD) for word in list(matched)[:_WORDS]],
    )
