"""Which cases carry which values, and when they happened; gathered in one pass over the standing records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kubegap.library.record import Incident
from kubegap.library.vocabulary import Facet, Vocabulary, tagged


class Tallies:
    """Counts that search does not give."""

    def __init__(self, incidents: Iterable[Incident]) -> None:
        self._year: dict[str, str] = {}
        self._carriers: dict[tuple[Facet, str], list[str]] = {}
        for incident in incidents:
            self._year[incident.id] = incident.happened.from_[:4]
            for facet, terms in tagged(incident).items():
                for term in dict.fromkeys(terms):
                    self._carriers.setdefault((facet, term), []).append(incident.id)

    def years(self, facet: Facet, term: str, vocabulary: Vocabulary) -> Counter[str]:
        """How many cases carry a term or a narrower one, by the year in which they began."""
        terms = [term, *vocabulary.narrower(facet, term)]
        carriers = {incident for one in terms for incident in self._carriers.get((facet, one), ())}
        return Counter(self._year[incident] for incident in carriers)
