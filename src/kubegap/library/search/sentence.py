"""The sentence above a list: how it is ordered, filtered, expanded, and what was left out, told from the executed question."""

from __future__ import annotations

from kubegap.library.search.backend import Hits
from kubegap.library.search.plan import Plan, enough
from kubegap.library.search.query import Order
from kubegap.library.vocabulary import Vocabulary
from kubegap.text import Text, counted, join

MOST_EXPANSIONS = 3


def sentence(plan: Plan, hits: Hits, vocabulary: Vocabulary) -> Text:
    """One or more short sentences in each language; every part of the question that had an effect is named."""
    parts = [
        _what(plan, hits),
        *_expanded(plan, hits, vocabulary),
        *_same(plan, hits),
        *_alike(plan, hits),
        *_dropped(plan, hits),
        *_vague(hits),
        *_order(plan, hits),
    ]
    return join(parts, ko=" ", en=" ")


def _what(plan: Plan, hits: Hits) -> Text:
    if plan.is_text:
        return _text(plan)
    query = plan.query
    filters = sum(len(values) for values in query.filters.values())
    period = query.from_ is not None or query.to is not None
    kept = [word.text for place, word in enumerate(plan.wanted) if place not in hits.dropped]
    if plan.wanted and not kept:
        return _NOTHING_FOUND
    words = _words(kept)
    if query.has_words and not plan.wanted:
        words = _ONLY_FUNCTION_WORDS
    narrowing = [_filters(filters)] if filters else []
    narrowing += [_PERIOD.fill(start=query.from_ or "…", to=query.to or "…")] if period else []
    if not narrowing:
        return words or _EVERYTHING
    chosen = join(narrowing, ko=", ", en=" and ")
    return join([words, _NARROWED.fill(by=chosen)], ko=" ", en=" ") if words else _ONLY_NARROWED.fill(by=chosen)


def _text(plan: Plan) -> Text:
    if not plan.wanted:
        return _NOTHING_KNOWN
    least, count = plan.enough(len(plan.wanted)), len(plan.wanted)
    return _LIKE_TEXT.fill(least=least, count=count)


def _words(kept: list[str]) -> Text | None:
    if not kept:
        return None
    quoted = ", ".join(f"“{word}”" for word in kept)
    least = enough(len(kept))
    if len(kept) == 1:
        return _ONE_WORD.fill(words=quoted)
    return (_ALL_WORDS if least == len(kept) else _SOME_WORDS).fill(words=quoted, least=least)


def _filters(count: int) -> Text:
    return counted(
        count, one=Text(ko="필터 {count}개", en="{count} filter"), many=Text(ko="필터 {count}개", en="{count} filters")
    )


def _expanded(plan: Plan, hits: Hits, vocabulary: Vocabulary) -> list[Text]:
    kept = [word for place, word in enumerate(plan.wanted) if place not in hits.dropped]
    terms = list(dict.fromkeys(term for word in kept for term in word.terms))
    if not terms or plan.is_text:
        return []
    labels = [vocabulary.term(facet, term).label for facet, term in terms[:MOST_EXPANSIONS]]
    more = [_MORE_TERMS.fill(count=len(terms) - MOST_EXPANSIONS)] if len(terms) > MOST_EXPANSIONS else []
    quoted = [label.map(lambda side, _: f"‘{side}’") for label in labels]
    return [_EXPANDED.fill(terms=join([*quoted, *more], ko=", ", en=", "))]


def _alike(plan: Plan, hits: Hits) -> list[Text]:
    """Words that were also looked for as what they sound like."""
    kept = [word for place, word in enumerate(plan.wanted) if place not in hits.dropped and word.alike]
    return [_ALIKE.fill(word=word.text, others=", ".join(f"“{other}”" for other in word.alike)) for word in kept]


def _same(plan: Plan, hits: Hits) -> list[Text]:
    """Words for which others were searched that mean the same."""
    kept = [word for place, word in enumerate(plan.wanted) if place not in hits.dropped]
    words = [word.text for word in kept if word.same and not word.terms]
    if not words or plan.is_text:
        return []
    return [_SAME.fill(words=", ".join(f"“{word}”" for word in words[:MOST_EXPANSIONS]))]


def _dropped(plan: Plan, hits: Hits) -> list[Text]:
    if not hits.dropped:
        return []
    words = ", ".join(f"“{plan.wanted[place].text}”" for place in hits.dropped)
    return [(_DROPPED if len(hits.dropped) < len(plan.wanted) else _ALL_DROPPED).fill(words=words)]


def _vague(hits: Hits) -> list[Text]:
    return [counted(hits.vague, one=_ONE_VAGUE, many=_MANY_VAGUE)] if hits.vague else []


def _order(plan: Plan, hits: Hits) -> list[Text]:
    return [_ORDERS[plan.order]] if hits.total > 1 else []


_ORDERS: dict[Order, Text] = {
    "relevance": Text(ko="가장 잘 맞는 사례가 먼저 나옵니다.", en="The best match comes first."),
    "newest": Text(ko="가장 최근에 일어난 사례가 먼저 나옵니다.", en="The newest come first."),
    "added": Text(ko="라이브러리에 가장 늦게 들어온 사례가 먼저 나옵니다.", en="The last added come first."),
}
_EVERYTHING = Text(
    ko="검색어도 필터도 없이 전체 사례를 보여 줍니다.", en="No words and no filters: this is the whole library."
)
_ONLY_NARROWED = Text(ko="검색어는 없고 {by}만 걸었습니다.", en="No words were searched for; only {by} applied.")
_NARROWED = Text(ko="{by} 안에서 찾았습니다.", en="Narrowed by {by}.")
_PERIOD = Text(ko="기간({start}부터 {to}까지)", en="the period {start} to {to}")
_ONE_WORD = Text(ko="검색어 {words} 와 맞는 사례입니다.", en="Cases that match {words}.")
_ALL_WORDS = Text(ko="검색어 {words} 와 모두 맞는 사례입니다.", en="Cases that match all of {words}.")
_SOME_WORDS = Text(
    ko="검색어 {words} 가운데 {least}개 이상과 맞는 사례입니다.", en="Cases that match at least {least} of {words}."
)
_ONLY_FUNCTION_WORDS = Text(
    ko="검색어에 찾을 만한 말이 없어 쓰지 않았습니다.",
    en="The words asked for say too little to search by; they were not used.",
)
_EXPANDED = Text(
    ko="분류 값 {terms} 의 동의어도 두 언어로 함께 찾았습니다.",
    en="Synonyms of {terms} were searched for in both languages as well.",
)
_SAME = Text(
    ko="{words} 와 같은 뜻의 말도 두 언어로 함께 찾았습니다.",
    en="Words that mean the same as {words} were searched for in both languages as well.",
)
_ALIKE = Text(
    ko="“{word}” 는 소리가 같은 {others} 로도 찾았습니다.",
    en="“{word}” was also searched for as {others}, which sounds alike.",
)
_MORE_TERMS = Text(ko="그 밖의 값 {count}개", en="and {count} more")
_DROPPED = Text(
    ko="{words} 까지 맞는 사례는 없어 이 말을 뺐습니다.", en="No case matches {words} as well, so that was left out."
)
_ALL_DROPPED = Text(ko="{words} 에 맞는 사례가 없습니다.", en="No case matches {words}.")
_LIKE_TEXT = Text(
    ko="글에서 이 라이브러리가 아는 말 {count}개를 골라, 그중 {least}개 이상과 맞는 사례를 찾았습니다. 시각, 주소, 해시는 빼고 보았습니다.",
    en="Of the text, {count} telling words were looked for; cases match at least {least} of them. "
    "Times, addresses and hashes were left out.",
)
_NOTHING_KNOWN = Text(ko="글에 이 라이브러리가 아는 말이 없습니다.", en="The text has no word that this library knows.")
_NOTHING_FOUND = Text(ko="찾은 사례가 없습니다.", en="Nothing was found.")
_ONE_VAGUE = Text(
    ko="{count}건은 날짜가 뚜렷하지 않아 기간 밖일 수도 있습니다.",
    en="{count} case is dated roughly and may lie outside the period.",
)
_MANY_VAGUE = Text(
    ko="{count}건은 날짜가 뚜렷하지 않아 기간 밖일 수도 있습니다.",
    en="{count} cases are dated roughly and may lie outside the period.",
)
