"""Prompts: questions that people ask often, with the data already in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from mcp.server import MCPServer

from kubegap.mcp.answers import sentence
from kubegap.mcp.desk import Desk
from kubegap.mcp.tools import get_gap, get_incident, list_gaps
from kubegap.problems import KubegapError
from kubegap.text import Text


def add(server: MCPServer, desk: Desk) -> None:
    """Add them to a server."""

    @server.prompt(title="Review the cluster", description="The gaps of the newest scan, to be reviewed with evidence")
    def review_cluster(namespace: str = "") -> str:
        return _filled(desk, _REVIEW, lambda: list_gaps.make(desk)(namespace=namespace, lang=desk.lang))

    @server.prompt(
        title="Explain a gap", description="One gap of the newest scan: what it is, why it matters, what to do"
    )
    def explain_gap(gap_id: str) -> str:
        return _filled(desk, _EXPLAIN, lambda: get_gap.make(desk)(gap_id, lang=desk.lang))

    @server.prompt(
        title="Brief on an incident", description="One incident for a review, and whether checks watch for it"
    )
    def incident_brief(incident_id: str) -> str:
        return _filled(desk, _BRIEF, lambda: get_incident.make(desk)(incident_id, lang=desk.lang))


def _filled(desk: Desk, words: Text, ask: Callable[[], Any]) -> str:
    """The question with its data, or with why there are none."""
    try:
        data = msgspec.json.encode(ask()).decode()
    except KubegapError as error:
        data = sentence(error, desk, desk.lang)
    return f"{words.of(desk.lang)}\n\n{data}"


_REVIEW = Text(
    ko="아래는 kubegap 의 최근 스캔이 찾은 틈입니다. 심각한 것부터 근거와 사례 id 를 들어 검토하고, 보지 못한 것은 보지 못했다고 쓰세요."
    " 클러스터를 바꾸는 명령은 실행하지 마세요.",
    en="Below are the gaps that kubegap's newest scan found. Review them, worst first, with evidence and incident ids; say what"
    " was not seen. Run no command that changes the cluster.",
)
_EXPLAIN = Text(
    ko="아래 틈이 무엇이고 왜 문제가 되는지, 앞서 겪은 사례를 들어 설명하고 무엇을 어떻게 확인하고 바꿀지 쓰세요.",
    en="Explain the gap below: what it is, why it mattered in the incidents behind it, what to verify and what to change.",
)
_BRIEF = Text(
    ko="아래 사례를 리뷰에서 쓸 수 있게 요약하세요. 기록에 없는 것은 지어내지 말고, 이 사례를 지켜보는 점검 항목이 있는지 쓰세요.",
    en="Sum up the incident below for a review. Add nothing that the record does not say, and name the checks that watch for it.",
)
