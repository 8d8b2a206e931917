"""The page that says how to add kubegap to an agent; the whole of it is in the document that it names."""

from __future__ import annotations

from msgspec import Struct

from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.words import agents as words

# A test holds these equal to those of the document.
INSTALL = "pipx install 'kubegap[mcp]'"
CLIENTS = {
    "Claude Code": "claude plugin marketplace add OWNER/kubegap\nclaude plugin install kubegap@kubegap",
    "Codex": "codex plugin marketplace add OWNER/kubegap\ncodex plugin add kubegap@kubegap",
}
_DOCUMENT = {"en": "docs/agents.md", "ko": "docs/agents.ko.md"}


class Client(Struct, frozen=True):
    """An agent's program, and the commands that add kubegap to it."""

    name: str
    anchor: str
    commands: str


class AgentsPage(Struct, frozen=True):
    """The commands for each client."""

    frame: Frame
    install: str
    clients: list[Client]
    document: str


def agents_page(around: Around) -> AgentsPage:
    """The page in the language of the address."""
    lang = around.addresses.lang
    return AgentsPage(
        frame=frame(around, words.AGENTS_TITLE.of(lang), "/agents", menu="checks"),
        install=INSTALL,
        clients=[Client(name, name.lower().replace(" ", "-"), commands) for name, commands in CLIENTS.items()],
        document=_DOCUMENT[lang],
    )
