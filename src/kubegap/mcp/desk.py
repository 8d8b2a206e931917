"""What the tools work with."""

from __future__ import annotations

from msgspec import Struct

from kubegap.mcp.scanning import Scanner
from kubegap.mcp.scans import Scan, Scans
from kubegap.mcp.shelf import Shelf
from kubegap.mcp.target import Target
from kubegap.report.view import View
from kubegap.text import Lang


class Desk(Struct, frozen=True):
    """The library, the cluster that was pointed at, the scans, and the language of answers that ask for none."""

    shelf: Shelf
    target: Target
    scans: Scans
    scanner: Scanner
    lang: Lang

    def language(self, asked: str) -> Lang:
        """The language of one answer."""
        return "ko" if asked == "ko" else "en" if asked == "en" else self.lang

    def view(self, scan: Scan, lang: Lang) -> View:
        """A scan as every output format sees it."""
        cited = {incident for result in scan.report.results for incident in result.page.incidents}
        titles = {incident: self.shelf.title(incident) for incident in cited}
        return View(scan.report, lang, titles, scan.verdict)
