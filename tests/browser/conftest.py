"""The library served as readers get it, and Debian's Chromium to look at it. Nothing here is skipped: what is missing fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from scripts.browser import chromium, serving

SEED = "component=gpu-hardware-memory&symptom=gpu-not-visible&factor=monitoring-blind-spot"
CASE = "2021-08-bigscience-ecc-gpu-node-reused"
WAIT = 15_000

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def base(library_dir: Path) -> Iterator[str]:
    """The address of the server."""
    with serving(library_dir) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = chromium(playwright)
        yield found
        found.close()


@pytest.fixture
def visit(base: str, browser: Browser) -> Iterator[Open]:
    """Open a place: `visit("/ko/incidents", width=360, javaScriptEnabled=False)`.

    When the test ends, no page may have asked anything of another site, or have met an error in its script or policy.
    """
    contexts, asked, errors = [], [], []

    def opened(place: str, width: int = 1280, height: int = 900, **options) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(WAIT)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(base + place)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not [address for address in asked if not address.startswith((f"{base}/", "data:", "blob:"))]
    assert not [error for error in errors if "status of 40" not in error]
