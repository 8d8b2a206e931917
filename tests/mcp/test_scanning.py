"""Scans while they are made: progress, one scan for many who ask, an end when nobody waits, and what goes wrong on the way."""

import threading
from pathlib import Path

import anyio
import pytest
from msgspec import structs

from kubegap.cluster import files
from kubegap.cluster.progress import Progress
from kubegap.cluster.snapshot import Snapshot
from kubegap.problems import KubegapError
from kubegap.text import Text
from tests.mcp.reports import SOURCE

pytestmark = pytest.mark.anyio

SERVER = "https://127.0.0.1:1"
OBJECTS = b"""
apiVersion: v1
kind: Namespace
metadata: {name: kube-system, uid: u-1}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
"""


class Reader:
    """Reads a made-up cluster: says how far it is, and waits until it is let go or told to stop."""

    def __init__(self, *, is_held=False):
        self.calls = []
        self.let_go = threading.Event()
        self.stopped = threading.Event()
        if not is_held:
            self.let_go.set()

    def __call__(self, context, kinds, on_progress, stop):
        self.calls.append((context, frozenset(kinds)))
        count = 0
        while not self.let_go.wait(0.01):
            count += 1
            on_progress(Progress("Pod", count, count, count / 100))
            if stop.is_set():
                self.stopped.set()
                break
        found = files.decode([("x.yaml", OBJECTS)])
        source = structs.replace(SOURCE, context=context, server=SERVER)
        return Snapshot(source, found.objects, found.coverage)


@pytest.fixture
def kubeconfig(tmp_path):
    path = tmp_path / "kubeconfig"
    path.write_text(
        "current-context: staging\n"
        f"clusters: [{{name: c, cluster: {{server: '{SERVER}'}}}}]\n"
        "contexts: [{name: staging, context: {cluster: c}}, {name: prod, context: {cluster: c}}]\n"
    )
    return str(path)


@pytest.fixture
def elsewhere(kubeconfig):
    """The same contexts of another cluster."""
    path = Path(kubeconfig).with_name("elsewhere")
    path.write_text(Path(kubeconfig).read_text().replace(SERVER, "https://127.0.0.2:1"))
    return str(path)


@pytest.fixture
def undecided(kubeconfig):
    """The same contexts, none of them the current one."""
    path = Path(kubeconfig).with_name("undecided")
    path.write_text(Path(kubeconfig).read_text().replace("current-context: staging\n", ""))
    return str(path)


@pytest.fixture
def with_reader(make_desk, kubeconfig):
    def make(**options):
        reader = Reader(**options)
        return reader, make_desk(reader, kubeconfig=kubeconfig)

    return make


async def test_progress_is_told_while_a_scan_runs(connected, with_reader):
    reader, desk = with_reader(is_held=True)
    told = []

    async def progress(seconds, _total, message):
        told.append((seconds, message))
        if len(told) == 2:
            reader.let_go.set()

    async with connected(desk) as client:
        with anyio.fail_after(20):
            result = await client.call_tool("scan_cluster", {}, progress_callback=progress)

    assert not result.is_error, result.content
    assert len(told) >= 2
    assert told == sorted(told)
    assert told[0][1].startswith("Pod ")


async def test_calls_at_once_share_a_scan(connected, with_reader):
    reader, desk = with_reader(is_held=True)
    ids = []

    async def scan(client):
        ids.append((await client.call_tool("scan_cluster", {})).structured_content["scan_id"])

    async with connected(desk) as client, anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(scan, client)
        await anyio.sleep(0.3)
        reader.let_go.set()

    assert len(reader.calls) == 1
    assert len(set(ids)) == 1


async def test_other_questions_are_other_scans(connected, with_reader):
    reader, desk = with_reader()
    async with connected(desk) as client:
        for arguments in ({}, {"context": "prod"}, {"checks": ["gpu"]}, {"namespaces": ["shop"]}):
            assert not (await client.call_tool("scan_cluster", arguments)).is_error

    assert len(reader.calls) == 4
    assert {context for context, _ in reader.calls} == {"staging", "prod"}
    assert len({kinds for _, kinds in reader.calls}) == 2


async def test_a_young_scan_of_the_same_question_is_reused(connected, with_reader):
    reader, desk = with_reader()
    async with connected(desk) as client:
        answers = [
            (await client.call_tool("scan_cluster", arguments)).structured_content
            for arguments in ({}, {}, {"context": "staging"}, {"max_age_seconds": 0})
        ]

    assert [answer["reused"] for answer in answers] == [False, True, True, False]
    assert len(reader.calls) == 2


async def test_a_scan_of_another_cluster_is_not_reused_though_its_context_has_that_name(
    connected, with_reader, make_desk, elsewhere
):
    reader, desk = with_reader()
    async with connected(desk) as client:
        assert not (await client.call_tool("scan_cluster", {})).is_error
    async with connected(make_desk(reader, kubeconfig=elsewhere)) as client:
        answer = (await client.call_tool("scan_cluster", {})).structured_content

    assert not answer["reused"]
    assert len(reader.calls) == 2


async def test_contexts_that_are_there_are_told_where_none_is_chosen(connected, make_desk, undecided):
    async with connected(make_desk(kubeconfig=undecided)) as client:
        scan = await client.call_tool("scan_cluster", {})
        status = await client.call_tool("get_cluster_status", {"lang": "ko"})

    assert "Its contexts: prod, staging." in scan.content[0].text
    assert "--context" not in scan.content[0].text
    assert "있는 컨텍스트: prod, staging." in status.structured_content["problem"]


async def test_a_call_that_is_given_up_ends_the_scan_if_nobody_else_waits(connected, with_reader):
    reader, desk = with_reader(is_held=True)
    async with connected(desk) as client:
        with anyio.move_on_after(0.5):
            await client.call_tool("scan_cluster", {})
        assert await anyio.to_thread.run_sync(reader.stopped.wait, 10)
        reader.let_go.set()
        fresh = await client.call_tool("scan_cluster", {})

    assert desk.scans.ids() == [fresh.structured_content["scan_id"]]
    assert len(reader.calls) == 2


async def test_a_call_that_is_given_up_leaves_the_scan_to_those_who_wait(connected, with_reader):
    reader, desk = with_reader(is_held=True)
    answers = []

    async def stay(client):
        answers.append(await client.call_tool("scan_cluster", {}))

    async with connected(desk) as client, anyio.create_task_group() as group:
        group.start_soon(stay, client)
        await anyio.sleep(0.1)
        with anyio.move_on_after(0.3):
            await client.call_tool("scan_cluster", {})
        await anyio.sleep(0.2)
        assert not reader.stopped.is_set()
        reader.let_go.set()

    assert not answers[0].is_error


@pytest.mark.parametrize("lang", ["ko", "en"])
async def test_trouble_on_the_way_is_told_and_leaves_no_scan(connected, make_desk, kubeconfig, lang):
    def read(*_anything):
        raise KubegapError(Text(ko="닿지 못했습니다.", en="It cannot be reached."))

    desk = make_desk(read, kubeconfig=kubeconfig)
    async with connected(desk) as client:
        result = await client.call_tool("scan_cluster", {"lang": lang})

    assert result.is_error
    assert {"ko": "닿지 못했습니다", "en": "cannot be reached"}[lang] in result.content[0].text
    assert desk.scans.ids() == []


async def test_a_fault_of_ours_says_nothing_of_what_it_held(connected, make_desk, kubeconfig):
    def read(*_anything):
        raise ValueError("token hunter2")

    async with connected(make_desk(read, kubeconfig=kubeconfig)) as client:
        result = await client.call_tool("scan_cluster", {})

    assert result.is_error
    assert "hunter2" not in result.content[0].text


async def test_a_namespace_that_does_not_exist_is_told_with_the_nearest(connected, with_reader):
    _, desk = with_reader()
    async with connected(desk) as client:
        result = await client.call_tool("scan_cluster", {"namespaces": ["shopp"]})

    assert result.is_error
    assert "`shop`" in result.content[0].text


async def test_programs_of_the_kubeconfig_run_only_if_they_may_and_tell_nothing(connected, make_desk, tmp_path):
    program = tmp_path / "login"
    program.write_text("#!/bin/sh\necho 'password hunter2' >&2\ntouch " + str(tmp_path / "ran") + "\nexit 1\n")
    program.chmod(0o755)
    path = tmp_path / "kubeconfig"
    path.write_text(
        "current-context: staging\n"
        "clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n"
        "contexts: [{name: staging, context: {cluster: c, user: u}}]\n"
        "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: "
        f"'{program}', interactiveMode: Never}}}}}}]\n"
    )
    async with connected(make_desk(kubeconfig=str(path), no_exec=True)) as client:
        forbidden = await client.call_tool("scan_cluster", {})
    assert not (tmp_path / "ran").exists()

    async with connected(make_desk(kubeconfig=str(path))) as client:
        failed = await client.call_tool("scan_cluster", {})
        status = await client.call_tool("get_cluster_status", {})

    assert "--no-exec" in forbidden.content[0].text
    assert "a token or a certificate" in forbidden.content[0].text
    assert (tmp_path / "ran").exists()
    assert "kubectl get --raw /version" in failed.content[0].text
    assert "hunter2" not in failed.content[0].text + status.content[0].text
