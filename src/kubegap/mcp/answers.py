"""From what a tool gives to what goes over the wire: one record, as data and as the same data in compact text.

Clients hand a model either the one or the other, so both carry everything. What went wrong is said in the text alone, because
that is all that clients pass on then.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, get_type_hints

import msgspec
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent
from msgspec import Struct

from kubegap.mcp.desk import Desk
from kubegap.mcp.target import remedy
from kubegap.mcp.untrusted import shown
from kubegap.problems import KubegapError
from kubegap.text import Lang

_LONGEST_ERROR = 3_000
Tool = Callable[..., Struct | Awaitable[Struct]]


def answering(tool: Tool, desk: Desk) -> Callable[..., Any]:
    """The tool as the SDK calls it; mistakes that a model can do something about become `ToolError`."""
    if inspect.iscoroutinefunction(tool):

        @functools.wraps(tool)
        async def call_later(**arguments: Any) -> CallToolResult:
            try:
                return result_of(await tool(**arguments))
            except KubegapError as error:
                raise _told(error, desk, arguments) from error

        return call_later

    @functools.wraps(tool)
    def call(**arguments: Any) -> CallToolResult:
        try:
            return result_of(tool(**arguments))
        except KubegapError as error:
            raise _told(error, desk, arguments) from error

    return call


def result_of(answer: Any) -> CallToolResult:
    """Both channels of one answer."""
    text = msgspec.json.encode(answer).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=msgspec.json.decode(text))


def schema_of(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of what a tool gives, with an object at its root as clients want it."""
    hints = get_type_hints(tool)
    (root,), parts = msgspec.json.schema_components([hints["return"]], ref_template="#/$defs/{name}")
    name = root["$ref"].rsplit("/", 1)[-1]
    rest = {other: part for other, part in parts.items() if other != name}
    return {**parts[name], **({"$defs": rest} if rest else {})}


def sentence(error: KubegapError, desk: Desk, lang: Lang) -> str:
    """What went wrong and what to do; errors quote what they are about, and that may be a name out of a cluster."""
    return shown(remedy(error, desk.target.environment).sentence(lang), _LONGEST_ERROR)


def _told(error: KubegapError, desk: Desk, arguments: dict[str, Any]) -> ToolError:
    return ToolError(sentence(error, desk, desk.language(str(arguments.get("lang", "")))))
