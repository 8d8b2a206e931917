"""The graph of a list and the table that says the same."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from msgspec import Struct

from kubegap.library.graph import (
    CASE_WIDTH,
    GRAPH_FACETS,
    WIDTH,
    DrawnCase,
    DrawnGroup,
    DrawnValue,
    Graph,
    draw,
)
from kubegap.library.labels import address_lines, text_width
from kubegap.library.search.query import Query
from kubegap.library.vocabulary import FACET_NAMES, Facet
from kubegap.library.words import when
from kubegap.text import Lang, counted
from kubegap.web.addresses import Addresses
from kubegap.web.views.links import FacetLinks
from kubegap.web.views.plain import plain
from kubegap.web.words import graph as words
from kubegap.web.words import results
from kubegap.web.words.terms import FACET_TITLES


class Row(Struct, frozen=True):
    """A line of a label."""

    text: str
    y: str


class GraphCase(Struct, frozen=True):
    """A case in the middle; `number` ties it to its curves, `letter` to the table."""

    number: int
    href: str
    title: str
    name: str
    when: str
    letter: str
    x: str
    y: str
    height: str
    middle: str
    lines: list[Row]
    when_y: str


class GraphValue(Struct, frozen=True):
    """A value beside the cases; `carriers` are the letters of the drawn cases that carry it.

    Lines follow each other at the graph's distance from `label_y` on. `curves` are elements, made of numbers alone: a page has
    a hundred of them.
    """

    number: int
    href: str
    title: str
    label: str
    count: str
    is_chosen: bool
    shape: str
    lines: list[str]
    label_x: str
    label_y: str
    left: str
    top: str
    width: str
    height: str
    curves: str
    carriers: str


class GraphGroup(Struct, frozen=True):
    """The values of a facet; `more` leads to those that are not drawn."""

    facet: Facet
    name: str
    anchor: str
    label_x: str
    head_y: str
    values: list[GraphValue]
    more: str | None
    more_href: str
    more_y: str


class ResultsGraph(Struct, frozen=True):
    """The picture in its own units, with its table."""

    label: str
    width: int
    height: int
    middle: int
    case_width: int
    left: list[GraphGroup]
    cases: list[GraphCase]
    right: list[GraphGroup]
    more: str | None
    more_href: str
    more_y: str
    svg: str


class Sign(Struct, frozen=True):
    """An entry of the legend of a picture."""

    facet: str
    shape: str
    label_x: str
    label: str


class Picture(Struct, frozen=True):
    """A graph on its own, with what it shows and where it comes from: `address` is `href` in lines."""

    lang: Lang
    width: int
    height: int
    title: str
    legend: list[Sign]
    graph: ResultsGraph
    href: str
    address: list[Row]
    made: str
    made_y: int


_TITLE_ROOM = 90
# Around the graph of a picture on its own: the margin, the title with the legend, a line of small print.
_MARGIN, _HEAD, _SMALL_LINE, _SMALL = 20, 64, 16, 11.5
_MOST_ADDRESS_LINES = 4
_NOTHING = ResultsGraph("", WIDTH, 0, WIDTH // 2, CASE_WIDTH, [], [], [], more=None, more_href="", more_y="0", svg="")


def results_graph(found: Graph, query: Query, addresses: Addresses, page: str = "") -> ResultsGraph | None:
    """The graph of a list; `page` is the address of the page that a picture on its own leads back to."""
    if not found.cases:
        return None
    lang, drawing = addresses.lang, draw(found, addresses.lang)
    cases = [_case(case, number, addresses) for number, case in enumerate(drawing.cases)]
    groups = []
    number = 0
    for group in drawing.groups:
        groups.append(_group(group, number, cases, query, addresses, page))
        number += len(group.values)
    total = len(cases) + found.more_cases
    more = words.GRAPH_MORE_CASES.fill(count=f"{found.more_cases:,}").of(lang) if found.more_cases else None
    return ResultsGraph(
        label=counted(total, one=words.GRAPH_ONE, many=words.GRAPH_MANY).of(lang),
        width=drawing.width,
        height=drawing.height,
        middle=WIDTH // 2,
        case_width=CASE_WIDTH,
        left=[group for group in groups if group.anchor == "end"],
        cases=cases,
        right=[group for group in groups if group.anchor == "start"],
        more=more,
        more_href=f"{page}#cases",
        more_y=f"{drawing.more_y:g}",
        svg=addresses.incidents(query, "svg"),
    )


def picture(graph: ResultsGraph | None, title: str, total: str, href: str, mark: str, lang: Lang) -> Picture:
    """The graph as a file of its own; a list without cases gives a picture that says so."""
    shown = graph or _NOTHING
    first = _HEAD + shown.height + 24
    address = address_lines(href, shown.width, _SMALL, _MOST_ADDRESS_LINES)
    made_y = first + len(address) * _SMALL_LINE + 2
    return Picture(
        lang=lang,
        width=shown.width + 2 * _MARGIN,
        height=made_y + 14,
        title=_shortened(f"{title}: {total}", _TITLE_ROOM),
        legend=list(_legend(lang)),
        graph=shown,
        href=href,
        address=[Row(line, str(first + place * _SMALL_LINE)) for place, line in enumerate(address)],
        made=words.GRAPH_MADE.fill(mark=mark).of(lang),
        made_y=made_y,
    )


def _legend(lang: Lang) -> Iterator[Sign]:
    x = 26.0
    for facet in GRAPH_FACETS:
        label = FACET_TITLES[facet].of(lang)
        yield Sign(facet, shape(facet, x, 48, 5), f"{x + 11:g}", label)
        x += 34 + text_width(label, 12)
    yield Sign("case", f"M{x - 6:g} 44h12v8h-12z", f"{x + 11:g}", results.CASES.of(lang))


def _shortened(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _case(drawn: DrawnCase, number: int, addresses: Addresses) -> GraphCase:
    incident, box, lang = drawn.incident, drawn.box, addresses.lang
    happened = when(incident.happened, lang)
    title = f"{plain(incident.title.of(lang))} ({incident.organisation}, {happened})"
    return GraphCase(
        number=number,
        href=addresses.incident(incident.id),
        title=title,
        name=incident.organisation,
        when=happened,
        letter=ascii_uppercase[number],
        x=f"{box.x:g}",
        y=f"{box.y:g}",
        height=f"{box.height:g}",
        middle=f"{box.x + box.width / 2:g}",
        lines=[Row(line, f"{y:g}") for line, y in drawn.lines],
        when_y=f"{box.y + box.height - 8:g}",
    )


def _group(
    drawn: DrawnGroup, first: int, cases: list[GraphCase], query: Query, addresses: Addresses, page: str
) -> GraphGroup:
    lang = addresses.lang
    links = FacetLinks(query, drawn.facet, addresses)
    more = words.GRAPH_MORE_VALUES.fill(count=f"{drawn.more:,}").of(lang) if drawn.more else None
    return GraphGroup(
        facet=drawn.facet,
        name=FACET_TITLES[drawn.facet].of(lang),
        anchor="start" if drawn.side == "right" else "end",
        label_x=f"{drawn.label_x:g}",
        head_y=f"{drawn.head_y:g}",
        values=[_value(value, number, cases, links, lang) for number, value in enumerate(drawn.values, first)],
        more=more,
        more_href=f"{page}#by-{drawn.facet}",
        more_y=f"{drawn.more_y:g}",
    )


def _value(drawn: DrawnValue, number: int, cases: list[GraphCase], links: FacetLinks, lang: Lang) -> GraphValue:
    node, box = drawn.node, drawn.box
    facet, label, count = FACET_NAMES[node.facet].of(lang), node.label.of(lang), f"{node.count:,}"
    told = words.GRAPH_CHOSEN if node.is_chosen else words.GRAPH_VALUE
    return GraphValue(
        number=number,
        href=links.toggled(node.id),
        title=told.of(lang).format(facet=facet, label=label, count=count),
        label=label,
        count=count,
        is_chosen=node.is_chosen,
        shape=shape(node.facet, drawn.x, drawn.y, drawn.radius),
        lines=[line for line, _ in drawn.lines],
        label_x=f"{drawn.label_x:g}",
        label_y=f"{drawn.lines[0][1]:g}",
        left=f"{box.x:g}",
        top=f"{box.y:g}",
        width=f"{box.width:g}",
        height=f"{box.height:g}",
        curves="".join([f'<path data-c="{case}" d="{path}"/>' for case, path in drawn.curves]),
        carriers=" ".join(cases[case].letter for case in node.cases),
    )


def shape(facet: Facet, x: float, y: float, radius: float) -> str:
    """The sign of a facet as a path: square, circle, diamond or triangle around a point."""
    if facet == "component":
        return f"M{x - radius:g} {y:g}a{radius:g} {radius:g} 0 1 0 {2 * radius:g} 0a{radius:g} {radius:g} 0 1 0 {-2 * radius:g} 0z"
    if facet == "symptom":
        reach = radius * 1.2
        return f"M{x:g} {y - reach:g}l{reach:g} {reach:g}l{-reach:g} {reach:g}l{-reach:g} {-reach:g}z"
    if facet == "factor":
        high = radius * 1.9
        return f"M{x:g} {y - high * 0.55:g}l{radius * 1.1:g} {high:g}h{-radius * 2.2:g}z"
    side = radius * 1.8
    return f"M{x - side / 2:g} {y - side / 2:g}h{side:g}v{side:g}h{-side:g}z"
