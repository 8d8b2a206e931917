"""Cases that are alike by the values they share; a rare value tells more than a common one."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, Facet, tagged

Value = tuple[Facet, str]

LEAST_SHARED = 2
MOST_CASES = 5
# A value on more cases than this tells little, and walking its cases would take long.
COMMON = 5000


class Alike(Struct, frozen=True):
    """A case that shares values with another, the rarest first."""

    incident: str
    shared: list[Value]


class Tallies:
    """Which case carries which values, gathered in one pass over the standing records."""

    def __init__(self, incidents: Iterable[Incident]) -> None:
        self.own: dict[str, frozenset[Value]] = {}
        self.carriers: dict[Value, list[str]] = {}
        self.years: dict[str, str] = {}
        for incident in incidents:
            terms = tagged(incident)
            self.years[incident.id] = incident.happened.from_[:4]
            self.own[incident.id] = frozenset((facet, term) for facet in FACETS for term in terms[facet])
            for value in self.own[incident.id]:
                self.carriers.setdefault(value, []).append(incident.id)

    def weight(self, value: Value) -> float:
        """How much a value tells."""
        return log(1 + len(self.own) / len(self.carriers[value]))

    def alike(self, incident: str) -> list[Alike]:
        """The cases most like one, best first; those that share a single value are left out."""
        scores: dict[str, float] = {}
        for value in self._telling(incident):
            if len(carriers := self.carriers[value]) <= COMMON:
                for other in carriers:
                    scores[other] = scores.get(other, 0) + self.weight(value)
        scores.pop(incident, None)
        ranked = sorted(scores, key=lambda other: (-scores[other], other))
        found = [Alike(other, self._shared(incident, other)) for other in ranked[: MOST_CASES * 4]]
        return [like for like in found if len(like.shared) >= LEAST_SHARED][:MOST_CASES]

    def _telling(self, incident: str) -> frozenset[Value]:
        """The values that make cases alike; the platform alone does not."""
        return frozenset(value for value in self.own.get(incident, ()) if value[0] != "platform")

    def _shared(self, one: str, other: str) -> list[Value]:
        return sorted(self._telling(one) & self._telling(other), key=lambda value: (-self.weight(value), value))
