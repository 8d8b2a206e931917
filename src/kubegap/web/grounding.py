"""Which checks rest on which incidents, told from both sides, and the command that runs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kubegap.checks.page import Page

COMMAND = "kubegap check"


class Grounding:
    """The checks of an edition by id, and those that cite each incident."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.pages = pages
        self._citing: dict[str, list[str]] = {}
        for page in pages.values():
            for incident in page.incidents:
                self._citing.setdefault(incident, []).append(page.id)

    def citing(self, incident: str) -> list[str]:
        """The checks that cite an incident, in the order of ids."""
        return self._citing.get(incident, [])

    def behind(self, incidents: Iterable[str]) -> list[str]:
        """The checks that cite any of these incidents, those that cite most of them first."""
        counts = Counter(check for incident in incidents for check in self.citing(incident))
        return sorted(counts, key=lambda check: (-counts[check], check))

    @property
    def cited(self) -> list[str]:
        """Every incident that some check cites."""
        return list(self._citing)


def command(option: str = "", values: Iterable[str] = ()) -> str:
    """`kubegap check`, with an option once for each value."""
    return " ".join([COMMAND, *(f"--{option} {value}" for value in values)])
