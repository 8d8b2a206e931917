"""The library that the tools answer from: one generation, with its search and the pages of the checks."""

from __future__ import annotations

from functools import cached_property

from kubegap.checks import pages
from kubegap.checks.page import Page
from kubegap.checks.pages import CHECKS
from kubegap.library.generation import Generation
from kubegap.library.record import Incident
from kubegap.library.search.search import Search
from kubegap.mcp.untrusted import LONGEST_TITLE, harmless, told
from kubegap.problems import UnknownName, nearest
from kubegap.text import Text


class Shelf:
    """An open generation; it stays what it is while the process runs."""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.pages = generation.decoded(CHECKS, pages.decode)
        # Names the edition of the checks: reports of another one cannot be read with these pages.
        self.checks = generation.manifest.files[CHECKS].sha256
        self.search = Search(generation)

    def page(self, check: str) -> Page:
        """The page of a check; raises `UnknownName` with the nearest ids."""
        if check in self.pages:
            return self.pages[check]
        raise UnknownName(_NO_CHECK.fill(id=check), nearest(check, self.pages))

    def incident(self, incident: str) -> Incident:
        """One record, its texts as they may be told; raises `UnknownName` with the nearest ids."""
        return harmless(self.search.incident(incident))

    def title(self, incident: str) -> Text:
        """The title of a cited incident, or that this library does not have it."""
        return self.generation.title_of(incident).map(lambda side, _lang: told(side, LONGEST_TITLE))

    def citing(self, incident: str) -> list[str]:
        """The checks that cite an incident, in the order of ids."""
        return [check for check, page in self.pages.items() if incident in page.incidents]

    @cached_property
    def ids(self) -> frozenset[str]:
        """Ids of all incidents."""
        return frozenset(self.generation.ids)


_NO_CHECK = Text(ko="`{id}` 라는 점검 항목은 없습니다.", en="There is no check `{id}`.")
