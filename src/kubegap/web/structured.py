"""Structured data of a case for search engines (schema.org as JSON-LD)."""

from __future__ import annotations

from typing import Any

import msgspec

from kubegap.library.record import Incident, Source
from kubegap.library.vocabulary import FACETS, Facet, Vocabulary, tagged
from kubegap.web.addresses import Addresses
from kubegap.web.views.plain import plain

LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def case_data(incident: Incident, vocabulary: Vocabulary, origin: str, addresses: Addresses) -> str:
    """A case as JSON that is safe inside a `script` element."""
    lang = addresses.lang
    changed = max([incident.added, *[entry.on for entry in incident.revised]])
    data = {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "@id": origin + addresses.incident(incident.id),
        "headline": plain(incident.title.of(lang)),
        "inLanguage": lang,
        "workTranslation": {"@id": origin + addresses.twin.incident(incident.id)},
        "datePublished": incident.added,
        "dateModified": changed,
        "temporalCoverage": incident.happened.from_,
        "license": LICENCE,
        "isPartOf": {"@type": "Dataset", "name": "Incident Library", "url": origin + addresses.incidents()},
        "about": [
            _term(facet, term, vocabulary, origin, addresses) for facet in FACETS for term in tagged(incident)[facet]
        ],
        "citation": [_source(source) for source in incident.sources if source.url],
    }
    return for_script(data)


def for_script(data: Any) -> str:
    """JSON in which nothing can end the element or open a comment."""
    text = msgspec.json.encode(data).decode()
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _term(facet: Facet, term: str, vocabulary: Vocabulary, origin: str, addresses: Addresses) -> dict[str, str]:
    return {
        "@type": "DefinedTerm",
        "name": vocabulary.term(facet, term).label.of(addresses.lang),
        "url": origin + addresses.term(facet, term),
    }


def _source(source: Source) -> dict[str, str]:
    told = {"@type": "CreativeWork", "name": source.title, "inLanguage": source.language, "publisher": source.publisher}
    return {**told, "url": source.url or "", **({"datePublished": source.published} if source.published else {})}
