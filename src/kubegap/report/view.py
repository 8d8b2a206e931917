"""What every output format is made from: a report, how its findings stand, and for whom it is written."""

from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from msgspec import Struct

from kubegap.checks.model import Evidence, Finding, State
from kubegap.checks.page import Page
from kubegap.checks.run import Cause, Report, Result
from kubegap.library.words import NO_TITLE
from kubegap.problems import KubegapError
from kubegap.report.ids import finding_id
from kubegap.report.standing import Standing, Status, Verdict
from kubegap.text import Lang, Text

WIDTH = 100


class View(Struct, frozen=True):
    """One report for one reader. `titles` are those of incidents by id, `library_url` where their pages are.

    `width`, `is_verbose` and `has_colour` are for terminals.
    """

    report: Report
    lang: Lang
    titles: Mapping[str, Text] = {}
    verdict: Verdict = Verdict()
    library_url: str | None = None
    width: int = WIDTH
    is_verbose: bool = False
    has_colour: bool = False

    def entries(self) -> list["Entry"]:
        """Every finding, worst first, then by check and subject."""
        found = [self._entry(result.page, finding) for result in self.report.results for finding in result.findings]
        return sorted(found, key=lambda entry: (entry.finding.severity.rank, entry.page.id, entry.finding.subject.path))

    def gaps(self) -> list[tuple[Page, list["Entry"]]]:
        """The same by check, the check with the worst finding first."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries():
            found.setdefault(entry.page.id, []).append(entry)
        return [(entries[0].page, entries) for entries in found.values()]

    def unanswered(self) -> list[Result]:
        """Checks that do not answer, or not for all that there is, each with a reason; not those with nothing to look at."""
        return [result for result in self.report.results if result.reason and result.state is not State.NOT_APPLICABLE]

    def links(self, page: Page) -> list[tuple[str, Text, str | None]]:
        """The incidents behind a check: id, title, and the address of the page in the reader's language."""
        return [(incident, self.title(incident), self.link(incident)) for incident in page.incidents]

    def title(self, incident: str) -> Text:
        """The title of an incident, or that this library does not have it."""
        return self.titles.get(incident, NO_TITLE)

    def link(self, incident: str, lang: Lang | None = None) -> str | None:
        """Where the library shows an incident; None if nobody said where the library is."""
        return incident_link(self.library_url, lang or self.lang, incident)

    def _entry(self, page: Page, finding: Finding) -> "Entry":
        identity = finding_id(page.id, finding)
        return Entry(identity, page, finding, self.verdict.of(identity))


class Entry(Struct, frozen=True):
    """One finding with its id, the page of its check, and how it stands."""

    id: str
    page: Page
    finding: Finding
    standing: Standing | None = None

    @property
    def status(self) -> Status | None:
        """Its status, if it was compared with anything."""
        return self.standing.status if self.standing else None

    @property
    def counts(self) -> bool:
        """Whether it counts for exit codes."""
        return self.status is None or self.status.counts

    @property
    def sentence(self) -> Text:
        """What was found, in both languages."""
        return self.page.sentence(self.finding)


class BadAddress(KubegapError):
    """An address of a library that browsers could not open, or should not."""


def library_address(words: str | None) -> str | None:
    """`--library-url` without its last slash; raises `BadAddress` for anything but http and https."""
    if not words:
        return None
    try:
        parts = urlsplit(words)
        is_open = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_open = False
    if not is_open or parts.query or parts.fragment or parts.username is not None or not _PLAIN.issuperset(words):
        raise BadAddress(_BAD_ADDRESS.fill(words=ascii(words)))
    return words.rstrip("/")


def incident_link(library_url: str | None, lang: Lang, incident: str) -> str | None:
    """The page of one incident in one language."""
    return f"{library_url}/{lang}/incidents/{quote(incident, safe='')}" if library_url else None


def owner_of(evidence: Evidence, finding: Finding) -> str:
    """Whose field it is, where that is not the subject: empty, or the object and a space."""
    return "" if evidence.object.replace("/-/", "/") == finding.subject.shown else f"{evidence.object} "


def is_broken(result: Result) -> bool:
    """Whether a check of kubegap itself failed."""
    return result.cause is Cause.FAILED


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/[]%")
_BAD_ADDRESS = Text(
    ko="{words} 는 라이브러리의 주소가 아닙니다. https://incidents.example.com 처럼 쓰세요.",
    en="{words} is no address of a library; write https://incidents.example.com.",
)
