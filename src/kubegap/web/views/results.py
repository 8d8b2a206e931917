"""The list of cases that explains itself."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from kubegap.library.graph import Graph
from kubegap.library.search.query import ORDERS, Query
from kubegap.library.search.result import Item, Result
from kubegap.library.vocabulary import FACETS
from kubegap.text import Lang, counted
from kubegap.web.addresses import FORMS, Addresses
from kubegap.web.asking import Asked
from kubegap.web.edition import Edition
from kubegap.web.views import facets
from kubegap.web.views.behind import Behind, behind_list
from kubegap.web.views.case import Shown, ShownTag, glance_tags, values
from kubegap.web.views.empty import Empty
from kubegap.web.views.facets import Chip, Recommended, Values
from kubegap.web.views.frame import Around, Feed, Frame, frame
from kubegap.web.views.graph import ResultsGraph, results_graph
from kubegap.web.views.reasons import Part, Reason, marked, reasons, title_ranges
from kubegap.web.words import results as words


class Link(Struct, frozen=True):
    """A link with its words; `is_here` where it leads to what is shown."""

    label: str
    href: str
    is_here: bool = False


class SearchForm(Struct, frozen=True):
    """The search box: where it leads, what stands in it, and the filters it keeps."""

    action: str
    suggest: str
    q: str
    kept: list[tuple[str, str]]
    start: str
    to: str
    order: str
    is_open: bool


class Hit(Struct, frozen=True):
    """A case in a list."""

    place: int
    case: Shown
    title: list[Part]
    tags: list[ShownTag]
    more_tags: str | None
    reasons: list[Reason]


class Cluster(Struct, frozen=True):
    """The hand-over to the checker: the components that the cases share, and the checks behind them."""

    lead: str
    components: list[Link]
    checks: Behind


class Pages(Struct, frozen=True):
    """The ways to other pages of a list; a gap in the numbers has no address."""

    previous: str | None
    next: str | None
    numbers: list[Link]


class ResultsPage(Struct, frozen=True):
    """The list, in the order of the page it grew from."""

    frame: Frame
    form: SearchForm
    chips: list[Chip]
    clear: str
    sentence: str
    corrections: list[Link]
    recommended: list[Recommended]
    recommended_hint: str
    graph: ResultsGraph | None
    count: str
    place: str
    orders: list[Link]
    forms: list[Link]
    hits: list[Hit]
    empty: Empty | None
    pages: Pages
    cluster: Cluster | None
    values: list[Values]


def results_page(
    asked: Asked, result: Result, found: Graph, empty: Empty | None, edition: Edition, around: Around
) -> ResultsPage:
    """The page of a result, and the graph found for it."""
    query, addresses = asked.query, around.addresses
    lang = addresses.lang
    hint = words.RECOMMENDED_NONE if query.has_words else words.RECOMMENDED_HINT
    return ResultsPage(
        frame=_frame(asked, edition, around),
        form=search_form(query, addresses),
        chips=facets.chips(query, edition.vocabulary, addresses),
        clear=facets.cleared(query, addresses),
        sentence=result.sentence.of(lang),
        corrections=[
            Link(found.q, addresses.incidents(replace(query, q=found.q, page=1))) for found in result.corrections
        ],
        recommended=facets.recommended(query, result, addresses),
        recommended_hint=hint.of(lang),
        graph=results_graph(found, query, addresses),
        count=words.HEADING_COUNT.fill(count=f"{result.total:,}").of(lang),
        place=place_label(result, lang),
        orders=_orders(query, addresses) if result.total > 1 else [],
        forms=forms(query, addresses),
        hits=hits(query, result, edition, lang),
        empty=empty,
        pages=pages(query, result, addresses),
        cluster=cluster(query, result, edition, addresses),
        values=facets.values(query, result, addresses),
    )


def search_form(query: Query, addresses: Addresses) -> SearchForm:
    """The search box of a question."""
    return SearchForm(
        action=addresses.incidents(),
        suggest=addresses.api("/suggest"),
        q=query.q,
        kept=[(facet, value) for facet in FACETS for value in query.selected(facet)],
        start=query.from_ or "",
        to=query.to or "",
        order=query.order or "",
        is_open=bool(query.from_ or query.to),
    )


def hits(query: Query, result: Result, edition: Edition, lang: Lang) -> list[Hit]:
    """The cases of a page, numbered on from the pages before."""
    first = (result.page - 1) * result.page_size + 1
    return [_hit(query, item, place, edition, lang) for place, item in enumerate(result.items, first)]


def forms(query: Query, addresses: Addresses) -> list[Link]:
    """The same list in other forms."""
    first = replace(query, page=1)
    names = {"json": "JSON", "csv": "CSV", "ndjson": "NDJSON", "atom": words.FEED.of(addresses.lang)}
    return [
        Link(names[form], addresses.incidents(query if form == "json" else _fed(first, form), form)) for form in FORMS
    ]


def pages(query: Query, result: Result, addresses: Addresses) -> Pages:
    """The ways to the neighbours, the ends and the pages around."""
    last = last_page(result)

    def to(page: int) -> str:
        return addresses.incidents(replace(query, page=page))

    near = (
        [page for page in range(1, last + 1) if page in {1, last} or abs(page - result.page) <= 2] if last > 1 else []
    )
    numbers: list[Link] = []
    for before, page in zip([0, *near], near, strict=False):
        if page - before > 1:
            numbers.append(Link("…", ""))
        numbers.append(Link(f"{page:,}", to(page), page == result.page))
    return Pages(
        previous=to(result.page - 1) if result.page > 1 else None,
        next=to(result.page + 1) if result.page < last else None,
        numbers=numbers,
    )


def last_page(result: Result) -> int:
    """The number of pages; an empty list has one."""
    return max(1, -(-result.total // result.page_size))


def cluster(query: Query, result: Result, edition: Edition, addresses: Addresses) -> Cluster | None:
    """What the matched cases share; nothing to hand over when there are none."""
    if not result.total:
        return None
    lang, checks = addresses.lang, behind_list(query, result, edition, addresses)
    if not result.top_components:
        return Cluster(words.CLUSTER_NONE.of(lang), [], checks)
    components = [
        Link(top.label.of(lang), addresses.incidents(Query(filters={"component": (top.id,)})))
        for top in result.top_components
    ]
    return Cluster(words.CLUSTER_TOP.fill(count=f"{result.total:,}").of(lang), components, checks)


def count_label(total: int, lang: Lang) -> str:
    """`2건`, `2 cases`."""
    return counted(total, one=words.COUNT_ONE, many=words.COUNT_MANY).of(lang)


def place_label(result: Result, lang: Lang) -> str:
    """`2건 중 1~2번째`, or nothing for an empty list."""
    if not result.items:
        return ""
    first = (result.page - 1) * result.page_size + 1
    return words.PLACE.fill(
        total=f"{result.total:,}", first=f"{first:,}", last=f"{first + len(result.items) - 1:,}"
    ).of(lang)


def _frame(asked: Asked, edition: Edition, around: Around) -> Frame:
    query, addresses = asked.query, around.addresses
    name = title(query, edition, addresses.lang)
    feed = Feed(name, addresses.incidents(_fed(replace(query, page=1), "atom"), "atom"))
    below = "/incidents" + query.address()
    # Filters make endless addresses of the same few cases; crawlers get the cases, the terms and the whole list.
    made = frame(around, name, below, menu="incidents", feed=feed, is_indexed=not query.parameters())
    return replace(made, notices=[notice.of(addresses.lang) for notice in asked.notices()])


def title(query: Query, edition: Edition, lang: Lang) -> str:
    """What a list is called: its words, values and period."""
    labels = [edition.vocabulary.term(facet, term).label.of(lang) for facet in FACETS for term in query.selected(facet)]
    parts = [part for part in [query.q, *labels, facets.period_label(query, lang)] if part]
    name = ", ".join(parts)[:200] or words.CASES.of(lang)
    return words.PAGE_TITLE.fill(title=name, page=query.page).of(lang) if query.page > 1 else name


def _hit(query: Query, item: Item, place: int, edition: Edition, lang: Lang) -> Hit:
    shown = edition.case(item.id, lang)
    incident = edition.incident(item.id)
    tags = glance_tags(values(shown), query.filters) if query.filters else shown.glance_tags
    more = len(values(shown)) - len(tags)
    return Hit(
        place=place,
        case=shown,
        title=marked(shown.title, title_ranges(item.why, lang)),
        tags=tags,
        more_tags=words.MORE_TAGS.fill(count=more).of(lang) if more > 0 else None,
        reasons=reasons(incident, shown, item.why, query, edition.vocabulary, lang),
    )


def _orders(query: Query, addresses: Addresses) -> list[Link]:
    offered = ORDERS if query.has_words else ("newest", "added")
    return [
        Link(
            words.ORDERED_BY[order].of(addresses.lang),
            addresses.incidents(replace(query, order=None if order == offered[0] else order, page=1)),
            order == query.effective_order,
        )
        for order in offered
    ]


def _fed(query: Query, form: str) -> Query:
    """A feed has its own order."""
    return replace(query, order=None) if form == "atom" else query
