"""Draws the plugin's icon, `plugins/kubegap/icon.png`, from the mark of the site, with Debian's Chromium.

`python -m scripts.icon` writes it. Directories of plugins want a square PNG of 512 to 2048 px, which a browser's SVG is not.
"""

from __future__ import annotations

from scripts.browser import ROOT, chromium

MARK = ROOT / "src" / "kubegap" / "web" / "static" / "icon.svg"
ICON = ROOT / "plugins" / "kubegap" / "icon.png"
SIZE = 1024
# The mark stands on paper, with the margins that rounded masks of clients leave visible.
PAGE = """<!doctype html><style>
  body { margin: 0; background: #fff; }
  svg { display: block; width: 62vmin; height: 62vmin; margin: 19vmin; }
</style>"""


def draw() -> bytes:
    """The icon as PNG."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415, only who draws needs it

    with sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport={"width": SIZE, "height": SIZE})
        page.set_content(PAGE + MARK.read_text(encoding="utf-8"))
        data: bytes = page.screenshot(type="png")
        browser.close()
    return data


if __name__ == "__main__":
    ICON.write_bytes(draw())
