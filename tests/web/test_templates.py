"""Each template uses what its view model offers, all of it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from markupsafe import Markup
from msgspec import Struct

from kubegap.library.search.query import Query
from kubegap.text import LANGS
from kubegap.web.addresses import Addresses
from kubegap.web.asking import Asked
from kubegap.web.edition import Edition
from kubegap.web.graphing import graph_of
from kubegap.web.house import House
from kubegap.web.mistakes import not_found
from kubegap.web.settings import Settings
from kubegap.web.views import about, agents, case_page, empty, graph, mistake, results, similar, term, terms
from kubegap.web.views import check as check_view
from kubegap.web.views import checks as checks_view
from kubegap.web.views.frame import Around
from tests.web.conftest import CASE

# The views themselves choose tags by it.
NOT_SHOWN = {("ShownTag", "id"), ("Shown", "glance_tags")}


class Watched:
    """A view model that notes which of its fields are read."""

    def __init__(self, struct: Struct, read: set[tuple[str, str]]) -> None:
        self._struct = struct
        self._read = read

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._read.add((type(self._struct).__name__, name))
        return watched(getattr(self._struct, name), self._read)


def watched(value: Any, read: set[tuple[str, str]]) -> Any:
    if isinstance(value, Struct):
        return Watched(value, read)
    return [watched(one, read) for one in value] if isinstance(value, list) else value


def offered(value: Any) -> set[tuple[str, str]]:
    if isinstance(value, list):
        return {field for one in value for field in offered(one)}
    if not isinstance(value, Struct):
        return set()
    own = {(type(value).__name__, name) for name in value.__struct_fields__}
    return own.union(*[offered(getattr(value, name)) for name in value.__struct_fields__])


class Drawing:
    """Draws the pieces anew, so that what they read is seen."""

    def __init__(self, house: House, lang: str) -> None:
        self._environment = house.templates._environments[lang]

    def body(self, case: Any) -> Markup:
        return Markup(self._environment.get_template("_body.html").render(case=case))

    def glance(self, case: Any) -> Markup:
        return Markup(self._environment.get_template("_glance.html").render(case=case))

    def tags(self, hit: Any) -> Markup:
        return Markup(self._environment.get_template("_tags.html").render(hit=hit))

    def values(self, _facet: str, values: Any) -> Markup:
        return self._filled("_value.html", values)

    def nodes(self, group: Any) -> Markup:
        return self._filled("_node.html", group.values)

    def rows(self, group: Any) -> Markup:
        return self._filled("_row.html", group.values)

    def _filled(self, name: str, values: Any) -> Markup:
        template = self._environment.get_template(name)
        return Markup("").join(Markup(template.render(value=value, own=value)) for value in values)


def pages(edition: Edition, around: Around):
    vocabulary, addresses = edition.vocabulary, around.addresses

    def found(query: Query, *unknown: str):
        result, counts = edition.search.run_counted(query)
        out = None if result.total else empty.empty(query, edition.search.total, vocabulary, addresses)
        return results.results_page(
            Asked(query, list(unknown), []), result, graph_of(query, result, counts, edition), out, edition, around
        )

    filters = {"component": ("gpu-hardware-memory",), "factor": ("monitoring-blind-spot",)}
    nothing = {"component": ("gpu-hardware-memory",), "symptom": ("dns-resolution-failure",)}
    yield "results.html", found(Query(filters=filters, from_="2020"), "utm")
    yield "results.html", found(Query(q="NCCL timeout", order="newest"))
    yield "results.html", found(Query(q="kuberntes"))
    yield "results.html", found(Query(page=2))
    yield "results.html", found(Query(filters=nothing))
    drawn = graph.results_graph(graph_of(Query(), *edition.search.run_counted(Query()), edition), Query(), addresses)
    yield "picture.svg", graph.picture(drawn, "NCCL", "2", "https://example.org/", edition.mark, addresses.lang)
    incident = edition.incident(CASE)
    like = edition.search.similar_to(CASE).items
    yield "case.html", case_page.case_page(incident, like, edition, around, Settings(report_url="https://example.org/"))
    other = edition.incident("2024-06-alibaba-nccl-error-4096-gpu-job")
    yield "case.html", case_page.case_page(other, like, edition, around, Settings())
    for facet, name in (("component", "nccl"), ("factor", "monitoring-blind-spot")):
        result = edition.search.run(Query(filters={facet: (name,)}))
        yield "term.html", term.term_page(facet, name, result, edition.years(facet, name), edition, around)
    for check in edition.grounding.pages.values():
        yield "check.html", check_view.check_page(check, edition, around)
    yield "checks.html", checks_view.checks_page(edition, around)
    yield "terms.html", terms.terms_page(edition.search.run(Query()), edition, around)
    yield "about.html", about.about_page(edition, around)
    yield "agents.html", agents.agents_page(around)
    yield (
        "similar.html",
        similar.similar_page("NCCL", edition.search.similar("NCCL timeout"), edition, around, "problem"),
    )
    yield "mistake.html", mistake.mistake_page(not_found(), "/x", around)


@pytest.mark.parametrize("lang", LANGS)
def test_template_reads_all_that_its_view_offers_and_nothing_else(app, edition: Edition, lang: str):
    house: House = app.state.house
    around = Around(Addresses("", lang), "http://library.test", edition.mark, house.static_names)
    read: dict[str, set[tuple[str, str]]] = {}
    given: dict[str, set[tuple[str, str]]] = {}
    for name, page in pages(edition, around):
        house.templates.render(name, watched(page, read.setdefault(name, set())), lang, draw=Drawing(house, lang))
        given.setdefault(name, set()).update(offered(page))

    seen = set().union(*read.values())
    for name, fields in given.items():
        # A case is shown short in lists and long on its page; what one of the two reads is offered to both.
        assert fields - seen <= NOT_SHOWN, name
    assert seen <= set().union(*given.values())
