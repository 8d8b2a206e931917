"""The page of one case."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.search.result import Item
from kubegap.library.vocabulary import FACET_FIELDS, FACETS, Facet, tagged
from kubegap.text import Lang
from kubegap.web.edition import Edition
from kubegap.web.settings import Settings
from kubegap.web.structured import case_data
from kubegap.web.views.behind import Behind, behind_case
from kubegap.web.views.case import Shown
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.views.plain import plain
from kubegap.web.views.results import Link
from kubegap.web.words import case as words


class Neighbour(Struct, frozen=True):
    """Another case, with the values that make it alike."""

    title: str
    href: str
    organisation: str
    organisation_lang: str
    when: str
    shared: list[Link]


class CasePage(Struct, frozen=True):
    """A whole record, what is like it, and how to cite, take and correct it."""

    frame: Frame
    case: Shown
    checks: Behind
    related: list[Link]
    similar: list[Neighbour]
    citation: str
    permalink: str
    forms: list[Link]
    file: str
    report: str | None
    all_cases: str
    data: str


def case_page(
    incident: Incident, similar: list[Item], edition: Edition, around: Around, settings: Settings
) -> CasePage:
    """The page of an incident; `similar` are the cases closest to it."""
    addresses = around.addresses
    lang = addresses.lang
    permalink = around.origin + addresses.incident(incident.id)
    below = addresses.incident(incident.id).removeprefix(addresses.path(""))
    file = f"library/incidents/{incident.id[:4]}/{incident.id}.yaml"
    return CasePage(
        frame=frame(around, incident.title.of(lang), below, menu="incidents", is_indexed=incident.withdrawn is None),
        case=edition.case(incident.id, lang),
        checks=behind_case(incident.id, edition, addresses),
        related=[_related(other, edition, around) for other in edition.generation.related.get(incident.id, [])],
        similar=[_neighbour(incident, item, edition, around) for item in similar],
        citation=words.CITATION.fill(
            title=incident.title.map(lambda side, _: plain(side)), id=incident.id, added=incident.added, url=permalink
        ).of(lang),
        permalink=permalink,
        forms=[Link(form.upper(), addresses.incident(incident.id, form)) for form in ("json", "yaml")],
        file=file,
        report=settings.report_url,
        all_cases=addresses.incidents(),
        data=case_data(incident, edition.vocabulary, around.origin, addresses),
    )


def _related(other: str, edition: Edition, around: Around) -> Link:
    lang: Lang = around.addresses.lang
    return Link(edition.incident(other).title.of(lang), around.addresses.incident(other))


def _neighbour(incident: Incident, item: Item, edition: Edition, around: Around) -> Neighbour:
    addresses = around.addresses
    shown = edition.case(item.id, addresses.lang)
    shared = [
        Link(edition.vocabulary.term(facet, term).label.of(addresses.lang), addresses.term(facet, term))
        for facet, term in _shared(incident, item)
    ]
    return Neighbour(shown.title, shown.href, shown.organisation, shown.organisation_lang, shown.when, shared)


def _shared(incident: Incident, item: Item) -> list[tuple[Facet, str]]:
    """The values that both carry; the platform alone makes no two cases alike."""
    own = tagged(incident)
    return [
        (facet, term)
        for facet in FACETS
        if facet != "platform"
        for term in getattr(item, FACET_FIELDS[facet])
        if term in own[facet]
    ]
