"""What every tool keeps to, asked through the SDK's own client in both eras of the protocol."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from msgspec import structs

from kubegap.mcp import tools
from kubegap.mcp.server import INSTRUCTIONS
from kubegap.mcp.untrusted import FIELDS
from tests.mcp.reports import SOURCE

pytestmark = pytest.mark.anyio

NAMES = sorted(path.stem for path in Path(tools.__path__[0]).glob("[a-z]*.py"))
# Nobody answers there.
SERVER = "https://user:hunter2@127.0.0.1:1"
# A call of each tool that finds something, once a scan was kept.
CALLS = {
    "compare_scans": {"before": "{first scan}"},
    "find_similar_incidents": {"text": "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."},
    "get_cluster_status": {},
    "get_gap": {"gap_id": "webhook-fail-closed-wide"},
    "get_incident": {"incident_id": "2024-12-openai-telemetry-floods-kubernetes-api"},
    "list_checks": {},
    "list_gaps": {},
    "scan_cluster": {"max_age_seconds": 86400},
    "search_incidents": {"query": "GPU 인식 불가"},
}


def filled(arguments, desk):
    return {name: desk.scans.ids()[0] if value == "{first scan}" else value for name, value in arguments.items()}


@pytest.fixture
def kubeconfig(tmp_path):
    path = tmp_path / "kubeconfig"
    cluster = {"name": "staging", "cluster": {"server": SERVER}}
    context = {"name": "staging", "context": {"cluster": "staging", "user": "me"}}
    user = {"name": "me", "user": {"token": "hunter2"}}
    content = {"clusters": [cluster], "contexts": [context], "users": [user], "current-context": "staging"}
    path.write_text(json.dumps(content))
    return str(path)


@pytest.fixture
def scanned(make_desk, everything, kubeconfig):
    """A desk with two scans of all checks, and the newer one; the cluster itself is away."""
    desk = make_desk(kubeconfig=kubeconfig)
    snapshot = structs.replace(everything.snapshot, source=structs.replace(SOURCE, server="https://127.0.0.1:1"))
    report = structs.replace(everything, snapshot=snapshot)
    desk.scans.keep(report)
    return desk, desk.scans.keep(report)


def test_the_tools_are_those_of_the_design():
    assert sorted(CALLS) == NAMES
    assert len(NAMES) == 9


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_definitions_are_short_flat_and_harmless(connected, mode):
    async with connected(mode=mode) as client:
        found = (await client.list_tools()).tools

    assert [tool.name for tool in found] == NAMES
    for tool in found:
        hints = tool.annotations
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint) == (
            True,
            False,
            True,
            False,
        )
        assert tool.title == hints.title
        assert 20 < len(tool.description) <= 300
        # With the prefix that clients put before it.
        assert len(f"mcp__plugin_kubegap_kubegap__{tool.name}") <= 64
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        assert tool.output_schema["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf", "$ref"} & tool.input_schema.keys()
        assert "$defs" not in tool.input_schema
        assert all("anyOf" not in part for part in tool.input_schema["properties"].values())
        assert "lang" in tool.input_schema["properties"]
        # Descriptions tell what a tool gives, and leave what to do to skills.
        assert not re.search(r"\b(always|must|never)\b", tool.description, re.IGNORECASE)
    bare = [tool.model_dump(by_alias=True, exclude_none=True, mode="json", exclude={"output_schema"}) for tool in found]
    assert len(json.dumps(bare, separators=(",", ":"), ensure_ascii=False).encode()) <= 7_000
    assert len(INSTRUCTIONS.encode()) <= 1_000


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("name", NAMES)
async def test_both_channels_say_the_same_and_fit_the_schema(connected, scanned, name, lang, mode):
    desk, _ = scanned
    async with connected(desk, mode) as client:
        schema = next(tool.output_schema for tool in (await client.list_tools()).tools if tool.name == name)
        result = await client.call_tool(name, {**filled(CALLS[name], desk), "lang": lang})

    assert not result.is_error, result.content
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content
    jsonschema.validate(result.structured_content, schema)
    assert "hunter2" not in content.text


@pytest.mark.parametrize("name", NAMES)
async def test_korean_and_english_carry_the_same_ids(connected, scanned, name):
    desk, _ = scanned
    async with connected(desk) as client:
        answers = [
            (await client.call_tool(name, {**filled(CALLS[name], desk), "lang": lang})).structured_content
            for lang in ("ko", "en")
        ]

    ids = [
        [(item.get("gap_id") or item.get("incident_id") or item.get("check_id")) for item in answer.get("items", [])]
        for answer in answers
    ]
    # Evidence and budgets aside, the two are one answer: pages may end earlier in the language that takes more room.
    shortest = min(map(len, ids))
    assert ids[0][:shortest] == ids[1][:shortest]
    assert answers[0].keys() == answers[1].keys()


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("get_gap", {"gap_id": "webhook-fail-close-wide"}, "webhook-fail-closed-wide"),
        ("get_incident", {"incident_id": "2024-12-openai"}, "no incident"),
        (
            "get_incident",
            {"incident_id": "2024-12-openai-telemetry-flood"},
            "2024-12-openai-telemetry-floods-kubernetes-api",
        ),
        ("list_gaps", {"scan_id": "20200101t000000000000z-0000"}, "latest scans"),
        ("list_gaps", {"limit": 999}, "less than or equal to 50"),
        ("list_gaps", {"severty": "high"}, "severty"),
        ("list_gaps", {"cursor": "x"}, "next_cursor"),
        ("list_checks", {"incident_id": "2024-12"}, "no incident"),
        ("search_incidents", {"component": ["kubelets"]}, "kubelet"),
        ("search_incidents", {"query": "x" * 501}, "find_similar_incidents"),
        ("search_incidents", {"from_date": "yesterday"}, "2024-03-09"),
        ("find_similar_incidents", {}, "text or incident_id"),
        ("find_similar_incidents", {"text": "x" * 70_000}, "65,536"),
        ("scan_cluster", {"context": "prod"}, "Its contexts: staging."),
        ("get_cluster_status", {"context": "prod"}, "Its contexts: staging."),
        ("scan_cluster", {"checks": ["webhok"]}, "No check"),
        ("compare_scans", {"before": "20200101t000000000000z-0000"}, "latest scans"),
    ],
)
async def test_a_mistake_is_told_with_the_way_out(connected, scanned, name, arguments, told):
    async with connected(scanned[0]) as client:
        result = await client.call_tool(name, arguments)

    assert result.is_error
    assert told in result.content[0].text
    assert "hunter2" not in result.content[0].text


async def test_a_mistake_is_told_in_the_language_that_was_asked_for(connected, scanned):
    async with connected(scanned[0]) as client:
        result = await client.call_tool("get_gap", {"gap_id": "nope", "lang": "ko"})

    assert "점검 항목이 없습니다" in result.content[0].text


async def test_without_a_kubeconfig_cluster_tools_say_what_to_set_and_incident_tools_answer(connected, make_desk):
    async with connected(make_desk()) as client:
        scan = await client.call_tool("scan_cluster", {})
        status = await client.call_tool("get_cluster_status", {})
        found = await client.call_tool("search_incidents", {"query": "webhook"})

    assert scan.is_error
    assert "KUBECONFIG" in scan.content[0].text
    assert "--context" not in scan.content[0].text
    assert not status.is_error
    assert "KUBECONFIG" in status.structured_content["problem"]
    assert status.structured_content["reachable"] is False
    assert found.structured_content["total"] > 0


async def test_every_field_of_a_cluster_is_named_in_the_notice(connected, scanned):
    desk, _ = scanned
    async with connected(desk) as client:
        for name in ("scan_cluster", "list_gaps", "get_gap", "get_cluster_status"):
            answer = (await client.call_tool(name, CALLS[name])).structured_content
            assert all(field in answer["data_notice"] for field in FIELDS)


async def test_context_and_host_stand_in_every_answer_about_a_cluster(connected, scanned):
    desk, _ = scanned
    async with connected(desk) as client:
        for name in ("scan_cluster", "list_gaps", "get_gap", "compare_scans"):
            cluster = (await client.call_tool(name, filled(CALLS[name], desk))).structured_content["cluster"]
            assert (cluster["context"], cluster["host"]) == ("staging", "127.0.0.1:1")


async def test_resources_and_their_completion(connected, scanned):
    desk, scan = scanned
    async with connected(desk) as client:
        (listed,) = (await client.list_resources()).resources
        templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        index = json.loads((await client.read_resource("incident://index")).contents[0].text)
        texts = [
            (await client.read_resource(uri)).contents[0].text
            for uri in (f"incident://{index[0]['id']}", "check://webhook-fail-closed-wide", f"scan://{scan.id}/report")
        ]

    assert str(listed.uri) == "incident://index"
    assert templates == {"incident://{incident_id}", "check://{check_id}", "scan://{scan_id}/report"}
    assert [one["id"] for one in index] == sorted(desk.shelf.ids)
    assert index[0]["title"] in texts[0]
    assert "webhook-fail-closed-wide" in texts[1]
    assert "webhook-fail-closed-wide" in texts[2]


@pytest.mark.parametrize(
    "uri", ["incident://nope", "check://nope", "scan://nope/report", "incident://../../etc/passwd"]
)
async def test_an_unknown_resource_is_an_error_that_names_it(connected, scanned, uri):
    async with connected(scanned[0]) as client:
        with pytest.raises(Exception, match=r"nope|passwd|resource"):
            await client.read_resource(uri)


async def test_ids_are_completed(connected, scanned):
    from mcp.types import ResourceTemplateReference

    desk, scan = scanned
    async with connected(desk) as client:

        async def completed(uri, name, value):
            found = await client.complete(ResourceTemplateReference(uri=uri), {"name": name, "value": value})
            return found.completion.values

        assert await completed("check://{check_id}", "check_id", "fail-closed") == ["webhook-fail-closed-wide"]
        assert await completed("scan://{scan_id}/report", "scan_id", scan.id) == [scan.id]
        assert all("openai" in one for one in await completed("incident://{incident_id}", "incident_id", "openai"))


async def test_prompts_carry_the_data(connected, scanned):
    desk, scan = scanned
    async with connected(desk) as client:
        names = {prompt.name for prompt in (await client.list_prompts()).prompts}
        texts = {
            name: (await client.get_prompt(name, arguments)).messages[0].content.text
            for name, arguments in (
                ("review_cluster", {}),
                ("explain_gap", {"gap_id": "webhook-fail-closed-wide"}),
                ("incident_brief", {"incident_id": "2024-12-openai-telemetry-floods-kubernetes-api"}),
            )
        }

    assert names == texts.keys()
    assert scan.id in texts["review_cluster"]
    assert '"gap_id":"webhook-fail-closed-wide"' in texts["explain_gap"]
    assert "OpenAI" in texts["incident_brief"]
