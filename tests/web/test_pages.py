from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from msgspec.structs import replace

from kubegap.library.record import Incident, Revision
from kubegap.library.search.query import Query
from kubegap.text import Text
from kubegap.web.edition import Edition
from kubegap.web.settings import Settings
from tests.web.client import Client
from tests.web.conftest import CASE, CHECK, SEED
from tests.web.page import Page

PLACES = (
    *("/incidents", f"/incidents?{SEED}", "/incidents?q=NCCL+timeout&page=1", f"/incidents/{CASE}", "/terms"),
    *("/terms/component/nccl", "/about", "/agents", "/similar", "/checks", f"/checks/{CHECK}"),
    *("/nothing", "/incidents?component=gpu-hw", "/checks/webhook-fail"),
)


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("place", PLACES)
def test_page_is_well_formed_and_asks_nothing_of_other_sites(client: Client, lang: str, place: str):
    page = Page(client.get(f"/{lang}{place}").text)

    assert len(page.ids) == len(set(page.ids))
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert page.tags[0] == ("html", {"lang": lang})
    loaded = [
        attributes.get("src") or attributes.get("href", "")
        for tag, attributes in page.tags
        if tag in {"script", "img", "link"}
    ]
    assert all(address.startswith(("/", "http://library.test/")) or not address for address in loaded)
    assert not any(name == "style" or name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_every_link_inside_leads_somewhere(client: Client):
    seen: set[str] = set()
    for place in PLACES[:10]:
        page = Page(client.get(f"/ko{place}").text)
        inside = [href for href in page.hrefs() if href.startswith("/")]
        seen.update(href for href in inside[:6] + inside[-4:] + inside[::60])
        fragments = [href[1:] for href in page.hrefs() if href.startswith("#")]
        assert set(fragments) <= set(page.ids)

    bad = [href for href in sorted(seen) if client.get(href.split("#")[0]).status_code not in {200, 303}]
    assert not bad


def test_every_list_link_survives_a_round_trip(client: Client, edition: Edition):
    from kubegap.web.asking import ask

    page = Page(client.get(f"/en/incidents?q=GPU&{SEED}&from=2020").text)
    for href in page.hrefs():
        if href.startswith("/en/incidents?"):
            query = urlsplit(href).query
            assert ask(parse_qsl(query), edition.vocabulary).query.address() == f"?{query}"


def test_foreign_fragments_carry_their_language(client: Client):
    hangul = [
        (text, lang)
        for place in ("/incidents", f"/incidents/{CASE}", "/terms/component/nccl", "/checks", f"/checks/{CHECK}")
        for text, lang in Page(client.get(f"/en{place}").text).texts
        if any("가" <= letter <= "힣" for letter in text) and lang != "ko"
    ]

    assert not hangul


def test_the_switch_keeps_the_query_and_remembers_the_language(client: Client):
    page = Page(client.get(f"/ko/incidents?{SEED}&q=GPU").text)
    answer = client.get(page.link("English").href)

    assert answer.status_code == 303
    assert answer.headers["location"] == f"/en/incidents?q=GPU&{SEED}"
    assert "lang=en" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("to", "location"),
    [
        ("//evil.example", "/en//evil.example"),
        ("https://evil.example", "/en/incidents"),
        ("", "/en/incidents"),
        ("/a\r\nb", "/en/a%0D%0Ab"),
    ],
)
def test_the_switch_leads_nowhere_else(client: Client, to: str, location: str):
    assert client.get("/language/en", params={"to": to}).headers["location"] == location


@pytest.mark.parametrize(
    ("accepted", "cookie", "lang"),
    [
        ("ko-KR,ko;q=0.9,en;q=0.8", None, "ko"),
        ("de,en;q=0.5,ko;q=0.7", None, "ko"),
        ("en", "ko", "ko"),
        ("ko", "xx", "ko"),
        ("", None, "en"),
        ("ko;q=0,en;q=nan,*;;;=,", None, "en"),
    ],
)
def test_entrance_goes_to_the_readers_language(client: Client, accepted: str, cookie: str | None, lang: str):
    headers = {"accept-language": accepted} | ({"cookie": f"lang={cookie}"} if cookie else {})

    assert client.get("/", headers=headers).headers["location"] == f"/{lang}/incidents"


def test_case_page_shows_the_whole_record(client: Client, edition: Edition):
    incident = edition.incident(CASE)
    text = Page(client.get(f"/en/incidents/{CASE}").text).text

    for source in incident.sources:
        assert source.title in text
    for note in [tag.note for tag in incident.symptoms if tag.note]:
        assert note.en.split("`")[0] in text
    assert f"library/incidents/2021/{CASE}.yaml" in text
    assert f"http://library.test/en/incidents/{CASE}" in text


def test_earlier_edition_is_said_of_each_item(client: Client):
    text = client.get("/ko/incidents/2024-06-alibaba-nccl-error-4096-gpu-job").text

    assert text.count("이전 판에서 옮겼고 다시 읽지는 못했다") > 5


def test_untold_sections_are_said_to_be_untold(made, case: Incident):
    client = made(replace(case, trigger=None, detection=None, related=[]))

    assert client.get(f"/ko/incidents/{CASE}").text.count("출처에 없음") == 2
    assert client.get(f"/en/incidents/{CASE}").text.count("not stated in the source") == 2


def test_withdrawn_case_keeps_its_address_and_leaves_the_lists(made, case: Incident):
    because = Revision(on="2026-12-01", because=Text(ko="다른 기록과 같다.", en="It repeats another record."))
    client = made(replace(case, withdrawn=because, related=[]))
    page = client.get(f"/en/incidents/{CASE}").text

    assert "It repeats another record." in page
    assert 'name="robots" content="noindex"' in page
    assert f"/incidents/{CASE}" not in client.get("/en/incidents").text
    assert CASE not in client.get("/sitemap.xml").text


def test_corrections_are_shown(made, case: Incident):
    told = Revision(on="2026-12-05", because=Text(ko="수를 고쳤다.", en="A number was corrected."))
    client = made(replace(case, revised=[told], related=[]))

    assert "A number was corrected." in client.get(f"/en/incidents/{CASE}").text
    assert "<updated>2026-12-05T00:00:00Z</updated>" in client.get("/en/incidents.atom").text


def test_text_of_records_is_never_markup(made, case: Incident):
    bad = '<script>alert(1)</script> `<img src=x>` & "quoted"'
    hostile = replace(
        case,
        title=Text(ko=bad, en=bad),
        organisation=bad,
        lesson=replace(case.lesson[0], ko=bad, en=bad),
        signatures=[bad],
        sources=[replace(source, title=bad, publisher=bad) for source in case.sources],
        related=[],
    )
    client = made(hostile)

    for path in (
        "/ko/incidents",
        "/en/incidents?q=script",
        f"/en/incidents/{CASE}",
        "/en/incidents.atom",
        "/en/terms/component/nccl",
    ):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text


def test_asked_words_are_never_markup(client: Client):
    bad = '"><script>alert(1)</script>'
    for path in ("/en/incidents", "/ko/incidents", "/ko/terms"):
        assert "<script>alert" not in client.get(path, params={"q": bad, "component": bad}).text


def test_term_page_counts_agree_with_the_list(client: Client, edition: Edition):
    text = Page(client.get("/en/terms/component/nccl").text).text
    total = edition.search.run(Query(filters={"component": ("nccl",)})).total

    assert sum(edition.years("component", "nccl").values()) == total
    assert f"NCCL {total} cases" in text


def test_term_without_cases_says_so(made, case: Incident):
    client = made(replace(case, related=[]))

    assert "No case has this value yet." in client.get("/en/terms/component/etcd").text


def test_report_link_only_where_there_is_one(made, case: Incident):
    client = made(replace(case, related=[]), settings=Settings(report_url="https://example.org/report"))

    assert "https://example.org/report" in client.get(f"/en/incidents/{CASE}").text


def test_everything_works_below_a_root_path(made, case: Incident):
    client = made(replace(case, related=[]), settings=Settings(root_path="/library"))

    for prefix in ("", "/library"):
        page = Page(client.get(f"{prefix}/en/incidents").text)
        inside = [href for href in page.hrefs() if href.startswith("/")]
        assert inside
        assert all(href.startswith("/library/") for href in inside)
    assert client.get("/").headers["location"] == "/library/en/incidents"
