"""From cases to the checks that rest on them, with the command that runs these checks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kubegap.library.search.query import Query
from kubegap.library.search.result import Result
from kubegap.text import Text
from kubegap.web.addresses import Addresses
from kubegap.web.edition import Edition
from kubegap.web.grounding import command
from kubegap.web.words import checks as words

MOST_NAMED = 5
# The command line chooses by components as a list does; words, other facets and periods it does not know.
_TOLD_BY_COMPONENT = {"component", "order", "page"}


class NamedCheck(Struct, frozen=True):
    """A check by its id and title."""

    id: str
    title: str
    href: str


class Behind(Struct, frozen=True):
    """The checks behind some cases: the first few by name, the rest counted; no command and no prompt for an agent where there is none."""

    lead: str
    checks: list[NamedCheck]
    more: str
    more_href: str
    command: str
    prompt: str


def behind_case(incident: str, edition: Edition, addresses: Addresses) -> Behind:
    """All checks that rest on one case."""
    found = edition.grounding.citing(incident)
    if not found:
        return _none(words.CASE_CHECKS_NONE, addresses)
    named, line = _named(found, edition, addresses), command("incident", [incident])
    return Behind(words.CASE_CHECKS_LEAD.of(addresses.lang), named, "", "", line, _prompt(line, addresses))


def behind_list(query: Query, result: Result, edition: Edition, addresses: Addresses) -> Behind:
    """The checks behind the cases of a list: behind all of them where the command can name them all, else those shown."""
    if {name for name, _ in query.parameters()} <= _TOLD_BY_COMPONENT:
        components = query.selected("component")
        found = edition.behind_components(components)
        lead = words.BEHIND_ALL if components else words.EVERY_CHECK
        line = command("component", components)
    else:
        found = edition.grounding.behind(item.id for item in result.items)
        lead = words.BEHIND_ALL if result.total == len(result.items) else words.BEHIND_PAGE
        line = command("select", found)
    return _some(lead, found, line, edition, addresses) if found else _none(words.BEHIND_NONE, addresses)


def _some(lead: Text, found: Sequence[str], line: str, edition: Edition, addresses: Addresses) -> Behind:
    more = len(found) - MOST_NAMED
    return Behind(
        lead=lead.of(addresses.lang),
        checks=_named(found[:MOST_NAMED], edition, addresses),
        more=words.BEHIND_MORE.fill(count=more).of(addresses.lang) if more > 0 else "",
        more_href=addresses.checks(),
        command=line,
        prompt=_prompt(line, addresses),
    )


def _named(found: Sequence[str], edition: Edition, addresses: Addresses) -> list[NamedCheck]:
    pages = edition.grounding.pages
    return [NamedCheck(check, pages[check].title.of(addresses.lang), addresses.check(check)) for check in found]


def _prompt(line: str, addresses: Addresses) -> str:
    """What to ask an agent that can run commands."""
    return words.AGENT_PROMPT.fill(command=line).of(addresses.lang)


def _none(lead: Text, addresses: Addresses) -> Behind:
    return Behind(lead.of(addresses.lang), [], "", "", "", "")
