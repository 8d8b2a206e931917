"""What everybody must be able to use: axe on every kind of page, 360 px, dark, print, no sideways scrolling, contrast, targets."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.browser import axe
from tests.browser.conftest import CASE, SEED

PLACES = {
    "list": "/incidents",
    "seed": f"/incidents?{SEED}",
    "search": "/incidents?q=NCCL+kuberntes",
    "period": "/incidents?from=2024&to=2024-06&platform=slurm&order=added",
    "nothing": "/incidents?component=gpu-hardware-memory&symptom=dns-resolution-failure",
    "case": f"/incidents/{CASE}",
    "terms": "/terms",
    "term": "/terms/component/nccl",
    "similar": "/similar",
    "checks": "/checks",
    "check": "/checks/webhook-fail-closed-wide",
    "case with checks": "/incidents/2020-02-moj-opa-blocks-control-plane-pods",
    "about": "/about",
    "agents": "/agents",
    "no such page": "/nowhere",
    "no such case": "/incidents/2020-01-nobody-nothing",
    "no such check": "/checks/webhook-fail",
    "no such value": "/incidents?component=gpu-hardwear",
    "no such page of the list": "/incidents?page=99",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(visit, place: str, lang: str, scheme: str):
    page = visit(f"/{lang}{PLACES[place]}", color_scheme=scheme)
    for summary in page.locator("main details > summary").all()[:4]:
        summary.click()

    assert axe.violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_phone(visit, scheme: str):
    page = visit(f"/ko/incidents?{SEED}", width=360, color_scheme=scheme)

    assert axe.violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_axe_finds_nothing_among_suggestions(visit, lang: str, scheme: str):
    page = visit(f"/{lang}/incidents", color_scheme=scheme)
    page.locator("#q").press_sequentially("NCC")
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("ArrowDown")

    assert axe.violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize(
    ("text", "answer"), [("NCCL timeout Xid 79", ".hit"), ("qwzxv", "[role=status]"), (" ", ".problem")]
)
def test_axe_finds_nothing_among_answers_to_a_log(visit, text: str, answer: str, lang: str, scheme: str):
    page = visit(f"/{lang}/similar", color_scheme=scheme)
    page.locator("#text").fill(text)
    page.locator(".paste button").click()
    page.locator(f"main {answer}").first.wait_for()

    assert axe.violations(page) == []


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("place", PLACES)
def test_nothing_scrolls_sideways_at_360_pixels(visit, place: str, lang: str):
    page = visit(f"/{lang}{PLACES[place]}", width=360, height=740)

    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("place", ["case", "check"])
def test_what_it_rests_on_stands_beside_where_there_is_room(visit, place: str, lang: str):
    wide = visit(f"/{lang}{PLACES[place]}", width=1440)
    boxes = {
        name: [one.bounding_box() for one in wide.locator(f"article > .{name}").all()] for name in ("account", "around")
    }
    beside, below = boxes["around"], boxes["account"]

    assert min(box["x"] for box in beside) >= max(box["x"] + box["width"] for box in below)
    assert max(box["x"] + box["width"] for box in beside) == wide.locator("main").evaluate(
        "main => main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight)"
    )
    assert beside[0]["y"] == below[0]["y"]
    for column in (beside, below):
        for one, other in pairwise(column):
            assert one["y"] + one["height"] <= other["y"]

    narrow = visit(f"/{lang}{PLACES[place]}", width=1024)
    assert len({one.bounding_box()["x"] for one in narrow.locator("article > :is(.account, .around)").all()}) == 1


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_targets_are_large_enough(visit, lang: str):
    """24 by 24 pixels, or alone enough that a circle of 24 pixels around each meets no other (WCAG 2.2, 2.5.8)."""
    page = visit(f"/{lang}/incidents?{SEED}", width=360)
    small = page.evaluate("""() => [...document.querySelectorAll("main a, main button, main summary, nav a")]
      .filter(a => a.offsetParent && !a.closest("p, li li, .sections, .small"))
      .map(a => [a.textContent.trim(), a.getBoundingClientRect().height])
      .filter(([, height]) => height && height < 24)""")

    assert not small


def test_dark_is_dark(visit):
    light = visit("/ko/incidents", color_scheme="light").evaluate("getComputedStyle(document.body).backgroundColor")
    dark = visit("/ko/incidents", color_scheme="dark").evaluate("getComputedStyle(document.body).backgroundColor")

    assert light == "rgb(255, 255, 255)"
    assert sum(map(int, re.findall(r"\d+", dark))) < 120


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_print_is_a_sheet_of_the_list_and_of_what_was_opened(visit, base: str, lang: str, scheme: str):
    page = visit(f"/{lang}/incidents?{SEED}", color_scheme=scheme)
    page.locator(".hit summary").first.click()
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.emulate_media(media="print", color_scheme=scheme)
    # The width of an A4 page between its margins, on which a screen would get the table.
    page.set_viewport_size({"width": 680, "height": 1000})

    for hidden in (".top nav", ".search", ".jump", ".narrow", ".pages", ".net-table table", ".hit summary"):
        for one in page.locator(hidden).all():
            assert not one.is_visible(), hidden
    assert page.locator(".net").is_visible()
    assert page.locator(".hit .sections").first.is_visible()
    assert not page.locator(".hit .sections").nth(1).is_visible()
    addresses = page.locator(".hit > article > .printed").all()
    assert [one.text_content() for one in addresses] == [
        base + link.get_attribute("href") for link in page.locator(".hit h3 a").all()
    ]
    assert all(one.is_visible() for one in [*addresses, page.locator(".foot .printed")])
    address = page.evaluate("getComputedStyle(document.querySelector('.sources a'), '::after').content")
    assert "http" in address
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(21, 24, 29)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("document.documentElement.scrollWidth") == 680


def test_a_case_is_printed_with_the_addresses_of_its_neighbours(visit, base: str):
    page = visit(f"/ko/incidents/{CASE}")
    page.emulate_media(media="print")

    told = [one.text_content() for one in page.locator(".neighbours .printed").all() if one.is_visible()]
    assert told == [base + link.get_attribute("href") for link in page.locator(".neighbours li > a").all()]
    assert not page.locator(".handy").is_visible()


def test_first_page_is_light(visit, base: str):
    sizes: dict[str, int] = {}
    page = visit("/en/about")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
    page.goto(f"{base}/ko/incidents", wait_until="networkidle")

    assert 0 < sum(sizes.values()) <= 200 * 1024


def test_hangul_is_never_broken_inside_a_word(visit):
    page = visit("/ko/incidents", width=360)

    assert page.evaluate("getComputedStyle(document.querySelector('.hit h3')).wordBreak") == "keep-all"
    spaced = page.evaluate(
        "[...document.querySelectorAll('main *')].filter(e => !['normal', '0px'].includes(getComputedStyle(e).letterSpacing)).length"
    )
    assert spaced == 0
