"""Suggestions while a person types: values of the vocabulary and cases that begin so, or have a word that does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from kubegap.library.generation import Generation
from kubegap.library.normal import normal
from kubegap.library.record import Incident
from kubegap.library.vocabulary import FACETS, Facet, Terms
from kubegap.text import Text

MOST = 8
_MOST_CASES = 4
_LONGEST = 100


class Suggestion(Struct, frozen=True):
    """A value (`facet` and `id`) or a case (`id` alone) to go to."""

    kind: Literal["term", "incident"]
    id: str
    label: Text
    facet: Facet | None = None


class Suggester:
    """Knows everything that cases and values are called, normalised once."""

    def __init__(self, generation: Generation) -> None:
        self._terms = [pair for facet in FACETS for pair in _term_names(facet, generation.vocabulary[facet])]
        self._cases = [pair for incident in generation.standing() for pair in _case_names(incident)]

    def suggest(self, typed: str) -> list[Suggestion]:
        """Up to eight suggestions, values before cases, those that begin with it first."""
        wanted = normal(typed.strip()[:_LONGEST])
        if not wanted:
            return []
        cases = _best(wanted, self._cases)[:_MOST_CASES]
        return [*_best(wanted, self._terms)[: MOST - len(cases)], *cases]


def _term_names(facet: Facet, terms: Terms) -> Iterator[tuple[str, Suggestion]]:
    for term, entry in terms.items():
        suggestion = Suggestion("term", term, entry.label, facet)
        yield from ((normal(name), suggestion) for name in (term, *entry.names()))


def _case_names(incident: Incident) -> Iterator[tuple[str, Suggestion]]:
    suggestion = Suggestion("incident", incident.id, incident.title)
    names = (incident.title.ko, incident.title.en, incident.organisation, incident.id)
    return ((normal(name), suggestion) for name in names)


def _best(wanted: str, named: list[tuple[str, Suggestion]]) -> list[Suggestion]:
    found: dict[tuple[str, Facet | None, str], tuple[int, Suggestion]] = {}
    for name, suggestion in named:
        at = 0 if name.startswith(wanted) else 1 if f" {wanted}" in name else 2 if wanted in name else None
        key = (suggestion.kind, suggestion.facet, suggestion.id)
        if at is not None and at < found.get(key, (3, suggestion))[0]:
            found[key] = (at, suggestion)
    return [suggestion for _, suggestion in sorted(found.values(), key=lambda pair: pair[0])]
