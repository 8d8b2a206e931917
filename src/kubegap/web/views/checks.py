"""The index of the checks, by area."""

from __future__ import annotations

from msgspec import Struct

from kubegap.checks.page import Page
from kubegap.report.words import SEVERITIES
from kubegap.text import Lang, counted, same
from kubegap.web.addresses import Addresses
from kubegap.web.checks_data import severities
from kubegap.web.edition import Edition
from kubegap.web.grounding import command
from kubegap.web.views.frame import Around, Frame, frame
from kubegap.web.views.results import Link
from kubegap.web.words import checks as words


class CheckRow(Struct, frozen=True):
    """A check in the index; `severity` is the range of its findings, `worst` the id of their worst."""

    id: str
    title: str
    href: str
    severity: str
    worst: str
    incidents: str


class Area(Struct, frozen=True):
    """An area with its checks, and the command that runs them."""

    id: str
    title: str
    count: str
    command: str
    checks: list[CheckRow]


class ChecksPage(Struct, frozen=True):
    """All checks."""

    frame: Frame
    count: str
    command: str
    areas: list[Area]
    form: Link


def checks_page(edition: Edition, around: Around) -> ChecksPage:
    """The index: areas in the order of their names' list, checks in the order of ids."""
    addresses, pages = around.addresses, edition.grounding.pages
    by_area: dict[str, list[Page]] = {}
    for page in pages.values():
        by_area.setdefault(page.area, []).append(page)
    return ChecksPage(
        frame=frame(around, words.CHECKS_TITLE.of(addresses.lang), "/checks", menu="checks"),
        count=words.CHECKS_HEADING.fill(count=len(pages)).of(addresses.lang),
        command=command(),
        areas=[_area(area, by_area[area], addresses) for area in sorted(by_area, key=_place)],
        form=Link("JSON", addresses.checks("json")),
    )


def area_title(area: str, lang: Lang) -> str:
    """What an area is called; its folder's name where it has no other."""
    return words.AREAS.get(area, same(area)).of(lang)


def area_id(area: str) -> str:
    """An area as an address and `--select` have it."""
    return area.replace("_", "-")


def _place(area: str) -> tuple[bool, int, str]:
    names = list(words.AREAS)
    return area not in names, names.index(area) if area in names else 0, area


def _area(area: str, pages: list[Page], addresses: Addresses) -> Area:
    return Area(
        id=area_id(area),
        title=area_title(area, addresses.lang),
        count=_count(len(pages), addresses.lang),
        command=command("select", [area_id(area)]),
        checks=[_row(page, addresses) for page in pages],
    )


def _row(page: Page, addresses: Addresses) -> CheckRow:
    lang = addresses.lang
    rests = counted(len(page.incidents), one=words.CHECK_RESTS_ONE, many=words.CHECK_RESTS_MANY)
    return CheckRow(
        page.id,
        page.title.of(lang),
        addresses.check(page.id),
        _range(page, lang),
        severities(page)[0].value,
        rests.of(lang),
    )


def _range(page: Page, lang: Lang) -> str:
    found = severities(page)
    if len(found) == 1:
        return SEVERITIES[found[0]].of(lang)
    return words.CHECK_RANGE.fill(worst=SEVERITIES[found[0]], mildest=SEVERITIES[found[-1]]).of(lang)


def _count(count: int, lang: Lang) -> str:
    return counted(count, one=words.CHECKS_ONE, many=words.CHECKS_MANY).of(lang)
