"""A filter as a feed (RFC 4287): what came into the library last."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from kubegap.library.record import Incident, passages
from kubegap.library.search.query import Query
from kubegap.library.search.result import Item, Result
from kubegap.library.vocabulary import FACETS, tagged
from kubegap.web.house import Visit
from kubegap.web.structured import LICENCE
from kubegap.web.views.facets import period_label
from kubegap.web.views.plain import plain
from kubegap.web.words.results import CASES

ENTRIES = 50
_ATOM = "http://www.w3.org/2005/Atom"
_XML = "{http://www.w3.org/XML/1998/namespace}"


def feed(query: Query, result: Result, visit: Visit) -> bytes:
    """The feed of a question whose newest entries are in `result`."""
    addresses, origin, lang = visit.addresses, visit.around.origin, visit.lang
    asked = Query(query.q, query.filters, query.from_, query.to)
    incidents = [visit.edition.incident(item.id) for item in result.items]
    root = Element("feed", {"xmlns": _ATOM, f"{_XML}lang": lang})
    _text(root, "id", _urn(f"feed:{lang}:{asked.address()}"))
    _text(root, "title", _title(asked, visit))
    _text(root, "subtitle", result.sentence.of(lang))
    _text(root, "updated", max([_updated(incident) for incident in incidents], default=_instant(visit.edition.changed)))
    _link(root, "self", "application/atom+xml", origin + addresses.incidents(asked, "atom"))
    _link(root, "alternate", "text/html", origin + addresses.incidents(asked))
    _text(SubElement(root, "author"), "name", "Incident Library")
    _text(root, "rights", LICENCE)
    for item, incident in zip(result.items, incidents, strict=True):
        _entry(root, item, incident, visit)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _entry(root: Element, item: Item, incident: Incident, visit: Visit) -> None:
    lang, origin = visit.lang, visit.around.origin
    entry = SubElement(root, "entry")
    _text(entry, "id", _urn(f"incident:{item.id}"))
    _text(entry, "title", plain(incident.title.of(lang)))
    _text(entry, "published", f"{incident.added}T00:00:00Z")
    _text(entry, "updated", _updated(incident))
    _link(entry, "alternate", "text/html", origin + visit.addresses.incident(item.id))
    _link(entry, "alternate", "application/json", origin + visit.addresses.incident(item.id, "json"))
    _text(entry, "summary", plain("\n".join(passage.of(lang) for passage in passages(incident.symptom))))
    for facet in FACETS:
        for term in tagged(incident)[facet]:
            label = visit.edition.vocabulary.term(facet, term).label.of(lang)
            SubElement(
                entry,
                "category",
                {"term": term, "scheme": f"{origin}{visit.addresses.terms()}#{facet}", "label": label},
            )


def _title(query: Query, visit: Visit) -> str:
    vocabulary, lang = visit.edition.vocabulary, visit.lang
    labels = [vocabulary.term(facet, term).label.of(lang) for facet in FACETS for term in query.selected(facet)]
    parts = [part for part in (query.q, *labels, period_label(query, lang)) if part]
    return "Incident Library: " + (", ".join(parts) or CASES.of(lang))


def _urn(name: str) -> str:
    """A name that stays the same wherever the library is served."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"kubegap:{name}").urn


def _updated(incident: Incident) -> str:
    return max([incident.added, *[entry.on for entry in incident.revised]]) + "T00:00:00Z"


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(parent: Element, name: str, text: str) -> None:
    """An element with text; what XML cannot hold is replaced."""
    SubElement(parent, name).text = "".join(
        letter if _is_xml(letter) else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def _link(parent: Element, relation: str, media_type: str, href: str) -> None:
    SubElement(parent, "link", {"rel": relation, "type": media_type, "href": href})


def _is_xml(letter: str) -> bool:
    return letter in "\t\n\r" or " " <= letter <= "\ud7ff" or "\ue000" <= letter <= "\ufffd" or letter >= "\U00010000"
