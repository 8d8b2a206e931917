from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import chain

from kubegap.web import crawlers
from kubegap.web.edition import Edition
from tests.web.client import Client
from tests.web.conftest import CASE

MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def test_sitemap_lists_every_case_term_and_check_in_both_languages(client: Client, edition: Edition):
    root = ET.fromstring(client.get("/sitemap.xml").content)
    found = {element.text for element in root.iter(f"{MAP}loc")}
    terms = sum(len(edition.vocabulary[facet]) for facet in edition.vocabulary.facets)
    checks = len(edition.grounding.pages)

    assert f"http://library.test/ko/incidents/{CASE}" in found
    assert len(found) == 2 * (len(edition.standing_ids) + terms + checks + 6)
    assert not any("?" in address for address in found)


def test_sitemap_is_split_before_it_is_too_long(edition: Edition, monkeypatch):
    monkeypatch.setattr(crawlers, "MOST_ADDRESSES", 100)
    index = crawlers.sitemap(edition, "https://x.example", "", None)
    parts = [element.text for element in ET.fromstring(index).iter(f"{MAP}loc")]
    texts = [crawlers.sitemap(edition, "https://x.example", "", number) for number in range(1, len(parts) + 1)]
    counts = [text.count("<url>") for text in texts]

    assert max(counts) == 100
    places = [*edition.standing_ids, *edition.grounding.pages, *chain(*edition.vocabulary.facets.values())]
    assert sum(counts) == 2 * (len(places) + 6)
    assert crawlers.sitemap(edition, "https://x.example", "", len(parts) + 1) is None


def test_unknown_parts_do_not_exist(client: Client):
    assert [client.get(f"/sitemap-{part}.xml").status_code for part in ("0", "2", "x", "99999999999")] == [404] * 4


def test_robots_are_kept_out_of_filters(client: Client):
    text = client.get("/robots.txt").text

    assert "Disallow: /*/incidents?" in text
    assert "Sitemap: http://library.test/sitemap.xml" in text


def test_only_plain_pages_are_indexed(client: Client):
    noindex = 'name="robots" content="noindex"'

    assert noindex not in client.get("/ko/incidents").text
    assert noindex not in client.get("/ko/terms/component/nccl").text
    assert noindex in client.get("/ko/incidents?component=nccl").text
    assert noindex in client.get("/ko/nothing").text


def test_search_description_is_well_formed(client: Client):
    root = ET.fromstring(client.get("/ko/opensearch.xml").content)

    assert root.find("{*}Url").get("template") == "http://library.test/ko/incidents?q={searchTerms}"
