from __future__ import annotations

import pytest

from kubegap.library.search.query import Query
from kubegap.web.edition import Edition
from tests.web.client import Client
from tests.web.conftest import SEED
from tests.web.page import Page


def page_of(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text[:300]
    return Page(answer.text)


def in_order(text: str, *parts: str) -> bool:
    at = 0
    for part in parts:
        found = text.find(part, at)
        assert found >= 0, f"{part!r} does not follow; it stands at {text.find(part)}"
        at = found + len(part)
    return True


def test_seed_page_keeps_its_order_and_words(client: Client):
    text = page_of(client, f"/ko/incidents?{SEED}").text

    assert in_order(
        text,
        *(
            "적용된 필터",
            "구성 요소",
            "GPU 하드웨어·메모리",
            "증상",
            "GPU 인식 불가",
            "기여 요인",
            "모니터링 사각지대",
            "모두 풀기",
        ),
        *("추천 필터", "사례", "건", "건 중 1~", "번째"),
        *("증상", "촉발", "원인", "구성 요소", "기여 요인", "감지", "조치", "후속 조치", "교훈", "출처"),
        *("내 클러스터에도 있는지 확인하기", "원인별", "구성 요소별", "증상별", "기여 요인별", "플랫폼별"),
    )


def test_english_twin_says_the_same(client: Client):
    text = page_of(client, f"/en/incidents?{SEED}").text

    assert in_order(
        text,
        *("Applied filters", "GPU hardware and memory", "GPU not recognised", "Monitoring blind spot", "Clear all"),
        *("Recommended filters", "Cases", "of "),
        *(
            "Symptom",
            "Trigger",
            "Cause",
            "Component",
            "Contributing factors",
            "Detection",
            "Actions",
            "Follow-ups",
            "Lesson",
        ),
        *(
            "Is it in my cluster too?",
            "By cause",
            "By component",
            "By symptom",
            "By contributing factor",
            "By platform",
        ),
    )


def test_seed_filters_show_alibaba_above_bigscience(client: Client):
    hits = [href for href in page_of(client, f"/ko/incidents?{SEED}").hrefs() if href.startswith("/ko/incidents/2")]
    order = list(dict.fromkeys(hits))

    assert order.index("/ko/incidents/2024-06-alibaba-nccl-error-4096-gpu-job") < order.index(
        "/ko/incidents/2021-08-bigscience-ecc-gpu-node-reused"
    )


def test_each_chip_removes_its_filter_and_clear_all_removes_all(client: Client):
    page = page_of(client, f"/ko/incidents?q=GPU&{SEED}&order=newest")
    removals = [link.href for link in page.links if "필터 풀기" in link.attributes.get("title", "")]

    assert len(removals) == 3
    assert all(href.count("=") == 4 for href in removals)
    assert page.link("모두 풀기").href == "/ko/incidents?q=GPU&order=newest"


def test_a_value_adds_to_its_facet_and_takes_itself_away(client: Client):
    page = page_of(client, "/en/incidents?component=nccl")

    assert "/en/incidents?component=nccl&component=gpu-hardware-memory" in page.hrefs()
    assert "/en/incidents" in [
        link.href for link in page.links if link.attributes.get("aria-current") and "NCCL" in link.text
    ]


def test_count_on_a_value_is_the_total_behind_its_link(client: Client):
    page = page_of(client, "/en/incidents?symptom=job-crash")
    links = [
        link
        for link in page.links
        if link.href.startswith("/en/incidents?component=") and link.attributes.get("class", "").startswith("s")
    ]

    assert links
    for link in links[:6]:
        count = int(link.text.rsplit(" ", 1)[1])
        assert f"Cases {count}" in page_of(client, link.href).headings


def test_recommended_filter_moves_its_words_to_the_filter(client: Client):
    page = page_of(client, "/ko/incidents?q=NCCL+%ED%83%80%EC%9E%84%EC%95%84%EC%9B%83")

    assert "/ko/incidents?symptom=nccl-error-timeout" in page.hrefs()


def test_without_words_the_recommended_line_explains_itself(client: Client):
    assert "검색어에 분류 값이 들어 있으면" in page_of(client, "/ko/incidents").text


def test_numbering_goes_on_over_pages(client: Client, edition: Edition):
    page = page_of(client, "/ko/incidents?page=2")
    total = edition.search.run(Query()).total

    assert f"{total}건 중 21~{min(40, total)}번째" in page.text
    assert "21" in [attributes.get("value") for tag, attributes in page.tags if tag == "li"]
    assert any(link.attributes.get("aria-current") == "page" and link.text == "2" for link in page.links)


def test_empty_list_says_what_empties_it(client: Client):
    page = page_of(client, "/en/incidents?component=etcd&component=nccl&platform=eks&q=xyzzyqwv&from=2024")

    assert "Cases 0" in page.headings
    assert "/en/similar" in page.hrefs()


def test_empty_list_offers_each_removal_with_its_count(client: Client):
    page = page_of(client, "/en/incidents?component=gpu-hardware-memory&symptom=dns-resolution-failure")
    removals = [link for link in page.links if link.text.startswith("without ")]

    assert len(removals) == 2
    for link in removals:
        assert "Cases 0" not in page_of(client, link.href).headings


def test_broader_filter_says_how_many_narrower_it_includes(client: Client, edition: Edition):
    facet, term = next(
        (facet, term)
        for facet in ("component", "symptom", "factor", "cause")
        for term in edition.vocabulary[facet]
        if edition.vocabulary.narrower(facet, term)
    )
    count = len(edition.vocabulary.narrower(facet, term))

    assert f"including {count} narrower" in page_of(client, f"/en/incidents?{facet}={term}").text


def test_unused_parameters_are_told(client: Client):
    page = page_of(client, "/en/incidents?utm_source=x&q=a&q=b")

    assert "utm_source" in page.text
    assert "more than once" in page.text


def test_words_stand_marked_where_they_matched(client: Client):
    assert "<mark>NCCL" in client.get("/en/incidents?q=NCCL").text


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_every_address_of_the_page_is_its_own_twin(client: Client, lang: str):
    page = page_of(client, f"/{lang}/incidents?{SEED}")
    twins = {
        attributes["hreflang"]: attributes["href"]
        for tag, attributes in page.tags
        if tag == "link" and "hreflang" in attributes
    }

    assert twins == {one: f"http://library.test/{one}/incidents?{SEED}" for one in ("ko", "en")}


def test_where_one_thing_less_is_not_enough_all_filters_or_words_are_left_out(client: Client):
    address = "q=etcd&component=gpu-hardware-memory&symptom=dns-resolution-failure&from=2023&order=relevance"
    page = Page(client.get(f"/en/incidents?{address}").text)

    without = page.link("without any filter or period")
    assert without.href == "/en/incidents?q=etcd&order=relevance"
    assert "Leaving out one thing is not enough." in page.text
    assert client.get(without.href.replace("/incidents?", "/incidents.json?")).json()["total"] > 0
