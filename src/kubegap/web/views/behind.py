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
_SCAN = (words.PROMPT_ONE, words.PROMPT_MANY, words.PROMPT_RULES)
_EXPLAIN = (words.PROMPT_UNSEEN_ONE, words.PROMPT_UNSEEN_MANY, words.PROMPT_UNSEEN_RULES)


class NamedCheck(Struct, frozen=True):
    """A check by its id and title."""

    id: str
    title: str
    href: str


class Behind(Struct, frozen=True):
    """The checks behind some cases: the first few by name, the rest counted; no command where there is none.

    `prompt` is to be pasted in an agent, and `guide` says how to add kubegap to one.
    """

    lead: str
    checks: list[NamedCheck]
    more: str
    more_href: str
    command: str
    prompt: str
    guide: str


def behind_case(incident: str, edition: Edition, addresses: Addresses) -> Behind:
    """All checks that rest on one case."""
    found = edition.grounding.citing(incident)
    if not found:
        return _none(words.CASE_CHECKS_NONE, [incident], addresses)
    named, line = _named(found, edition, addresses), command("incident", [incident])
    prompt = _prompt([incident], _SCAN, addresses)
    return Behind(words.CASE_CHECKS_LEAD.of(addresses.lang), named, "", "", line, prompt, addresses.agents())


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
    shown = [item.id for item in result.items]
    if not found:
        return _none(words.BEHIND_NONE, shown, addresses)
    more = len(found) - MOST_NAMED
    return Behind(
        lead=lead.of(addresses.lang),
        checks=_named(found[:MOST_NAMED], edition, addresses),
        more=words.BEHIND_MORE.fill(count=more).of(addresses.lang) if more > 0 else "",
        more_href=addresses.checks(),
        command=line,
        prompt=_prompt(shown, _SCAN, addresses),
        guide=addresses.agents(),
    )


def _named(found: Sequence[str], edition: Edition, addresses: Addresses) -> list[NamedCheck]:
    pages = edition.grounding.pages
    return [NamedCheck(check, pages[check].title.of(addresses.lang), addresses.check(check)) for check in found]


def _prompt(incidents: Sequence[str], asked: tuple[Text, Text, Text], addresses: Addresses) -> str:
    """What to ask an agent that has kubegap, about the cases that are shown."""
    one, many, rules = asked
    wanted = one if len(incidents) == 1 else many
    return wanted.fill(incidents=", ".join(incidents), rules=rules).of(addresses.lang)


def _none(lead: Text, incidents: Sequence[str], addresses: Addresses) -> Behind:
    prompt = _prompt(incidents, _EXPLAIN, addresses)
    return Behind(lead.of(addresses.lang), [], "", "", "", prompt, addresses.agents())
