"""What a reader can get wrong, with ways out; the same mistake becomes a page or a problem document."""

from __future__ import annotations

from msgspec import Struct

from kubegap.library.search.query import BadQuery, Query
from kubegap.library.vocabulary import FACET_NAMES, FACETS, Facet, Vocabulary
from kubegap.problems import KubegapError, nearest
from kubegap.text import Text, same
from kubegap.web.words import mistakes as words

MAX_WORDS = 2048
MOST_VALUES = 8


class Way(Struct, frozen=True):
    """A way out: a list to see, or a place `below` the language."""

    label: Text
    query: Query | None = None
    below: str = ""


class Detail(Struct, frozen=True):
    """One thing wrong: what, in which parameter, and the ids that may have been meant."""

    message: Text
    parameter: str | None = None
    nearest: list[str] = []


class Mistake(Struct, frozen=True):
    """Why there is no answer. `kind` names it to programs and never changes."""

    status: int
    kind: str
    title: Text
    details: list[Detail]
    ways: list[Way] = []


class Refused(Exception):
    """A request that gets a mistake for an answer."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.kind)
        self.mistake = mistake


ALL_CASES = Way(words.WAY_ALL, Query())
ALL_TERMS = Way(words.WAY_TERMS, below="/terms")
ALL_CHECKS = Way(words.WAY_CHECKS, below="/checks")
BY_LOG = Way(words.WAY_SIMILAR, below="/similar")


def not_found() -> Mistake:
    """No page at this address."""
    return Mistake(404, "not-found", words.NOT_FOUND, [Detail(words.NOT_FOUND_DETAIL)], [ALL_CASES, ALL_TERMS, BY_LOG])


def nearest_cases(incident: str, known: list[str]) -> list[str]:
    """Ids that a misspelt one may have meant."""
    return nearest(incident[:200], known)


def no_case(incident: str, close: list[str], titles: dict[str, Text]) -> Mistake:
    """No case with this id; `close` are the nearest ones, with their titles."""
    ways = [Way(titles[found], below=f"/incidents/{found}") for found in close]
    detail = Detail(words.NO_CASE_DETAIL.fill(id=short(incident)), "id", close)
    return Mistake(404, "no-such-incident", words.NO_CASE, [detail], [*ways, ALL_CASES])


def no_check(check: str, titles: dict[str, Text]) -> Mistake:
    """No check with this id; `titles` are those of all checks."""
    close = nearest(check[:200], titles)
    ways = [Way(titles[found], below=f"/checks/{found}") for found in close]
    detail = Detail(words.NO_CHECK_DETAIL.fill(id=short(check)), "id", close)
    return Mistake(404, "no-such-check", words.NO_CHECK, [detail], [*ways, ALL_CHECKS])


def no_term(facet: str, term: str, vocabulary: Vocabulary) -> Mistake:
    """No facet or term with this id."""
    known = next((name for name in FACETS if name == facet), None)
    if known is None:
        detail = Detail(words.NO_FACET_DETAIL.fill(facet=short(facet)), "facet", nearest(facet[:200], FACETS))
        return Mistake(404, "no-such-facet", words.NO_TERM, [detail], [ALL_TERMS])
    close = vocabulary.nearest(known, term[:200])
    detail = Detail(words.NO_TERM_DETAIL.fill(facet=FACET_NAMES[known], id=short(term)), "term", close)
    ways = [Way(vocabulary[known][found].label, below=f"/terms/{known}/{found}") for found in close]
    return Mistake(404, "no-such-term", words.NO_TERM, [detail], [*ways, ALL_TERMS])


def unknown_values(query: Query, unknown: list[tuple[Facet, str]], vocabulary: Vocabulary) -> Mistake:
    """Filter values that do not exist, each with the nearest ones and a way without it."""
    details, ways = [], []
    for facet, value in unknown[:MOST_VALUES]:
        close = vocabulary.nearest(facet, value[:200])
        details.append(Detail(words.UNKNOWN_VALUE.fill(facet=FACET_NAMES[facet], value=short(value)), facet, close))
        ways += [_instead(query, facet, value, found, vocabulary) for found in close]
        ways.append(Way(words.WAY_WITHOUT.fill(value=short(value)), _replaced(query, facet, value, None)))
    return Mistake(400, "unknown-value", words.BAD_REQUEST, details, [*ways, ALL_CASES])


def bad_query(error: KubegapError, ways: list[Way]) -> Mistake:
    """A question that cannot be asked so."""
    kind = "bad-query" if isinstance(error, BadQuery) else "bad-request"
    return Mistake(400, kind, words.BAD_REQUEST, [Detail(_as_sentence(error))], [*ways, ALL_CASES])


def bad_parameters(unknown: list[str], repeated: list[str]) -> Mistake:
    """Parameters that a program should not have sent; people are only told of them."""
    details = [Detail(words.UNKNOWN_PARAMETER.fill(name=short(name)), short(name)) for name in unknown]
    details += [Detail(words.REPEATED_PARAMETER.fill(name=name), name) for name in repeated]
    return Mistake(400, "bad-parameter", words.BAD_REQUEST, details, [ALL_CASES])


def no_page(query: Query, last: int) -> Mistake:
    """A page behind the last one."""
    detail = Detail(words.NO_PAGE_DETAIL.fill(page=f"{query.page:,}", last=f"{last:,}"), "page")
    ways = [Way(words.WAY_FIRST_PAGE, on_page(query, 1))]
    ways += [Way(words.WAY_LAST_PAGE, on_page(query, last))] if last > 1 else []
    return Mistake(404, "no-such-page", words.NO_PAGE, [detail], ways)


def too_long() -> Mistake:
    """More words than fit an address."""
    return Mistake(
        414,
        "too-long",
        words.TOO_LONG,
        [Detail(words.TOO_LONG_DETAIL.fill(limit=f"{MAX_WORDS:,}"), "q")],
        [BY_LOG, ALL_CASES],
    )


def on_page(query: Query, page: int) -> Query:
    """The same question on another page."""
    return Query(query.q, query.filters, query.from_, query.to, query.order, page, query.page_size)


def short(value: str) -> str:
    """A value of any length and form, fit to be shown."""
    shown = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in value[:80])
    return shown.replace("`", "'") + ("…" if len(value) > 80 else "")


def _as_sentence(error: KubegapError) -> Text:
    return Text(ko=error.sentence("ko"), en=error.sentence("en"))


def _instead(query: Query, facet: Facet, value: str, found: str, vocabulary: Vocabulary) -> Way:
    label = vocabulary[facet][found].label
    return Way(words.WAY_INSTEAD.fill(label=label, id=same(found)), _replaced(query, facet, value, found))


def _replaced(query: Query, facet: Facet, value: str, found: str | None) -> Query:
    values = [found if old == value else old for old in query.selected(facet)]
    return query.with_values(facet, list(dict.fromkeys(new for new in values if new)))
