"""Resources: incidents, checks and scans as documents for people. Whatever they say a tool says too."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from kubegap.checks.page_text import sections as check_sections
from kubegap.library import record_text
from kubegap.library.record_text import Section
from kubegap.mcp.answers import sentence
from kubegap.mcp.desk import Desk
from kubegap.mcp.untrusted import told
from kubegap.problems import KubegapError
from kubegap.report.formats import markdown

INDEX = "incident://index"
_MARKDOWN = "text/markdown"
_MOST = 100
_LINE = 1_000


def add(server: MCPServer, desk: Desk) -> None:
    """Add them to a server."""
    lang = desk.lang

    @server.resource(
        INDEX, title="All incidents", description="Id and title of every incident", mime_type="application/json"
    )
    def index() -> str:
        titles = {incident: desk.shelf.title(incident).of(lang) for incident in sorted(desk.shelf.ids)}
        return msgspec.json.encode([{"id": id_, "title": title} for id_, title in titles.items()]).decode()

    @server.resource("incident://{incident_id}", title="One incident", mime_type=_MARKDOWN)
    def incident(incident_id: str) -> str:
        return _or_not_found(lambda: _incident(desk, incident_id), desk)

    @server.resource("check://{check_id}", title="One check", mime_type=_MARKDOWN)
    def check(check_id: str) -> str:
        return _or_not_found(lambda: _check(desk, check_id), desk)

    @server.resource("scan://{scan_id}/report", title="Report of a scan", mime_type=_MARKDOWN)
    def report(scan_id: str) -> str:
        return _or_not_found(lambda: markdown.render(desk.view(desk.scans.get(scan_id), lang)), desk)

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(
        _ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _context: CompletionContext | None,
    ) -> Completion | None:
        known = _known(desk, argument.name)
        if known is None:
            return None
        found = sorted(
            (name for name in known if argument.value in name), key=lambda name: not name.startswith(argument.value)
        )
        return Completion(values=found[:_MOST], total=len(found), has_more=len(found) > _MOST)


def _or_not_found(make: Callable[[], str], desk: Desk) -> str:
    try:
        return make()
    except KubegapError as error:
        raise ResourceNotFoundError(sentence(error, desk, desk.lang)) from error


def _incident(desk: Desk, incident: str) -> str:
    parts = record_text.sections(desk.shelf.generation, incident, desk.lang)
    plain = [Section(told(part.heading), [told(line, _LINE) for line in part.lines]) for part in parts]
    return record_text.as_markdown(plain, 0)


def _check(desk: Desk, check: str) -> str:
    page = desk.shelf.page(check)
    parts = check_sections(page, lambda incident: f"{incident}: {desk.shelf.title(incident).of(desk.lang)}", desk.lang)
    return record_text.as_markdown(parts, 0)


def _known(desk: Desk, argument: str) -> Iterable[str] | None:
    """The ids that an argument of a resource or prompt can be."""
    match argument:
        case "incident_id":
            return sorted(desk.shelf.ids)
        case "check_id" | "gap_id":
            return sorted(desk.shelf.pages)
        case "scan_id":
            return desk.scans.ids()
        case _:
            return None
