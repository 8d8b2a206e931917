"""The checks in the library, and the library's ways to them."""

from __future__ import annotations

import json
import re
import shlex
from html import unescape
from urllib.parse import parse_qsl

import msgspec
import pytest
from msgspec.structs import replace

from kubegap.checks import run
from kubegap.checks.page import Page as Check
from kubegap.library.generation import Generation
from kubegap.library.record import Incident, Revision
from kubegap.library.vocabulary import carries
from kubegap.library.words import NO_TITLE
from kubegap.text import LANGS, same
from kubegap.web.checks_data import ListedCheck
from kubegap.web.edition import Edition
from kubegap.web.views.behind import MOST_NAMED
from kubegap.web.words.checks import AREAS, BEHIND_ALL, BEHIND_NONE
from tests.conftest import ROOT
from tests.web.client import Client
from tests.web.conftest import CHECK, SEED
from tests.web.page import Page

# What a check can see is another matter: some that could see it may cite another incident.
NO_CHECK_YET = {"ko": "이 사례를 근거로 둔 점검 항목은 아직 없습니다.", "en": "No check rests on this incident yet."}


def page_of(client: Client, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text[:300]
    return Page(answer.text)


def command_on(client: Client, path: str, anchor: str = "run-checks") -> list[str]:
    """The words of a command that a page gives, as a shell reads them."""
    found = re.search(rf'<code id="{anchor}">(.*?)</code>', client.get(path).text)
    return shlex.split(found[1]) if found else []


def chosen(command: list[str], edition: Edition) -> set[str]:
    """The checks that a command runs, as the command line chooses them."""
    assert command[:2] == ["kubegap", "check"]
    given = list(zip(command[2::2], command[3::2], strict=True))
    assert {option for option, _ in given} <= {"--select", "--incident", "--component"}
    incidents = [value for option, value in given if option == "--incident"]
    components = {value for option, value in given if option == "--component"}
    for incident in edition.generation.standing() if components else ():
        incidents += [incident.id] if carries(incident, "component", components, edition.vocabulary) else []
    select = [value for option, value in given if option == "--select"]
    wanted = incidents if incidents or components else None
    return {page.id for page in run.choose(edition.grounding.pages, select, incidents=wanted)}


@pytest.fixture(scope="module")
def check(edition: Edition) -> Check:
    return edition.grounding.pages[CHECK]


@pytest.mark.parametrize("lang", LANGS)
def test_index_has_every_check_once_under_its_area(client: Client, edition: Edition, lang: str):
    page = page_of(client, f"/{lang}/checks")
    listed = [href for href in page.hrefs() if href.startswith(f"/{lang}/checks/")]
    areas = {one.area for one in edition.grounding.pages.values()}

    assert sorted(listed) == [f"/{lang}/checks/{one}" for one in edition.grounding.pages]
    assert [AREAS[area].of(lang) for area in AREAS if area in areas] == page.headings[1:]
    for area in areas:
        name = area.replace("_", "-")
        found = chosen(command_on(client, f"/{lang}/checks", f"run-{name}"), edition)
        assert found == {one.id for one in edition.grounding.pages.values() if one.area == area}


@pytest.mark.parametrize("lang", LANGS)
def test_every_check_tells_all_of_its_pair(client: Client, edition: Edition, lang: str):
    for check in edition.grounding.pages.values():
        page = page_of(client, f"/{lang}/checks/{check.id}")
        text = page.text.replace("`", "")
        sentences = [
            *(check.title, check.looks_for, check.why, *check.limits, *check.severities.values()),
            *(read.why for read in check.reads),
            *(case.tells for case in check.cases),
        ]
        told = [" ".join(one.of(lang).replace("`", "").split()) for one in sentences]
        squeezed = re.sub(r"\s", "", text)
        assert not [one for one in told if re.sub(r"\s", "", one) not in squeezed], check.id
        assert {f"/{lang}/incidents/{incident}" for incident in check.incidents} <= set(page.hrefs())
        assert chosen(command_on(client, f"/{lang}/checks/{check.id}", "run-check"), edition) == {check.id}


def test_commands_of_the_advice_are_to_be_copied_exactly(client: Client, check: Check):
    text = client.get(f"/en/checks/{CHECK}").text
    wanted = [line for line in check.remediation.en.splitlines() if line.startswith("kubectl ")]
    copied = [" ".join(Page(f"<p>{found}</p>").text.split()) for found in re.findall(r'id="change-\d+">(.*?)<', text)]

    assert wanted
    assert copied == wanted
    assert text.count('data-copy="change-') == len(wanted)


def test_rights_are_those_of_what_is_read_and_no_more(client: Client):
    text = Page(client.get(f"/en/checks/{CHECK}").text).text

    assert "get, list validatingwebhookconfigurations.admissionregistration.k8s.io" in text
    assert f"kind: ClusterRole metadata: name: kubegap-reader-{CHECK} rules:" in text
    assert "secrets" not in text
    assert not re.search(r"verbs: \[(?!get, list\])", text)


def test_check_has_its_twin_and_switch(client: Client):
    page = page_of(client, f"/ko/checks/{CHECK}")
    links = [attributes for tag, attributes in page.tags if tag == "link" and "hreflang" in attributes]

    assert {link["hreflang"]: link["href"] for link in links} == {
        lang: f"http://library.test/{lang}/checks/{CHECK}" for lang in LANGS
    }
    assert client.get(page.link("English").href).headers["location"] == f"/en/checks/{CHECK}"
    assert any(link.text == "점검 항목" and link.attributes.get("aria-current") for link in page.links)


@pytest.mark.parametrize("lang", LANGS)
def test_unknown_check_is_told_with_the_nearest(client: Client, lang: str):
    answer = client.get(f"/{lang}/checks/webhook-fail-closed-wid")
    problem = client.get("/api/v1/checks/webhook-fail-closed-wid")

    assert answer.status_code == problem.status_code == 404
    assert f"/{lang}/checks/{CHECK}" in Page(answer.text).hrefs()
    assert problem.json()["type"] == "urn:kubegap:problem:no-such-check"
    assert CHECK in problem.json()["errors"][0]["nearest"]
    assert client.get(f"/{lang}/checks/nothing.json").headers["content-type"] == "application/problem+json"


def test_data_is_the_same_on_the_page_and_in_the_api(client: Client, edition: Edition):
    listed = client.get("/api/v1/checks")
    one = client.get(f"/api/v1/checks/{CHECK}")

    assert listed.content == client.get("/ko/checks.json").content
    assert one.content == client.get(f"/en/checks/{CHECK}.json").content
    assert [item.id for item in msgspec.json.decode(listed.content, type=list[ListedCheck])] == list(
        edition.grounding.pages
    )
    assert [item["id"] for item in one.json()["incidents"]] == edition.grounding.pages[CHECK].incidents


@pytest.mark.parametrize("lang", LANGS)
def test_every_case_names_its_checks_or_says_that_there_is_none(client: Client, edition: Edition, lang: str):
    cited = {incident for check in edition.grounding.pages.values() for incident in check.incidents}
    for incident in [*sorted(cited), *[one for one in edition.standing_ids if one not in cited][:5]]:
        path = f"/{lang}/incidents/{incident}"
        checks = {check.id for check in edition.grounding.pages.values() if incident in check.incidents}
        page, command = page_of(client, path), command_on(client, path)
        assert {href.rsplit("/", 1)[1] for href in page.hrefs() if f"/{lang}/checks/" in href} == checks
        if checks:
            assert command[2:] == ["--incident", incident]
            assert chosen(command, edition) == checks
        else:
            assert not command
            assert NO_CHECK_YET[lang] in page.text


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "component=admission-webhook",
        "component=cluster-dns&component=etcd",
        SEED,
        "q=webhook",
        "q=GPU&order=newest",
    ],
)
def test_the_box_names_the_checks_behind_the_list_and_runs_exactly_them(client: Client, edition: Edition, asked: str):
    path, every = f"/en/incidents?{asked}", edition.grounding.pages
    # The command line knows components: it runs the checks behind the whole list, not only behind the cases shown.
    is_by_component = {name for name, _ in parse_qsl(asked)} <= {"component"}
    cases = client.get(f"/en/incidents.{'ndjson' if is_by_component else 'json'}?{asked}")
    listed = list(map(json.loads, cases.text.splitlines())) if is_by_component else cases.json()["items"]
    behind = {one.id for one in every.values() if {item["id"] for item in listed} & set(one.incidents)}
    page, found = page_of(client, path), chosen(command_on(client, path), edition)
    named = [href.rsplit("/", 1)[1] for href in page.hrefs() if href.startswith("/en/checks/")]

    assert found == (behind if asked else set(every))
    assert set(named) <= found
    assert len(named) == min(MOST_NAMED, len(found))
    assert (f"and {len(found) - MOST_NAMED} more" in page.text) == (len(found) > MOST_NAMED)


@pytest.mark.parametrize(("lang", "lead"), [("ko", "모든 점검 항목:"), ("en", "All checks:")])
def test_a_list_without_filters_leads_to_all_checks(client: Client, lang: str, lead: str):
    assert lead in page_of(client, f"/{lang}/incidents?order=added").text
    assert BEHIND_ALL.of(lang) not in page_of(client, f"/{lang}/incidents").text
    assert BEHIND_ALL.of(lang) in page_of(client, f"/{lang}/incidents?component=admission-webhook").text


def test_a_withdrawn_case_leads_to_no_check_of_its_component(made, generation: Generation):
    cited = replace(generation.incident("2020-02-moj-opa-blocks-control-plane-pods"), related=[])
    uncited = replace(cited, id="2020-02-no-check-cites-this")
    withdrawn = replace(cited, withdrawn=Revision(on="2026-12-01", because=same("wrong")))
    path = "/en/incidents?component=cni-plugin"

    assert command_on(made(cited, uncited), path) == ["kubegap", "check", "--component", "cni-plugin"]
    assert BEHIND_NONE.en in page_of(made(withdrawn, uncited), path).text


def test_a_list_without_checks_says_so(made, case: Incident):
    client = made(replace(case, id="2021-08-no-check-cites-this", related=[]))

    for lang in LANGS:
        text = page_of(client, f"/{lang}/incidents?q=GPU").text
        assert BEHIND_NONE.of(lang) in text
        assert BEHIND_ALL.of(lang) not in text


def test_incidents_of_another_library_are_named_without_a_link(made, case: Incident):
    client = made(replace(case, related=[]))
    page = page_of(client, f"/en/checks/{CHECK}")

    assert not [href for href in page.hrefs() if href.startswith("/en/incidents/")]
    assert "2020-02-moj-opa-blocks-control-plane-pods (not in this library)" in page.text
    assert (
        "2020-02-moj-opa-blocks-control-plane-pods (이 라이브러리에 없는 사례)"
        in page_of(client, f"/ko/checks/{CHECK}").text
    )
    named = client.get(f"/api/v1/checks/{CHECK}").json()["incidents"]
    assert {"id": "2020-02-moj-opa-blocks-control-plane-pods", "title": msgspec.to_builtins(NO_TITLE)} in named
    assert client.get("/en/incidents").status_code == 200


def test_every_area_has_a_name(edition: Edition):
    assert {check.area for check in edition.grounding.pages.values()} <= set(AREAS)


def prompt_on(client: Client, path: str) -> str:
    """What a page gives to paste in an agent."""
    return unescape(re.search(r'<code id="agent-prompt">(.*?)</code>', client.get(path).text)[1])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("asked", ["component=cluster-dns", SEED, "q=GPU&page=2"])
def test_an_agent_is_asked_about_the_cases_that_are_shown_and_to_change_nothing(client: Client, lang: str, asked: str):
    path = f"/{lang}/incidents?{asked}"
    items = client.get(f"/{lang}/incidents.json?{asked}").json()["items"]
    prompt = prompt_on(client, path)

    assert re.findall(r"\d{4}-\d{2}-[a-z0-9-]+", prompt) == [item["id"] for item in items]
    assert ("read-only" if lang == "en" else "읽기만") in prompt
    assert ("Change nothing" if lang == "en" else "아무것도 바꾸지 마") in prompt
    assert ("not seen" if lang == "en" else "보지 못한 것") in prompt


@pytest.mark.parametrize("lang", LANGS)
def test_every_case_has_a_prompt_with_its_id_and_the_way_to_the_plugin(client: Client, edition: Edition, lang: str):
    cited = edition.grounding.cited[0]
    uncited = next(one for one in edition.standing_ids if not edition.grounding.citing(one))
    for incident in (cited, uncited):
        page = page_of(client, f"/{lang}/incidents/{incident}")

        assert incident in prompt_on(client, f"/{lang}/incidents/{incident}")
        assert f"/{lang}/agents" in page.hrefs()
        assert "Claude Code" in page.text
        assert "Codex" in page.text
    # Where no check rests on it, no scan is asked for.
    assert ("No check rests on it" if lang == "en" else "점검 항목은 아직 없으니") in prompt_on(
        client, f"/{lang}/incidents/{uncited}"
    )


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_for_agents_gives_the_commands_of_its_document(client: Client, lang: str):
    found = re.findall(r"<code id=\"[\w-]+\">(.*?)</code>", client.get(f"/{lang}/agents").text, re.DOTALL)
    name = re.search(r"docs/agents[.\w]*\.md", client.get(f"/{lang}/agents").text)[0]
    document = (ROOT / name).read_text(encoding="utf-8")
    commands = [line for block in found for line in unescape(block).splitlines()]

    assert len(commands) == 5
    assert [line for line in commands if line not in document.splitlines()] == []
