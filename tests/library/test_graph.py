"""The graph of a list: what is in it, in which order, and that nothing of it lies on anything else."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubegap.library.generation import Generation
from kubegap.library.graph import (
    GRAPH_FACETS,
    MOST_CASES,
    MOST_VALUES,
    WIDTH,
    Box,
    Drawing,
    Graph,
    counted_values,
    draw,
    graph,
)
from kubegap.library.labels import text_width
from kubegap.library.record import Incident
from kubegap.library.search.order import newest_key
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.library.vocabulary import carried
from kubegap.text import LANGS

SEED = {"component": ("gpu-hardware-memory",), "symptom": ("gpu-not-visible",), "factor": ("monitoring-blind-spot",)}
some = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def graph_of(search: Search, query: Query) -> Graph:
    cases = sorted(map(search.generation.incident, search.ids(query)), key=newest_key)
    counts = counted_values(cases, search.vocabulary)
    return graph(search.run(query), cases[:MOST_CASES], counts, query.filters, search.vocabulary)


def edges(found: Graph) -> set[tuple[str, str, str]]:
    return {
        (node.facet, node.id, found.cases[place].id)
        for group in found.groups
        for node in group.values
        for place in node.cases
    }


def test_a_few_cases_are_drawn_whole(search: Search):
    found = graph_of(search, Query(filters=SEED))
    values = [node for group in found.groups for node in group.values]

    assert [group.facet for group in found.groups] == list(GRAPH_FACETS)
    assert [incident.id[:7] for incident in found.cases] == ["2024-10", "2024-06", "2021-08"]
    assert all(node.count == len(node.cases) for node in values)
    assert {(node.facet, node.id) for node in values if node.is_chosen} == {
        (facet, term) for facet, terms in SEED.items() for term in terms
    }


def test_edges_are_the_tags_of_the_cases(search: Search):
    found = graph_of(search, Query(filters=SEED))
    drawn = {(node.facet, node.id) for group in found.groups for node in group.values}
    told = {
        (facet, term, incident.id)
        for incident in found.cases
        for facet in GRAPH_FACETS
        for term in carried(incident, facet, search.vocabulary)
    }

    assert edges(found) == {edge for edge in told if edge[:2] in drawn}


def test_many_cases_show_the_newest_and_count_all(search: Search):
    found = graph_of(search, Query())
    total = search.run(Query()).total
    counts = {facet: {value.id: value.count for value in search.run(Query()).facets[facet]} for facet in GRAPH_FACETS}

    assert len(found.cases) == MOST_CASES
    assert found.more_cases == total - MOST_CASES
    assert list(found.cases) == sorted(found.cases, key=newest_key)
    for group in found.groups:
        assert len(group.values) + group.more == len(counts[group.facet])
        assert len(group.values) == MOST_VALUES
        assert all(node.count == counts[group.facet][node.id] for node in group.values)


def test_values_stand_by_count_and_then_by_the_middle_of_their_cases(search: Search):
    for group in graph_of(search, Query(filters=SEED)).groups:
        keys = [(-node.count, sum(node.cases) / len(node.cases)) for node in group.values]
        assert keys == sorted(keys)


def test_a_chosen_value_is_never_left_out(search: Search):
    rarest = search.run(Query()).facets["symptom"][-1].id
    commonest = search.run(Query()).facets["symptom"][0].id
    found = graph_of(search, Query(filters={"symptom": (commonest, rarest)}))
    symptoms = next(group for group in found.groups if group.facet == "symptom")

    assert {commonest, rarest} <= {node.id for node in symptoms.values if node.is_chosen}


def test_nothing_found_gives_nothing_to_draw(search: Search):
    found = graph_of(search, Query(filters={"component": ("etcd",), "symptom": ("gpu-not-visible",)}))

    assert (found.cases, found.groups, found.more_cases) == ((), (), 0)
    assert draw(found, "ko").height > 0


def test_the_same_list_gives_the_same_picture(search: Search):
    assert draw(graph_of(search, Query()), "ko") == draw(graph_of(search, Query()), "ko")


@pytest.fixture(scope="module")
def everything(generation: Generation) -> list[Incident]:
    return list(generation.incidents())


@some
@given(data=st.data())
@pytest.mark.parametrize("lang", LANGS)
def test_nothing_lies_on_anything_else(data, lang, everything: list[Incident], search: Search):
    cases: list[Incident] = data.draw(
        st.lists(st.sampled_from(everything), min_size=1, max_size=30, unique_by=lambda one: one.id)
    )
    counts = counted_values(cases, search.vocabulary)
    found = draw(graph(search.run(Query()), cases, counts, {}, search.vocabulary), lang)

    boxes = [*nodes(found), *headings(found)]
    assert all(box.x >= 0 and box.x + box.width <= WIDTH and box.y >= 0 for box in boxes)
    assert all(box.y + box.height <= found.height for box in boxes)
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]


@pytest.mark.parametrize("lang", LANGS)
def test_every_label_has_room(lang, generation: Generation, search: Search):
    for facet in GRAPH_FACETS:
        for term, entry in generation.vocabulary[facet].items():
            found = draw(graph_of(search, Query(filters={facet: (term,)})), lang)
            for group in found.groups:
                for value in group.values:
                    count_room = text_width(f" {value.node.count:,}", 13)
                    assert all(text_width(line, 13) + count_room <= value.box.width - 20 for line, _ in value.lines)
            assert entry.label.of(lang)


def nodes(found: Drawing) -> list[Box]:
    return [*(value.box for group in found.groups for value in group.values), *(case.box for case in found.cases)]


def headings(found: Drawing) -> list[Box]:
    lines = [(group, group.head_y) for group in found.groups]
    lines += [(group, group.more_y) for group in found.groups if group.more]
    sides = [Box(0 if group.side == "left" else group.label_x, y - 12, 170, 15) for group, y in lines]
    return [*sides, *([Box(300, found.more_y - 12, 160, 15)] if found.more_cases else [])]


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )
