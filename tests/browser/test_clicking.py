"""What a reader does, done by clicking and typing in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CASE, SEED, Open

THREE = (("구성 요소별", "GPU 하드웨어·메모리"), ("증상별", "GPU 인식 불가"), ("기여 요인별", "모니터링 사각지대"))


def value(page: Page, label: str):
    return page.locator(".narrow li a", has=page.locator(f"span:text-is('{label}')"))


def choose(page: Page, label: str) -> None:
    link = value(page, label)
    for rest in page.locator(".narrow summary").all():
        if not link.is_visible():
            rest.click()
    link.click()


def mark(page: Page) -> None:
    """A page that is loaded anew loses this."""
    page.evaluate("window.stays = true")


def stayed(page: Page) -> bool:
    return page.evaluate("window.stays === true")


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.textContent.trim()")


def test_from_the_empty_box_to_the_seeds_filters_and_back(visit: Open):
    page = visit("/ko/incidents")
    mark(page)
    for number, (_, label) in enumerate(THREE, 1):
        choose(page, label)
        expect(page.locator(".applied li a.tag")).to_have_count(number)
        assert label in focused(page)
    expect(page).to_have_url(re.compile(re.escape(f"/ko/incidents?{SEED}") + "$"))
    total = page.locator("#cases .total").text_content()
    assert stayed(page)
    assert total in page.locator(".told").text_content()

    page.locator(".applied a.tag", has_text="GPU 인식 불가").click()
    expect(page.locator(".applied li a.tag")).to_have_count(2)
    assert "symptom=" not in page.url
    page.get_by_role("link", name="모두 풀기").click()
    expect(page.locator(".applied")).to_have_count(0)
    assert page.url.endswith("/ko/incidents")

    page.go_back()
    expect(page.locator(".applied li a.tag")).to_have_count(2)
    page.go_back()
    expect(page.locator(".applied li a.tag")).to_have_count(3)
    expect(page.locator("#cases .total")).to_have_text(total)
    assert page.url.endswith(SEED)
    page.go_forward()
    expect(page.locator(".applied li a.tag")).to_have_count(2)
    assert stayed(page)


def test_search_box_keeps_filters_and_focus(visit: Open):
    page = visit("/en/incidents?component=nccl")
    mark(page)
    page.get_by_label("Search the cases").fill("timeout")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"q=timeout"))
    assert "component=nccl" in page.url
    expect(page.locator("#q")).to_be_focused()
    assert stayed(page)
    assert page.title().startswith("timeout")


def test_pages_of_the_list(visit: Open):
    page = visit("/en/incidents")
    mark(page)
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pages [aria-current]")).to_have_text("2")
    assert page.url.endswith("?page=2")
    assert focused(page).startswith("Cases")
    assert page.locator("#cases").is_visible()
    expect(page.locator("#cases")).to_be_in_viewport()
    page.go_back()
    expect(page.locator(".pages [aria-current]")).to_have_text("1")
    assert stayed(page)


def test_back_from_a_case_to_the_list_where_it_was(visit: Open):
    page = visit("/en/incidents")
    choose(page, "NCCL")
    expect(page.locator(".applied li a.tag")).to_have_count(1)
    title = page.locator(".hit h3 a").nth(1)
    words = title.text_content()
    title.click()
    expect(page.locator("h1")).to_have_text(words)
    page.go_back()
    expect(page.locator(".applied li a.tag")).to_have_count(1)


def test_switch_keeps_the_state_after_the_list_changed_in_place(visit: Open):
    page = visit("/ko/incidents")
    choose(page, "GPU 하드웨어·메모리")
    expect(page.locator(".applied li a.tag")).to_have_count(1)
    total = re.search(r"\d+", page.locator("#cases .total").text_content())[0]
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url.endswith("/en/incidents?component=gpu-hardware-memory")
    expect(page.locator("#cases .total")).to_have_text(total)


def test_open_a_case_in_place_and_follow_a_term(visit: Open):
    page = visit(f"/ko/incidents?{SEED}")
    case = page.locator(".hit").first
    case.locator("summary").click()
    expect(case.get_by_text("교훈", exact=True)).to_be_visible()
    case.locator(".values a.component").first.click()
    expect(page).to_have_url(re.compile("/ko/terms/component/"))
    page.get_by_role("link", name=re.compile("사례 .*보기")).click()
    expect(page).to_have_url(re.compile(r"/ko/incidents\?component="))


def test_paste_a_log(visit: Open):
    page = visit("/en/similar")
    page.get_by_label("Log or error text").fill(
        "2024-01-02T03:04:05Z node7 kernel: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus\n"
        "[rank3] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE) ran for 600 s"
    )
    page.get_by_role("button", name="Find similar cases").click()
    expect(page.locator(".hit").first).to_be_visible()
    assert page.url.endswith("/en/similar")


def test_to_the_cases_and_back_to_where_one_was(visit: Open):
    page = visit("/en/incidents", width=360, height=740)
    page.get_by_role("link", name="Skip to the cases").click()
    expect(page.locator("#cases")).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_role("link", name="Narrow by value")).to_be_in_viewport()
    page.get_by_role("link", name="Narrow by value").click()
    expect(page.locator("#by-cause h2")).to_be_in_viewport()


def test_suggestions_by_keyboard(visit: Open):
    page = visit("/ko/incidents")
    box = page.get_by_label("사례 검색")
    box.press_sequentially("ncc")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("NCCL")
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    box.press_sequentially("l")
    expect(options.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".applied li a.tag")).to_have_count(1)
    assert "q=" not in page.url


def test_citation_is_copied(visit: Open):
    page = visit(f"/en/incidents/{CASE}", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the citation").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert CASE in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_everything_works_without_script(visit: Open, lang: str):
    page = visit(f"/{lang}/incidents", java_script_enabled=False)
    # What a script suggests while one types is not promised to those without one.
    assert page.locator("datalist, [role=combobox], [role=listbox], #suggestions").count() == 0
    page.locator(".period summary").click()
    page.locator("[name=from]").fill("2020")
    page.locator("#q").fill("NCCL")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("q=NCCL.*from=2020"))
    page.locator(".applied a.period").click()
    assert page.url.endswith("/incidents?q=NCCL")
    page.locator(".narrow .component li a").first.click()
    assert "component=" in page.url
    page.locator(".net a[data-v]").first.click(position={"x": 100, "y": 12})
    assert page.locator(".applied li a.tag").count() == 2
    page.locator(".applied .clear").click()
    assert page.url.endswith("/incidents?q=NCCL")
    page.locator(".switch").click()
    assert page.locator("html").get_attribute("lang") != lang
    page.locator(".hit summary").first.click()
    assert page.locator(".hit .sections").first.is_visible()
    page.locator(".hit h3 a").first.click()
    assert page.locator("h1").is_visible()
    copying = page.locator("button[data-copy]").all()
    assert copying
    assert all(button.is_hidden() for button in copying)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_prompt_for_an_agent_is_copied_and_the_way_to_the_plugin_opens(visit: Open, lang: str):
    page = visit(f"/{lang}/incidents?{SEED}", permissions=["clipboard-read", "clipboard-write"])
    page.locator('button[data-copy="agent-prompt"]').click()
    page.wait_for_function("document.querySelector('[data-copy=agent-prompt]').textContent.match(/Copied|복사했/)")
    copied = page.evaluate("navigator.clipboard.readText()")

    assert copied == page.locator("#agent-prompt").inner_text()
    assert CASE in copied
    page.locator(".cluster p.small a").click()
    assert page.url.endswith(f"/{lang}/agents")
    assert "claude plugin install kubegap@kubegap" in page.locator("#claude-code").inner_text()
    assert "codex plugin add kubegap@kubegap" in page.locator("#codex").inner_text()
