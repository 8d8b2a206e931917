"""Why a case is in a list: the words found in its texts, and the chosen values it carries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from kubegap.library.record import Incident
from kubegap.library.search.prepared import Place
from kubegap.library.search.query import Query
from kubegap.library.search.result import Range, Why
from kubegap.library.search.why import text_at
from kubegap.library.vocabulary import FACET_FIELDS, FACET_NAMES, FACETS, Vocabulary, tagged
from kubegap.text import Lang
from kubegap.web.views.case import Shown, values
from kubegap.web.words.results import IN_FIELD

MOST = 4
_AROUND = 36


class Part(Struct, frozen=True):
    """A stretch of text, marked where it matches."""

    text: str
    is_match: bool = False


class Reason(Struct, frozen=True):
    """Where a case matched. `lang` is that of the parts where it is not the page's; literal ones are code."""

    label: str
    parts: list[Part]
    lang: str | None = None
    is_literal: bool = False


def reasons(
    incident: Incident, shown: Shown, why: Sequence[Why], query: Query, vocabulary: Vocabulary, lang: Lang
) -> list[Reason]:
    """The most telling reasons: the page's language before the other, words before values."""
    told = [_reason(incident, shown, one, vocabulary, lang) for one in _telling(why, lang)]
    found = [reason for reason in told if reason is not None]
    return _without_repeats([*found[:MOST], *_by_filters(shown, query, vocabulary, lang)])


def marked(text: str, ranges: Iterable[Range]) -> list[Part]:
    """A whole text with its matches marked."""
    parts, at = [], 0
    for start, end in ranges:
        parts += [Part(text[at:start]), Part(text[start:end], is_match=True)]
        at = end
    return [part for part in [*parts, Part(text[at:])] if part.text]


def snippet(text: str, ranges: Sequence[Range]) -> list[Part]:
    """The surroundings of the first match, with all matches in them marked; cut at words."""
    if not ranges:
        return [Part(_shortened(text))]
    start = _word_start(text, max(0, ranges[0][0] - _AROUND))
    end = _word_end(text, min(len(text), ranges[0][1] + _AROUND))
    inside = [(max(low, start) - start, min(high, end) - start) for low, high in ranges if low < end and high > start]
    before, after = Part("… "), Part(" …")
    return [*([before] if start else []), *marked(text[start:end], inside), *([after] if end < len(text) else [])]


def title_ranges(why: Sequence[Why], lang: Lang) -> list[Range]:
    """Where the title in a language matches."""
    return next((one.ranges for one in why if one.field == "title" and one.lang == lang), [])


def _telling(why: Sequence[Why], lang: Lang) -> list[Why]:
    """Texts that the reader sees; of the other language only those that explain a word which nothing here does."""
    seen = [one for one in why if one.lang in {lang, None}]
    explained = {word for one in seen for word in one.words}
    other = [one for one in why if one not in seen and not explained.issuperset(one.words)]
    return [one for one in [*seen, *other] if one.field != "title" or one.lang != lang]


def _reason(incident: Incident, shown: Shown, why: Why, vocabulary: Vocabulary, lang: Lang) -> Reason | None:
    facet = next((facet for facet in FACETS if FACET_FIELDS[facet] == why.field), None)
    if facet is not None and why.index is not None:
        tag = tagged(incident)[facet][why.index]
        return Reason(FACET_NAMES[facet].of(lang), [Part(vocabulary.term(facet, tag).label.of(lang), is_match=True)])
    if (label := IN_FIELD.get(why.field)) is None:
        return None
    # The place of a text does not depend on the field that it is weighed in.
    text = text_at(incident, Place("body", why.field, why.index, why.lang))
    own = why.lang or shown.organisation_lang
    return Reason(
        label.of(lang), snippet(text, why.ranges), own if own != lang else None, is_literal=why.field == "signatures"
    )


def _by_filters(shown: Shown, query: Query, vocabulary: Vocabulary, lang: Lang) -> list[Reason]:
    """The case's own values that the filters chose; a value may stand below the chosen one."""
    found: list[Reason] = []
    if not query.filters:
        return found
    for tag in [*values(shown), *shown.platforms]:
        if set(vocabulary.with_broader(tag.facet, tag.id)) & set(query.selected(tag.facet)):
            certainty = f" ({tag.certainty})" if tag.is_inferred else ""
            found.append(Reason(FACET_NAMES[tag.facet].of(lang), [Part(tag.label + certainty)]))
    return found


def _without_repeats(found: list[Reason]) -> list[Reason]:
    return list({(reason.label, "".join(part.text for part in reason.parts)): reason for reason in found}.values())


def _shortened(text: str) -> str:
    return text if len(text) <= _AROUND * 3 else text[: _word_start(text, _AROUND * 3)].rstrip() + " …"


def _word_start(text: str, at: int) -> int:
    """The start of the word that a place is in, if it is near."""
    space = text.rfind(" ", max(0, at - 20), at)
    return space + 1 if space >= 0 else at


def _word_end(text: str, at: int) -> int:
    space = text.find(" ", at, at + 20)
    return space if space >= 0 else at if at + 20 < len(text) else len(text)
