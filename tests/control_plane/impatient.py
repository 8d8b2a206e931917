"""A library whose checks wait for nothing, because everything in a test cluster was made a moment ago."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from msgspec import structs

from kubegap.checks import pages
from kubegap.checks.page import Page
from kubegap.checks.pages import CHECKS
from kubegap.library import loading
from kubegap.library.compiling import compile_library

ROOT = Path(__file__).parent.parent.parent


def impatient_pages() -> dict[str, Page]:
    """The pages of all checks, with waiting times of none; the cases hold the real ones."""
    return {
        name: structs.replace(page, waits={wait: _shortened(wait) for wait in page.waits})
        for name, page in pages.read_pages().items()
    }


def compile_impatient(out: Path) -> Path:
    """The library of the repository with these pages."""
    loaded = loading.load([ROOT / "library"])
    incidents = [document.value for document in loaded.incidents.values()]
    compile_library(incidents, loaded.vocabulary, out, revision="", extra={CHECKS: pages.encode(impatient_pages())})
    return out


def _shortened(wait: str) -> timedelta:
    # How long a heartbeat is good for, and how far back it is looked, is no waiting time; the planted condition is old by design.
    return timedelta(days=3650) if wait in {"heartbeat", "history"} else timedelta(0)
