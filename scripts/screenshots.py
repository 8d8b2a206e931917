"""Pictures of the main pages at three widths, in both languages and schemes, and those that are handed round on paper as PDF.

`python -m scripts.screenshots [FOLDER]` writes them into `build/screenshots`, which git does not keep, and the one of the READMEs
into `docs/results.png` if `--readme` is given.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.library import loading
from kubegap.library.compiling import compile_library
from scripts.browser import ROOT, chromium, serving

SEED = "component=gpu-hardware-memory&symptom=gpu-not-visible&factor=monitoring-blind-spot"
PLACES = {
    "results": f"/incidents?{SEED}",
    "all": "/incidents",
    "search": "/incidents?q=NCCL+timeout",
    "empty": "/incidents?component=gpu-hardware-memory&symptom=dns-resolution-failure",
    "case": "/incidents/2021-08-bigscience-ecc-gpu-node-reused",
    "term": "/terms/component/nccl",
    "terms": "/terms",
    "similar": "/similar",
    "pasted": "/similar",
    "checks": "/checks",
    "check": "/checks/webhook-fail-closed-wide",
    "about": "/about",
    "mistake": "/incidents?component=gpu-hardwear",
}
PRINTED = ("results", "case", "term", "check")
WIDTHS = (360, 1024, 1440)
LOG = ROOT / "examples" / "gpu-node.log"
README = ROOT / "docs" / "results.png"


def take(base: str, browser: Any, out: Path) -> int:
    """Every place at every width, language and scheme; gives how many pictures there are."""
    count = 0
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            for lang in ("ko", "en"):
                for name, place in PLACES.items():
                    page.goto(f"{base}/{lang}{place}")
                    if name == "pasted":
                        page.locator("#text").fill(LOG.read_text(encoding="utf-8"))
                        page.locator(".paste button").click()
                    # A long list need not be seen to its end.
                    page.screenshot(
                        path=out / f"{name}-{lang}-{width}-{scheme}.png", full_page=name not in {"all", "terms"}
                    )
                    count += 1
            context.close()
    return count


def take_sheets(base: str, browser: Any, out: Path) -> int:
    """The pages as a printer gets them, from a screen that is dark; gives how many there are."""
    page = browser.new_page(color_scheme="dark")
    for lang in ("ko", "en"):
        for name in PRINTED:
            page.goto(f"{base}/{lang}{PLACES[name]}")
            page.pdf(path=out / f"{name}-{lang}.pdf", format="A4")
    page.close()
    return 2 * len(PRINTED)


def take_readme(base: str, browser: Any) -> None:
    """The page with its graph, as the READMEs show it."""
    page = browser.new_page(viewport={"width": 1100, "height": 980})
    page.goto(f"{base}/en/incidents?{SEED}")
    page.screenshot(path=README)


def main(arguments: list[str]) -> None:
    """Compile the library, serve it, look at it."""
    folder = next((Path(name) for name in arguments if not name.startswith("-")), ROOT / "build" / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    library = loading.load([ROOT / "library"])
    incidents = [document.value for document in library.incidents.values()]
    with tempfile.TemporaryDirectory() as compiled:
        extra = {CHECKS: pages.encode(pages.read_pages())}
        compile_library(incidents, library.vocabulary, Path(compiled), revision="", extra=extra)
        with serving(Path(compiled)) as base, sync_playwright() as playwright:
            browser = chromium(playwright)
            if "--readme" in arguments:
                take_readme(base, browser)
            else:
                pictures, sheets = take(base, browser, folder), take_sheets(base, browser, folder)
                print(f"{pictures} pictures and {sheets} sheets in {folder}")
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
