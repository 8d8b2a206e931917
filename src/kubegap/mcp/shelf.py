"""The library that the tools answer from: one generation, with its search and the pages of the checks."""

from __future__ import annotations

from functools import cached_property

from kubegap.checks import pages, run
from kubegap.checks.page import Page
from kubegap.checks.pages import CHECKS
from kubegap.library.generation import Generation
from kubegap.library.record import Incident
from kubegap.library.search.search import Search
from kubegap.mcp.untrusted import LONGEST_TITLE, harmless, told
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
        """The page of a check; raises `KubegapError` with the nearest ids."""
        return pages.page_of(check, self.pages)

    def incident(self, incident: str) -> Incident:
        """One record, its texts as they may be told; raises `UnknownName` with the nearest ids."""
        return harmless(self.search.incident(incident))

    def title(self, incident: str) -> Text:
        """The title of a cited incident, or that this library does not have it."""
        return self.generation.title_of(incident).map(lambda side, _lang: told(side, LONGEST_TITLE))

    def citing(self, incident: str) -> list[str]:
        """The checks that cite an incident, in the order of ids."""
        return [page.id for page in run.choose(self.pages, incidents=[incident])]

    @cached_property
    def ids(self) -> frozenset[str]:
        """Ids of all incidents."""
        return frozenset(self.generation.ids)
