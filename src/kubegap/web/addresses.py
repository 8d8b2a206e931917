"""Addresses of everything that has one; no other place spells a path."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from msgspec import Struct
from msgspec.structs import replace

from kubegap.library.search.query import Query
from kubegap.library.vocabulary import Facet
from kubegap.text import Lang

FORMS = ("json", "csv", "ndjson", "atom")
COOKIE_PATH = "/language"


class Addresses(Struct, frozen=True):
    """Addresses in one language, below `root` (empty or `/prefix`)."""

    root: str
    lang: Lang

    @property
    def twin(self) -> Addresses:
        """The same addresses in the other language."""
        return replace(self, lang="en" if self.lang == "ko" else "ko")

    def path(self, below: str) -> str:
        """An address from its part behind the language."""
        return f"{self.root}/{self.lang}{below}"

    def incidents(self, query: Query | None = None, form: str = "") -> str:
        """A list of cases, in one of `FORMS` or as a page."""
        return self.path(f"/incidents{'.' if form else ''}{form}{query.address() if query else ''}")

    def incident(self, incident: str, form: str = "") -> str:
        """A case."""
        return self.path(f"/incidents/{quote(incident)}{'.' if form else ''}{form}")

    def terms(self, facet: Facet | None = None) -> str:
        """The vocabulary, or one facet in it."""
        return self.path("/terms" + (f"#{facet}" if facet else ""))

    def term(self, facet: Facet, term: str) -> str:
        """A term."""
        return self.path(f"/terms/{facet}/{quote(term)}")

    def checks(self, form: str = "") -> str:
        """The index of the checks, as a page or as `json`."""
        return self.path(f"/checks{'.' if form else ''}{form}")

    def check(self, check: str, form: str = "") -> str:
        """A check."""
        return self.path(f"/checks/{quote(check)}{'.' if form else ''}{form}")

    def about(self) -> str:
        """About the library."""
        return self.path("/about")

    def agents(self) -> str:
        """How to add kubegap to an agent."""
        return self.path("/agents")

    def similar(self) -> str:
        """Where a log is pasted."""
        return self.path("/similar")

    def switch(self, below: str) -> str:
        """Goes to the twin of a page and remembers the language."""
        return f"{self.root}{COOKIE_PATH}/{self.twin.lang}?{urlencode({'to': below}, errors='replace')}"

    def static(self, name: str) -> str:
        """A file of the interface."""
        return f"{self.root}/static/{name}"

    def api(self, below: str) -> str:
        """The API."""
        return f"{self.root}/api/v1{below}"


def with_query(path: str, query: bytes) -> str:
    """The path, followed by the query of the request that is sent there."""
    return path + ("?" + query.decode("latin-1") if query else "")
