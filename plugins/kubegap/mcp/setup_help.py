"""A server of the Model Context Protocol with one tool that says how to get kubegap running.

It speaks to clients that shake hands (`initialize`, up to 2025-11-25) and to those that do not (`server/discover`, 2026-07-28).
"""

from __future__ import annotations

import json

LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODERN = "2026-07-28"
INSTALL = "pipx install 'kubegap[mcp]'"
DOCS = "docs/agents.md, docs/agents.ko.md"

TROUBLES = {
    "absent": {
        "en": "No `kubegap` is on the PATH that this client passes on.",
        "ko": "이 클라이언트가 넘긴 PATH 에 `kubegap` 이 없다.",
    },
    "no-such-file": {
        "en": "KUBEGAP_BIN names `{path}`, which is no program that can be run.",
        "ko": "KUBEGAP_BIN 이 가리키는 `{path}` 는 실행할 수 있는 프로그램이 아니다.",
    },
    "no-uvx": {
        "en": "KUBEGAP_USE_UVX=1 is set, but `uvx` is not on the PATH that this client passes on.",
        "ko": "KUBEGAP_USE_UVX=1 이 있지만 이 클라이언트가 넘긴 PATH 에 `uvx` 가 없다.",
    },
    "too-old": {
        "en": "`{path}` is kubegap {found}; this plugin needs {needed} or newer.",
        "ko": "`{path}` 는 kubegap {found} 이다. 이 플러그인에는 {needed} 이상이 필요하다.",
    },
    "no-extra": {
        "en": "`{path}` cannot serve MCP: {said}",
        "ko": "`{path}` 로는 MCP 서버를 띄울 수 없다: {said}",
    },
    "broken": {
        "en": "`{path} --version` does not answer as kubegap does: {said}",
        "ko": "`{path} --version` 이 kubegap 처럼 답하지 않는다: {said}",
    },
}
STEPS = {
    "en": [
        "In a terminal: " + INSTALL + " (from a checkout of the project: pipx install '.[mcp]').",
        "If it stands somewhere else, set KUBEGAP_BIN to its full path in the environment that the client starts from.",
        "Check it: kubegap --version && kubegap mcp --help",
        "Start the client again, or reconnect the server `kubegap`.",
    ],
    "ko": [
        "터미널에서: " + INSTALL + " (프로젝트를 체크아웃했다면 그 폴더에서 pipx install '.[mcp]').",
        "다른 곳에 설치했다면 클라이언트를 띄우는 환경의 KUBEGAP_BIN 에 전체 경로를 적는다.",
        "확인: kubegap --version && kubegap mcp --help",
        "클라이언트를 다시 띄우거나 `kubegap` 서버를 다시 연결한다.",
    ],
}
NOT_DONE = {
    "en": "No cluster was read and no incident was looked up. Tell the user so; do not answer from memory.",
    "ko": "클러스터를 읽지 않았고 사례도 찾지 않았다. 기억으로 답하지 말고 그렇다고 알린다.",
}
TOOL = {
    "name": "get_setup_help",
    "title": "How to set up kubegap",
    "description": (
        "Says why kubegap could not start here and which steps install it, in Korean and English."
        " The tools for clusters, gaps and incidents appear once kubegap runs. Reads no cluster."
    ),
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
    "annotations": {
        "title": "How to set up kubegap",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
}


def guide(trouble):
    """What is wrong and what to do, in both languages."""
    return {
        lang: {
            "problem": TROUBLES[trouble["kind"]][lang].format(**trouble),
            "steps": STEPS[lang],
            "not_done": NOT_DONE[lang],
            "more": DOCS,
        }
        for lang in ("en", "ko")
    }


def serve(requests, replies, version, trouble):
    """Answer line by line until the client goes away."""
    for line in iter(requests.readline, b""):
        reply = answer(line, version, trouble)
        if reply is not None:
            # A path may hold bytes that are no UTF-8.
            replies.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            replies.flush()


def answer(line, version, trouble):
    """The reply to one line; None where none is due."""
    try:
        message = json.loads(line)
    except ValueError:
        return failure(None, -32700, "Parse error") if line.strip() else None
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        # A response is nothing to answer; anything else is no request.
        is_response = isinstance(message, dict) and ("result" in message or "error" in message)
        return None if is_response else failure(None, -32600, "Invalid Request")
    if "id" not in message:
        return None
    params = message.get("params")
    return reply_to(message["id"], message["method"], params if isinstance(params, dict) else {}, version, trouble)


def reply_to(identity, method, params, version, trouble):
    """The reply to one request."""
    known = {
        "initialize": lambda: handshake(params, version, trouble),
        "server/discover": lambda: discovery(version, trouble),
        "ping": dict,
        "tools/list": lambda: {"tools": [TOOL], "ttlMs": 0, "cacheScope": "private"},
        "resources/list": lambda: {"resources": [], "ttlMs": 0, "cacheScope": "private"},
        "resources/templates/list": lambda: {"resourceTemplates": [], "ttlMs": 0, "cacheScope": "private"},
        "prompts/list": lambda: {"prompts": [], "ttlMs": 0, "cacheScope": "private"},
    }
    if method == "tools/call":
        if params.get("name") != TOOL["name"]:
            return failure(identity, -32602, "Unknown tool; only get_setup_help is here until kubegap is installed")
        return success(identity, called(trouble))
    if method not in known:
        return failure(identity, -32601, "Method not found")
    return success(identity, known[method]())


def handshake(params, version, trouble):
    """The older era: one version is agreed on."""
    asked = params.get("protocolVersion")
    return {"protocolVersion": asked if asked in LEGACY else LEGACY[0], **about(version, trouble)}


def discovery(version, trouble):
    """The newer era: every version that is spoken; who serves stands beside the result."""
    told = about(version, trouble)
    meta = {"io.modelcontextprotocol/serverInfo": told.pop("serverInfo")}
    return {
        "supportedVersions": [MODERN, *LEGACY],
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": meta,
        **told,
    }


def about(version, trouble):
    """Who serves, and why it is not kubegap itself."""
    told = guide(trouble)
    return {
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "kubegap", "title": "kubegap (not set up)", "version": version},
        "instructions": " ".join(
            [
                "kubegap is not running.",
                told["en"]["problem"],
                told["ko"]["problem"],
                "Tool: get_setup_help.",
                NOT_DONE["en"],
            ]
        ),
    }


def called(trouble):
    """The result of the tool, the same in both channels: clients show their model one of them."""
    told = guide(trouble)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return {"content": [{"type": "text", "text": text}], "structuredContent": told, "isError": False}


def success(identity, result):
    """A response; the newer era wants to know that it is whole, and the older one ignores that."""
    return {"jsonrpc": "2.0", "id": identity, "result": {"resultType": "complete", **result}}


def failure(identity, code, message):
    """An error of the protocol."""
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}}
