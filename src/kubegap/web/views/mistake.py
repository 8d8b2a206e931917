"""The page that says what went wrong and what to do next."""

from __future__ import annotations

from msgspec import Struct

from kubegap.web.addresses import Addresses
from kubegap.web.mistakes import Mistake, Way
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.views.results import Link
from kubegap.web.words import mistakes as words


class MistakePage(Struct, frozen=True):
    """A mistake with its ways out, and the search box."""

    frame: Frame
    title: str
    details: list[str]
    ways: list[Link]
    action: str
    status: str


def mistake_page(mistake: Mistake, below: str, around: Around) -> MistakePage:
    """The page of a mistake made at `below`."""
    addresses = around.addresses
    lang = addresses.lang
    return MistakePage(
        frame=frame(around, mistake.title.of(lang), below, is_indexed=False),
        title=mistake.title.of(lang),
        details=[detail.message.of(lang) for detail in mistake.details],
        ways=[Link(way.label.of(lang), way_address(way, addresses)) for way in mistake.ways],
        action=addresses.incidents(),
        status=words.STATUS.fill(status=mistake.status).of(lang),
    )


def way_address(way: Way, addresses: Addresses) -> str:
    """Where a way out leads."""
    return addresses.incidents(way.query) if way.query is not None else addresses.path(way.below)
