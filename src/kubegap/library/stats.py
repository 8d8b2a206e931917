"""What a library holds, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct

from kubegap.library.record import Extent, Incident, SourceKind
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary, tagged

K = TypeVar("K", bound=str)


class Stats(Struct, frozen=True):
    """Counts by what they count, most first (years in order); `read` and `source_kinds` count sources, the rest records.

    `terms` counts each record once under its own terms; `unused` names the terms that no record carries, nor a narrower one.
    """

    incidents: int
    withdrawn: int
    years: dict[str, int]
    organisations: dict[str, int]
    source_languages: dict[str, int]
    source_kinds: dict[SourceKind, int]
    read: dict[Extent, int]
    terms: dict[Facet, dict[str, int]]
    unused: dict[Facet, list[str]]


def count(incidents: Iterable[Incident], vocabulary: Vocabulary) -> Stats:
    """Count records that stand; withdrawn ones only as such."""
    everything = list(incidents)
    standing = [incident for incident in everything if incident.withdrawn is None]
    sources = [source for incident in standing for source in incident.sources]
    terms = {
        facet: _most(term for incident in standing for term in dict.fromkeys(tagged(incident)[facet]))
        for facet in FACETS
    }
    return Stats(
        incidents=len(standing),
        withdrawn=len(everything) - len(standing),
        years=dict(sorted(Counter(incident.happened.from_[:4] for incident in standing).items())),
        organisations=_most(incident.organisation for incident in standing),
        source_languages=_most(source.language for source in sources),
        source_kinds=_most(source.kind for source in sources),
        read=_most(source.read for source in sources),
        terms=terms,
        unused={facet: _unused(facet, terms[facet], vocabulary) for facet in FACETS},
    )


def _most(values: Iterable[K]) -> dict[K, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))


def _unused(facet: Facet, used: Iterable[str], vocabulary: Vocabulary) -> list[str]:
    covered = {above for term in used for above in vocabulary.with_broader(facet, term)}
    return [term for term in vocabulary[facet] if term not in covered]
