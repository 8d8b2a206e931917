"""From the parameters of an address to a question, or to a mistake with ways out."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kubegap.library.search.query import BadQuery, Query, check, from_parameters
from kubegap.library.vocabulary import FACETS, Vocabulary
from kubegap.text import Text
from kubegap.web import mistakes
from kubegap.web.mistakes import Refused, Way, short
from kubegap.web.words import frame
from kubegap.web.words import mistakes as words

SINGLE = ("q", "from", "to", "order", "page")
MAX_ALL = 8192
KNOWN = frozenset({*SINGLE, *FACETS})

Pairs = Sequence[tuple[str, str]]


class Asked(Struct, frozen=True):
    """A checked question, and what its address says in vain."""

    query: Query
    unknown: list[str]
    repeated: list[str]

    def notices(self) -> list[Text]:
        """What a person is told about parameters that were not used."""
        notes = []
        if self.unknown:
            notes.append(frame.UNKNOWN_PARAMETERS.fill(names=_listed(self.unknown)))
        if self.repeated:
            notes.append(frame.REPEATED_PARAMETERS.fill(names=_listed(self.repeated)))
        return notes


def ask(pairs: Pairs, vocabulary: Vocabulary) -> Asked:
    """Read repeated parameters as a question; raises `Refused`."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    if _size(values.get("q", [])) > mistakes.MAX_WORDS or sum(_size(given) for given in values.values()) > MAX_ALL:
        # Every link of a page repeats the question: a long one would make a page of many megabytes.
        raise Refused(mistakes.too_long())
    return Asked(_checked(values, vocabulary), _unknown(values), _repeated(values))


def ask_strictly(pairs: Pairs, vocabulary: Vocabulary) -> Query:
    """The same for programs, which should not send what is not used; raises `Refused`."""
    asked = ask(pairs, vocabulary)
    if asked.unknown or asked.repeated:
        raise Refused(mistakes.bad_parameters(asked.unknown, asked.repeated))
    return asked.query


def _checked(values: dict[str, list[str]], vocabulary: Vocabulary) -> Query:
    try:
        query = from_parameters(values)
    except BadQuery as error:
        raise Refused(mistakes.bad_query(error, _ways(values))) from error
    unknown = [
        (facet, value)
        for facet in FACETS
        for value in dict.fromkeys(query.selected(facet))
        if value not in vocabulary[facet]
    ]
    if unknown:
        raise Refused(mistakes.unknown_values(query, unknown, vocabulary))
    try:
        return check(query, vocabulary)
    except BadQuery as error:
        raise Refused(mistakes.bad_query(error, _period_ways(query))) from error


def _size(values: list[str]) -> int:
    return sum(len(value.encode(errors="replace")) for value in values)


def _unknown(values: dict[str, list[str]]) -> list[str]:
    return [name for name in values if name not in KNOWN]


def _repeated(values: dict[str, list[str]]) -> list[str]:
    return [name for name in SINGLE if len({value for value in values.get(name, []) if value}) > 1]


def _ways(values: dict[str, list[str]]) -> list[Way]:
    """The same question without its order and page, one of which could not be read."""
    rest = {name: given for name, given in values.items() if name not in {"order", "page"}}
    return [Way(words.WAY_DEFAULT_ORDER, from_parameters(rest))]


def _period_ways(query: Query) -> list[Way]:
    ways = [Way(words.WAY_NO_PERIOD, replace(query, from_=None, to=None))]
    if query.from_ and query.to and query.to < query.from_:
        swapped = replace(query, from_=query.to, to=query.from_)
        return [Way(words.WAY_SWAPPED.fill(start=short(query.to), to=short(query.from_)), swapped), *ways]
    return ways


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{short(name)}`" for name in dict.fromkeys(names[:10]))
