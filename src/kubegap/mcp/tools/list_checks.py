"""`list_checks`: what kubegap can look for."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from kubegap.checks.model import Severity
from kubegap.checks.page import Page
from kubegap.mcp import paging
from kubegap.mcp.arguments import Language, Many
from kubegap.mcp.desk import Desk
from kubegap.mcp.untrusted import told
from kubegap.text import Lang

TITLE = "List checks"
_LOOKS_FOR = 200


class Row(Struct, frozen=True):
    """A check; `severities` are those that its findings can have, `reads` the kinds or groups of kinds that it reads."""

    check_id: str
    area: str
    title: str
    looks_for: str
    severities: list[Severity]
    incidents: list[str]
    reads: list[str]


class Checks(Struct, frozen=True):
    """A page of checks, in the order of ids."""

    total: int
    items: list[Row]
    next_cursor: str


def make(desk: Desk) -> Callable[..., Checks]:
    """The function that answers."""

    def list_checks(
        query: str = "",
        incident_id: str = "",
        limit: Many = 20,
        cursor: str = "",
        lang: Language = "",
    ) -> Checks:
        """The checks, by words of their id, area, title or description in either language, or by an incident that they
        cite. Needs no cluster. get_gap explains one.
        """
        if incident_id:
            desk.shelf.incident(incident_id)
        words = query.casefold().split()
        found = [
            page
            for page in desk.shelf.pages.values()
            if (not incident_id or incident_id in page.incidents) and _says(page, words)
        ]
        question = [words, incident_id]
        start, language = paging.start_of(cursor, question), desk.language(lang)
        rows = [_row(page, language) for page in found[start : start + limit]]
        return paging.page(Checks(0, [], ""), rows, start, question, total=len(found))

    return list_checks


def _says(page: Page, words: list[str]) -> bool:
    """Whether every word stands in the check's id, area, title or description."""
    said = f"{page.id} {page.area} {page.title.ko} {page.title.en} {page.looks_for.ko} {page.looks_for.en}".casefold()
    return all(word in said for word in words)


def _row(page: Page, lang: Lang) -> Row:
    return Row(
        page.id,
        page.area,
        page.title.of(lang),
        told(page.looks_for.of(lang), _LOOKS_FOR),
        [severity for severity in Severity if severity in page.severities],
        page.incidents,
        [read.resource for read in page.reads],
    )
