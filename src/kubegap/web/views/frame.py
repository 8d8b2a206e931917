"""What stands around every page: title, menu, the other language, other forms of the same thing."""

from __future__ import annotations

from msgspec import Struct

from kubegap.text import LANGS, Lang
from kubegap.web.addresses import Addresses
from kubegap.web.views.plain import plain
from kubegap.web.words import frame as words

NAME = "Incident Library"


class MenuItem(Struct, frozen=True):
    """An entry of the menu."""

    label: str
    href: str
    is_here: bool


class Twin(Struct, frozen=True):
    """A page in one language, by its absolute address."""

    lang: Lang
    href: str


class Feed(Struct, frozen=True):
    """The feed of what the page shows."""

    title: str
    href: str


class Frame(Struct, frozen=True):
    """The frame of a page; `origin` is what its addresses begin with on paper, `mark` names the edition of the library."""

    lang: Lang
    other: Lang
    title: str
    origin: str
    canonical: str
    twins: list[Twin]
    switch: str
    home: str
    menu: list[MenuItem]
    stylesheet: str
    script: str
    icon: str
    search_description: str
    feed: Feed | None
    is_indexed: bool
    notices: list[str]
    mark: str
    download: str
    about: str


class Around(Struct, frozen=True):
    """What frames are made from, apart from the page itself."""

    addresses: Addresses
    origin: str
    mark: str
    static: dict[str, str]


def frame(
    around: Around,
    title: str,
    below: str,
    *,
    menu: str = "",
    feed: Feed | None = None,
    is_indexed: bool = True,
) -> Frame:
    """The frame of the page at `below` (its address behind the language); `menu` is the place in the menu it belongs to."""
    addresses = around.addresses
    lang = addresses.lang
    return Frame(
        lang=lang,
        other=addresses.twin.lang,
        title=f"{plain(title)} · {NAME}",
        origin=around.origin,
        canonical=around.origin + addresses.path(below),
        twins=[Twin(other, around.origin + Addresses(addresses.root, other).path(below)) for other in LANGS],
        switch=addresses.switch(below),
        home=addresses.incidents(),
        menu=_menu(addresses, menu),
        stylesheet=addresses.static(around.static["kubegap.css"]),
        script=addresses.static(around.static["kubegap.js"]),
        icon=addresses.static(around.static["icon.svg"]),
        search_description=addresses.path("/opensearch.xml"),
        feed=feed,
        is_indexed=is_indexed,
        notices=[],
        mark=around.mark,
        download=addresses.api("/library.zip"),
        about=addresses.about(),
    )


def _menu(addresses: Addresses, here: str) -> list[MenuItem]:
    entries = {
        "incidents": (words.NAV_CASES, addresses.incidents()),
        "terms": (words.NAV_TERMS, addresses.terms()),
        "checks": (words.NAV_CHECKS, addresses.checks()),
        "similar": (words.NAV_SIMILAR, addresses.similar()),
        "about": (words.NAV_ABOUT, addresses.about()),
    }
    return [MenuItem(label.of(addresses.lang), href, name == here) for name, (label, href) in entries.items()]
