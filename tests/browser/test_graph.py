"""The graph in a real browser: labels that do not touch, the keyboard, what is lit, and the table that says the same."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEED

LISTS = (SEED, "", "q=NCCL+timeout", "factor=monitoring-blind-spot&factor=hidden-dependency")
# Few cases and many, and those with the longest names: one, two, three, a dozen, one more, all.
SIZES = (
    "platform=openshift",
    "component=etcd",
    "component=rdma-network",
    "symptom=job-crash",
    "symptom=capacity-shortage",
)
_BOXES = """() => [...document.querySelectorAll(".net text")].map(text => {
  const box = text.getBoundingClientRect();
  return [text.textContent, box.left, box.top, box.right, box.bottom];
})"""
_EDGES = """() => {
  const net = document.querySelector(".net");
  const name = a => a.querySelector("title").textContent;
  const of = kind => Object.fromEntries([...net.querySelectorAll(`a[data-${kind}]`)].map(a => [a.dataset[kind], a.getAttribute("href")]));
  const values = of("v"), cases = of("c");
  return [...net.querySelectorAll(".curves path")].map(path => [values[path.parentNode.dataset.v], cases[path.dataset.c]]);
}"""
_TABLE = """() => {
  const rows = kind => [...document.querySelectorAll(`.net-table ${kind} tr`)].slice(0);
  const cases = {};
  for (const row of document.querySelectorAll(".net-table tbody.case tr")) {
    const link = row.querySelector("th[scope=row] a");
    if (link) cases[row.querySelector("td").textContent] = link.getAttribute("href");
  }
  const edges = [], nodes = [];
  for (const row of document.querySelectorAll(".net-table tbody:not(.case) tr")) {
    const link = row.querySelector("th[scope=row] a");
    if (!link) continue;
    const [count, letters] = row.querySelectorAll("td");
    nodes.push([link.getAttribute("href"), count.textContent]);
    for (const letter of letters.textContent.split(" ").filter(Boolean)) edges.push([link.getAttribute("href"), cases[letter]]);
  }
  return {edges, nodes, cases: Object.values(cases)};
}"""
_NODES = """() => [...document.querySelectorAll(".net a[data-v]")]
  .map(a => [a.getAttribute("href"), a.querySelector(".n").textContent.trim()])"""


@pytest.mark.parametrize("width", [768, 1024, 1440])
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_labels_do_not_touch(visit, lang: str, width: int):
    for query in (*LISTS, *SIZES):
        page = visit(f"/{lang}/incidents?{query}", width=width)
        boxes = page.evaluate(_BOXES)
        net = page.locator(".net").bounding_box()
        touching = [
            (one[0], other[0])
            for one, other in itertools.combinations(boxes, 2)
            if one[1] < other[3] - 0.5
            and other[1] < one[3] - 0.5
            and one[2] < other[4] - 0.5
            and other[2] < one[4] - 0.5
        ]
        outside = [box[0] for box in boxes if box[1] < net["x"] - 1 or box[3] > net["x"] + net["width"] + 1]
        assert len(boxes) > 10
        assert not touching
        assert not outside
        assert not [box[0] for box in boxes if "…" in box[0]]
        page.close()


@pytest.mark.parametrize("query", LISTS)
def test_the_table_says_the_same(visit, query: str):
    page = visit(f"/ko/incidents?{query}")
    table = page.evaluate(_TABLE)

    assert sorted(map(tuple, table["edges"])) == sorted(map(tuple, page.evaluate(_EDGES)))
    assert sorted(map(tuple, table["nodes"])) == sorted(map(tuple, page.evaluate(_NODES)))
    links = [link.get_attribute("href") for link in page.locator(".net a[data-c]").all()]
    assert table["cases"] == links


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_on_a_phone_the_table_stands_instead(visit, lang: str):
    page = visit(f"/{lang}/incidents?{SEED}", width=360)

    expect(page.locator(".net")).to_be_hidden()
    expect(page.locator(".net-table table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_every_node_is_a_link_with_a_title(visit):
    page = visit(f"/en/incidents?{SEED}")
    for link in page.locator(".net a[data-v], .net a[data-c]").all():
        assert link.get_attribute("href").startswith("/en/incidents")
        assert link.locator("title").text_content().strip()
    assert page.get_by_role("link", name="contributing factor Monitoring blind spot, cases: 3").count() == 1


def test_the_graph_by_keyboard_alone(visit):
    page = visit(f"/ko/incidents?{SEED}")
    page.locator(".graph .bar a").focus()
    names, places = [], []
    for _ in range(page.locator(".net a").count()):
        page.keyboard.press("Tab")
        told = page.evaluate(
            "() => { const a = document.activeElement, box = a.getBoundingClientRect();"
            " return [a.closest('.net') !== null, a.textContent, box.left + box.width / 2, box.top] }"
        )
        assert told[0], told
        names.append(told[1])
        places.append(told[2:])
    columns = [
        0 if x < page.viewport_size["width"] * 0.5 else 1 if x < page.viewport_size["width"] * 0.7 else 2
        for x, _ in places
    ]
    assert columns == sorted(columns)
    for column in range(3):
        down = [y for (_, y), own in zip(places, columns, strict=True) if own == column]
        assert down == sorted(down)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"

    page.locator(".net .component a[data-v]").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".applied li a.tag")).to_have_count(4)
    assert page.url.count("component=") == 2
    assert page.evaluate("document.activeElement.closest('.net') !== null")
    page.locator(".net a[data-c]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article.case h1")).to_be_visible()


def test_focus_and_pointer_light_the_edges(visit):
    page = visit(f"/ko/incidents?{SEED}")
    assert page.locator(".net .lit").count() == 0
    value = page.locator(".net a[data-v]").first
    curves = page.locator(f".curves [data-v='{value.get_attribute('data-v')}'] path").count()
    page.locator(".graph .bar a").focus()
    page.keyboard.press("Tab")
    assert page.locator(".curves path.lit").count() == curves
    assert page.locator(".net a[data-c].lit").count() == curves
    page.locator("#q").focus()
    assert page.locator(".net .lit").count() == 0

    case = page.locator(".net a[data-c]").nth(1)
    case.hover()
    number = case.get_attribute("data-c")
    assert page.locator(".curves path.lit").count() == page.locator(f".curves [data-c='{number}']").count()
    page.locator("h2#cases").hover()
    assert page.locator(".net .lit").count() == 0


def test_the_picture_on_its_own(visit, base: str):
    page = visit(f"/ko/incidents.svg?{SEED}")
    assert page.evaluate("document.documentElement.namespaceURI") == "http://www.w3.org/2000/svg"
    assert page.locator("a").count() > 10
    assert all(link.get_attribute("href").startswith(f"{base}/ko/") for link in page.locator("a").all())
    assert page.evaluate("getComputedStyle(document.querySelector('.cause a path')).fill") == "rgb(172, 63, 24)"
