"""What search engines and browsers ask for: the sitemap, the rules for robots, the description of the search box."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from xml.sax.saxutils import escape, quoteattr

from kubegap.library.vocabulary import FACETS
from kubegap.text import LANGS, Lang
from kubegap.web.addresses import Addresses
from kubegap.web.edition import Edition
from kubegap.web.words.frame import FOOT_ABOUT

MOST_ADDRESSES = 40_000
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def robots(origin: str, root: str) -> str:
    """Crawlers get cases, terms, checks and the plain list; filters make endless addresses of the same few cases."""
    return f"User-agent: *\nDisallow: {root}/language/\nDisallow: {root}/*/incidents?\nSitemap: {origin}{root}/sitemap.xml\n"


def sitemap(edition: Edition, origin: str, root: str, part: int | None) -> str | None:
    """One sitemap if all fits, else an index of parts; None for a part that does not exist."""
    count = -(-sum(1 for _ in _places(edition)) * len(LANGS) // MOST_ADDRESSES)
    if part is None and count > 1:
        entries = "".join(
            f"<sitemap><loc>{origin}{root}/sitemap-{number}.xml</loc></sitemap>" for number in range(1, count + 1)
        )
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_SITEMAP}">{entries}</sitemapindex>\n'
    if part is not None and not 1 <= part <= count:
        return None
    each = MOST_ADDRESSES // len(LANGS)
    start = each * ((part or 1) - 1)
    urls = "".join(_urls(place, origin, root) for place in islice(_places(edition), start, start + each))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SITEMAP}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n{urls}</urlset>\n'


def search_description(origin: str, addresses: Addresses) -> str:
    """Lets a browser search from its address bar (OpenSearch 1.1)."""
    template = quoteattr(f"{origin}{addresses.incidents()}?q={{searchTerms}}")
    description = escape(FOOT_ABOUT.of(addresses.lang))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        f"<ShortName>Incident Library</ShortName><Description>{description}</Description><InputEncoding>UTF-8</InputEncoding>"
        f'<Url type="text/html" template={template}/></OpenSearchDescription>\n'
    )


Place = Callable[[Addresses], str]


def _places(edition: Edition) -> Iterator[Place]:
    yield from (
        Addresses.incidents,
        Addresses.terms,
        Addresses.checks,
        Addresses.about,
        Addresses.agents,
        Addresses.similar,
    )
    for incident in edition.standing_ids:
        yield lambda addresses, incident=incident: addresses.incident(incident)  # type: ignore[misc]
    for check in edition.grounding.pages:
        yield lambda addresses, check=check: addresses.check(check)  # type: ignore[misc]
    for facet in FACETS:
        for term in edition.vocabulary[facet]:
            yield lambda addresses, facet=facet, term=term: addresses.term(facet, term)  # type: ignore[misc]


def _urls(place: Place, origin: str, root: str) -> str:
    found: dict[Lang, str] = {lang: escape(origin + place(Addresses(root, lang))) for lang in LANGS}
    twins = "".join(f'<xhtml:link rel="alternate" hreflang="{lang}" href="{href}"/>' for lang, href in found.items())
    return "".join(f"<url><loc>{href}</loc>{twins}</url>\n" for href in found.values())
