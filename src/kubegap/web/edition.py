"""One generation made ready to be shown, and the swap to the next one while requests run."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path

from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.library import stats
from kubegap.library.generation import CURRENT, Generation, open_library
from kubegap.library.search.search import Search
from kubegap.library.stats import Stats
from kubegap.library.vocabulary import Facet, Vocabulary, carries
from kubegap.problems import KubegapError
from kubegap.text import LANGS, Lang, Text
from kubegap.web.addresses import Addresses
from kubegap.web.download import Download
from kubegap.web.grounding import Grounding
from kubegap.web.suggest import Suggester
from kubegap.web.tallies import Tallies
from kubegap.web.views.case import Case, Shown

_KEPT_CASES = 256

log = logging.getLogger(__name__)


class Edition:
    """A generation with its search and the parts of pages that depend on nothing else.

    A request takes the edition once and keeps it, so that no page mixes two.
    """

    def __init__(self, generation: Generation, root: str, changed: datetime) -> None:
        self.generation = generation
        self.search = Search(generation)
        self.grounding = Grounding(generation.decoded(CHECKS, pages.decode))
        self.changed = changed
        self.incident = self.search.incident
        self.case = lru_cache(maxsize=2 * _KEPT_CASES)(self._case)
        self.behind_components = lru_cache(maxsize=_KEPT_CASES)(self._behind_components)
        self._cases = {lang: Case(generation.vocabulary, Addresses(root, lang)) for lang in LANGS}
        self._counting = threading.Lock()

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms."""
        return self.generation.vocabulary

    @property
    def mark(self) -> str:
        """A short name of the content."""
        return self.generation.manifest.hash[:12]

    @cached_property
    def ids(self) -> frozenset[str]:
        """Ids of all incidents, withdrawn ones too."""
        return frozenset(self.generation.ids)

    @cached_property
    def standing_ids(self) -> list[str]:
        """Ids of the incidents that are not withdrawn, sorted."""
        return [incident.id for incident in self.generation.standing()]

    @cached_property
    def download(self) -> Download:
        """The whole library as one file."""
        return Download(self.generation)

    @cached_property
    def suggester(self) -> Suggester:
        """What the search box suggests."""
        return Suggester(self.generation)

    @cached_property
    def tallies(self) -> Tallies:
        """Which cases carry which values."""
        with self._counting:
            return Tallies(self.generation.standing())

    @cached_property
    def stats(self) -> Stats:
        """What the library holds, counted."""
        with self._counting:
            return stats.count(self.generation.incidents(), self.vocabulary)

    def years(self, facet: Facet, term: str) -> Counter[str]:
        """How many cases carry a term or a narrower one, by year."""
        return self.tallies.years(facet, term, self.vocabulary)

    def titles(self, incidents: list[str]) -> dict[str, Text]:
        """Titles of some incidents."""
        return {incident: self.generation.incident(incident).title for incident in incidents}

    def _behind_components(self, components: tuple[str, ...]) -> list[str]:
        """The checks behind all incidents of some components; every check if none is given."""
        if not components:
            return list(self.grounding.pages)
        cited = [self.incident(incident) for incident in self.grounding.cited if incident in self.ids]
        return self.grounding.behind(
            incident.id
            for incident in cited
            if incident.withdrawn is None and carries(incident, "component", components, self.vocabulary)
        )

    def _case(self, incident: str, lang: Lang) -> Shown:
        return self._cases[lang].show(self.incident(incident))


class Shelf:
    """Holds the current edition of a library directory."""

    def __init__(self, directory: Path, root: str) -> None:
        self._directory = directory
        self._root = root
        self._seen = self._signature()
        self._edition = self._open()
        self._swapping = threading.Lock()
        self.failures = 0

    def edition(self) -> Edition:
        """The current edition. When the directory points elsewhere, the next one is opened beside it, by a thread."""
        if self._signature() != self._seen and self._swapping.acquire(blocking=False):
            threading.Thread(target=self._swap, name="kubegap-edition", daemon=True).start()
        return self._edition

    def refresh(self) -> None:
        """Swap now, if the directory points elsewhere."""
        if self._signature() != self._seen:
            self._swapping.acquire()
            self._swap()

    def _swap(self) -> None:
        seen = self._signature()
        try:
            self._edition = self._open()
        except KubegapError as error:
            self.failures += 1
            log.warning("the library was changed but cannot be opened; the one before is still served: %s", error)
        finally:
            # A library that cannot be opened is not tried again until it changes.
            self._seen = seen
            self._swapping.release()

    def _open(self) -> Edition:
        changed = datetime.fromtimestamp(self._seen_seconds(), UTC)
        return Edition(open_library(self._directory), self._root, changed)

    def _seen_seconds(self) -> int:
        signature = self._signature()
        return signature[1] // 1_000_000_000 if signature else 0

    def _signature(self) -> tuple[int, int] | None:
        try:
            found = (self._directory / CURRENT).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns
