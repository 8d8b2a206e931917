"""What a search engine must do, whatever engine it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from kubegap.library.search.fields import Field
from kubegap.library.search.plan import Plan
from kubegap.library.vocabulary import Facet

# How many cases carry each term, by facet.
Counts = Mapping[Facet, Mapping[str, int]]


class Hits(Struct, frozen=True):
    """What an engine found.

    `ids` is the asked page in order; `total` counts all pages. `counts` holds, by facet and term, the cases that match the words
    and the other facets and carry the term or a narrower one; `found` counts the found cases alone. `dropped` are places in the
    plan's words. `vague` counts cases that are dated too roughly to be sure of the asked period. `own` counts the cases' own
    components, without broader ones.
    """

    ids: tuple[str, ...]
    total: int
    counts: Counts
    found: Counts
    dropped: tuple[int, ...] = ()
    vague: int = 0
    own: Mapping[str, int] = {}


class SearchBackend(Protocol):
    """An engine over one generation. Withdrawn cases are never found."""

    def search(self, plan: Plan) -> Hits:
        """Run a plan."""

    def total(self, plan: Plan) -> int:
        """Only the number of cases that a plan finds, which takes far less than counting their values."""

    def ids(self, plan: Plan) -> tuple[str, ...]:
        """Only the asked page."""

    def frequency(self, field: Field, key: str) -> int:
        """In how many cases a field has a key."""

    def pair_frequency(self, pair: str) -> int:
        """In how many cases two words are neighbours."""
