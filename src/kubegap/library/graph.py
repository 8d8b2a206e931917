"""The graph of a list: its newest cases in the middle, the values of all its cases beside them, and where each is drawn.

Plain data without colours, addresses or markup; the same list gives the same picture, to the byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Literal

from msgspec import Struct

from kubegap.library.labels import lines_of
from kubegap.library.record import Incident
from kubegap.library.search.backend import Counts
from kubegap.library.search.query import Filters
from kubegap.library.search.result import Result
from kubegap.library.vocabulary import Facet, Vocabulary, carried
from kubegap.text import Lang, Text

MOST_CASES = 12
MOST_VALUES = 8
LEFT: tuple[Facet, ...] = ("cause", "factor")
RIGHT: tuple[Facet, ...] = ("component", "symptom")
# The order of the legend; the columns have their own.
GRAPH_FACETS: tuple[Facet, ...] = ("cause", "component", "symptom", "factor")
Side = Literal["left", "right"]

# All in the picture's own units, one of which is a pixel where there is room.
WIDTH = 760
LINE = 16
ROW = 26
CASE_WIDTH, CASE_HEIGHT, CASE_LINE, CASE_GAP = 168, 44, 16, 9
_HEAD, _APART, _AROUND = 26, 12, 6
_SHAPE = 188
_LABEL = _SHAPE - 16
_LONGEST_LABEL = 154.0
_FONT, _CASE_FONT = 13.0, 12.5
_SMALLEST, _LARGEST = 4.0, 9.0
# From how many cases on the most frequent value is drawn as large as can be.
_MANY = 4
_MOST_NAME_LINES = 3
_LARGEST_GAP = 80.0


class ValueNode(Struct, frozen=True):
    """A value with the number of all cases of the list that carry it, and the places of those in the middle that do."""

    facet: Facet
    id: str
    label: Text
    count: int
    is_chosen: bool
    cases: tuple[int, ...]


class Group(Struct, frozen=True):
    """The most frequent values of a facet in the order in which they are drawn, and how many more there are."""

    facet: Facet
    values: tuple[ValueNode, ...]
    more: int


class Graph(Struct, frozen=True):
    """What is drawn: the newest cases, how many more the list has, and the values; facets without a value are left out."""

    cases: tuple[Incident, ...]
    more_cases: int
    groups: tuple[Group, ...]


class Box(Struct, frozen=True):
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class DrawnValue(Struct, frozen=True):
    """A value where it is drawn: its shape around a centre, its label's lines at their baselines, its curves by case."""

    node: ValueNode
    box: Box
    x: float
    y: float
    radius: float
    label_x: float
    lines: tuple[tuple[str, float], ...]
    curves: tuple[tuple[int, str], ...]


class DrawnGroup(Struct, frozen=True):
    """A facet where it is drawn: the baselines of its heading and of the line that tells of more values."""

    facet: Facet
    side: Side
    label_x: float
    head_y: float
    values: tuple[DrawnValue, ...]
    more: int
    more_y: float


class DrawnCase(Struct, frozen=True):
    """A case in its box, named by as much of its organisation as has room, in lines at their baselines."""

    incident: Incident
    lines: tuple[tuple[str, float], ...]
    box: Box


class Drawing(Struct, frozen=True):
    """A graph with all its places, in one language."""

    width: int
    height: int
    groups: tuple[DrawnGroup, ...]
    cases: tuple[DrawnCase, ...]
    more_cases: int
    more_y: float


def counted_values(cases: Iterable[Incident], vocabulary: Vocabulary) -> dict[Facet, Counter[str]]:
    """In how many of some cases each value stands, by itself or by a narrower one."""
    counts: dict[Facet, Counter[str]] = {facet: Counter() for facet in GRAPH_FACETS}
    for incident in cases:
        for facet, counted in counts.items():
            counted.update(carried(incident, facet, vocabulary))
    return counts


def graph(result: Result, newest: Sequence[Incident], counts: Counts, chosen: Filters, vocabulary: Vocabulary) -> Graph:
    """The graph of a list: `newest` are its newest cases, `counts` those of its values over all of its cases."""
    shown = tuple(newest[:MOST_CASES])
    terms = {facet: [set(carried(incident, facet, vocabulary)) for incident in shown] for facet in GRAPH_FACETS}
    groups = [_group(facet, counts[facet], terms[facet], chosen.get(facet, ()), vocabulary) for facet in GRAPH_FACETS]
    return Graph(shown, result.total - len(shown), tuple(group for group in groups if group.values))


def draw(found: Graph, lang: Lang) -> Drawing:
    """Give every node its place: values beside the cases, each column in the middle of the height."""
    columns = {side: [group for group in found.groups if group.facet in facets] for side, facets in _SIDES.items()}
    lines = {
        (node.facet, node.id): lines_of(node.label.of(lang), _LONGEST_LABEL, _FONT)
        for group in found.groups
        for node in group.values
    }
    names = [lines_of(incident.organisation, CASE_WIDTH - 16, _CASE_FONT, _MOST_NAME_LINES) for incident in found.cases]
    heights = {side: _column_height(groups, lines) for side, groups in columns.items()}
    rest, boxes = ROW if found.more_cases else 0, sum(map(_case_height, names))
    # A few cases spread out over the height of their values.
    gap = min(_LARGEST_GAP, max(CASE_GAP, (max(heights.values()) - boxes - rest) // (len(names) + 1)))
    middle = boxes + gap * max(0, len(names) - 1) + rest
    height = max(middle, *heights.values()) + 2 * _AROUND
    top = (height - middle) / 2
    cases = _cases(found.cases, names, top, gap)
    most = max([_MANY, *(node.count for group in found.groups for node in group.values)])
    groups = [
        drawn
        for side, inside in columns.items()
        for drawn in _column(inside, side, (height - heights[side]) / 2, lines, cases, most)
    ]
    return Drawing(WIDTH, round(height), tuple(groups), cases, found.more_cases, top + middle - 8)


_SIDES: dict[Side, tuple[Facet, ...]] = {"left": LEFT, "right": RIGHT}
_Lines = dict[tuple[Facet, str], tuple[str, ...]]


def _group(
    facet: Facet,
    counts: Mapping[str, int],
    carriers: Sequence[Collection[str]],
    chosen: Collection[str],
    vocabulary: Vocabulary,
) -> Group:
    nodes = [
        ValueNode(
            facet,
            term,
            vocabulary.term(facet, term).label,
            count,
            term in chosen,
            tuple(place for place, terms in enumerate(carriers) if term in terms),
        )
        for term, count in counts.items()
        if count
    ]
    # What was chosen is never left out, and of equal ones those that the drawn cases carry are kept.
    kept = sorted(nodes, key=lambda node: (not node.is_chosen, -node.count, -len(node.cases), node.id))
    # One value more takes no more room than the line that would tell of it.
    seen = len(kept) if len(kept) <= MOST_VALUES + 1 else MOST_VALUES
    ordered = sorted(kept[:seen], key=lambda node: (-node.count, fmean(node.cases or (0,)), node.id))
    return Group(facet, tuple(ordered), len(kept) - seen)


def _column_height(groups: Sequence[Group], lines: _Lines) -> float:
    inside = sum(
        _HEAD + sum(_row(lines[node.facet, node.id]) for node in group.values) + (ROW if group.more else 0)
        for group in groups
    )
    return inside + _APART * max(0, len(groups) - 1)


def _row(lines: Sequence[str]) -> float:
    return ROW + LINE * (len(lines) - 1)


def _column(
    groups: Sequence[Group], side: Side, top: float, lines: _Lines, cases: Sequence[DrawnCase], most: int
) -> list[DrawnGroup]:
    found, y = [], top
    label_x = _LABEL if side == "left" else WIDTH - _LABEL
    for group in groups:
        head, values = y + 17, []
        y += _HEAD
        for node in group.values:
            values.append(_value(node, lines[node.facet, node.id], side, y, cases, most))
            y += _row(lines[node.facet, node.id])
        found.append(DrawnGroup(group.facet, side, label_x, head, tuple(values), group.more, y + 17))
        y += (ROW if group.more else 0) + _APART
    return found


def _value(
    node: ValueNode, lines: Sequence[str], side: Side, y: float, cases: Sequence[DrawnCase], most: int
) -> DrawnValue:
    is_left, height = side == "left", _row(lines)
    x, middle = _SHAPE if is_left else WIDTH - _SHAPE, y + height / 2
    radius = round(_SMALLEST + (_LARGEST - _SMALLEST) * sqrt(node.count / most), 1)
    start = x + radius if is_left else x - radius
    first = middle + 4.5 - (len(lines) - 1) * LINE / 2
    return DrawnValue(
        node=node,
        box=Box(0 if is_left else x - 10, y, _SHAPE + 10, height),
        x=x,
        y=middle,
        radius=radius,
        label_x=_LABEL if is_left else WIDTH - _LABEL,
        lines=tuple((line, first + place * LINE) for place, line in enumerate(lines)),
        curves=tuple((place, _curve(start, middle, cases[place].box, is_left=is_left)) for place in node.cases),
    )


def _curve(x: float, y: float, box: Box, *, is_left: bool) -> str:
    end, level = box.x if is_left else box.x + box.width, box.y + box.height / 2
    half = (x + end) / 2
    return f"M{x:g} {y:g}C{half:g} {y:g} {half:g} {level:g} {end:g} {level:g}"


def _case_height(name: Sequence[str]) -> int:
    return CASE_HEIGHT + CASE_LINE * (len(name) - 1)


def _cases(
    incidents: Sequence[Incident], names: Sequence[Sequence[str]], y: float, gap: float
) -> tuple[DrawnCase, ...]:
    found = []
    for incident, name in zip(incidents, names, strict=True):
        box = Box((WIDTH - CASE_WIDTH) / 2, y, CASE_WIDTH, _case_height(name))
        lines = tuple((line, y + 18 + place * CASE_LINE) for place, line in enumerate(name))
        found.append(DrawnCase(incident, lines, box))
        y += box.height + gap
    return tuple(found)
