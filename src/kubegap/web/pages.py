"""The pages: each handler reads the address, asks the library once, and gives the answer to a template."""

from __future__ import annotations

from msgspec.structs import replace
from starlette.responses import Response

from kubegap.library.search.query import Query
from kubegap.library.vocabulary import FACETS, Facet
from kubegap.web import mistakes
from kubegap.web.asking import ask, ask_strictly
from kubegap.web.edition import Edition
from kubegap.web.graphing import graph_of
from kubegap.web.house import House, Visit
from kubegap.web.mistakes import Refused
from kubegap.web.views import about, agents, case_page, graph, results, term, terms
from kubegap.web.views.empty import empty
from kubegap.web.views.similar import similar_page

MOST_SIMILAR = 5
PICTURE = "image/svg+xml"


class Pages:
    """The handlers of pages."""

    def __init__(self, house: House) -> None:
        self.house = house

    def results(self, visit: Visit) -> Response:
        """The list of cases."""
        edition = visit.edition
        asked = ask(visit.pairs, edition.vocabulary)
        result, counts = edition.search.run_counted(asked.query)
        if result.page > (last := results.last_page(result)):
            raise Refused(mistakes.no_page(asked.query, last))
        out = None if result.total else empty(asked.query, edition.search.total, edition.vocabulary, visit.addresses)
        found = graph_of(asked.query, result, counts, edition)
        page = results.results_page(asked, result, found, out, edition, visit.around)
        return self.house.page("results.html", page, visit)

    def picture(self, visit: Visit) -> Response:
        """The graph of a list, for a review document: every link in it is absolute."""
        edition, around, lang = visit.edition, visit.around, visit.lang
        query = ask_strictly(visit.pairs, edition.vocabulary)
        result, counts = edition.search.run_counted(query)
        addresses = replace(visit.addresses, root=around.origin + visit.addresses.root)
        page = addresses.incidents(query)
        drawn = graph.results_graph(graph_of(query, result, counts, edition), query, addresses, page)
        title, count = results.title(query, edition, lang), results.count_label(result.total, lang)
        shown = graph.picture(drawn, title, count, page, edition.mark, lang)
        return self.house.page("picture.svg", shown, visit, media_type=PICTURE)

    def case(self, visit: Visit) -> Response:
        """One case."""
        incident = visit.edition.incident(known_incident(visit.part("id"), visit.edition))
        similar = visit.edition.search.similar_to(incident.id, Query(page_size=MOST_SIMILAR)).items
        page = case_page.case_page(incident, similar, visit.edition, visit.around, self.house.settings)
        return self.house.page("case.html", page, visit)

    def term(self, visit: Visit) -> Response:
        """One term."""
        edition = visit.edition
        facet, name = known_term(visit.part("facet"), visit.part("term"), edition)
        result = edition.search.run(Query(filters={facet: (name,)}))
        page = term.term_page(facet, name, result, edition.years(facet, name), edition, visit.around)
        return self.house.page("term.html", page, visit)

    def terms(self, visit: Visit) -> Response:
        """All terms."""
        page = terms.terms_page(visit.edition.search.run(Query(page_size=1)), visit.edition, visit.around)
        return self.house.page("terms.html", page, visit)

    def about(self, visit: Visit) -> Response:
        """About the library."""
        return self.house.page("about.html", about.about_page(visit.edition, visit.around), visit)

    def agents(self, visit: Visit) -> Response:
        """How to add kubegap to an agent."""
        return self.house.page("agents.html", agents.agents_page(visit.around), visit)

    def similar(self, visit: Visit) -> Response:
        """The box for a log."""
        return self.house.page("similar.html", similar_page("", None, visit.edition, visit.around), visit)


def known_incident(incident: str, edition: Edition) -> str:
    """An id that exists; raises `Refused` with the nearest ones."""
    if incident in edition.ids:
        return incident
    close = mistakes.nearest_cases(incident, edition.generation.ids)
    raise Refused(mistakes.no_case(incident, close, edition.titles(close)))


def known_term(facet: str, term: str, edition: Edition) -> tuple[Facet, str]:
    """A facet and a term that exist; raises `Refused` with the nearest ones."""
    for name in FACETS:
        if name == facet and term in edition.vocabulary[name]:
            return name, term
    raise Refused(mistakes.no_term(facet, term, edition.vocabulary))
