"""The checks as pages and as data."""

from __future__ import annotations

import msgspec
from starlette.responses import Response

from kubegap.checks.page import Page
from kubegap.web import mistakes
from kubegap.web.checks_data import check_data, listed_checks
from kubegap.web.house import House, Visit
from kubegap.web.mistakes import Refused
from kubegap.web.views.check import check_page
from kubegap.web.views.checks import checks_page

_JSON = "application/json"


class CheckPages:
    """The handlers of pages."""

    def __init__(self, house: House) -> None:
        self.house = house

    def index(self, visit: Visit) -> Response:
        """All checks."""
        return self.house.page("checks.html", checks_page(visit.edition, visit.around), visit)

    def check(self, visit: Visit) -> Response:
        """One check."""
        return self.house.page("check.html", check_page(_known(visit), visit.edition, visit.around), visit)


def checks_json(visit: Visit) -> Response:
    """All checks as data."""
    return Response(msgspec.json.encode(listed_checks(visit.edition)), media_type=_JSON)


def check_json(visit: Visit) -> Response:
    """One check as data."""
    return Response(msgspec.json.encode(check_data(_known(visit), visit.edition)), media_type=_JSON)


def _known(visit: Visit) -> Page:
    """The check of the path; raises `Refused` with the nearest ones."""
    pages, check = visit.edition.grounding.pages, visit.part("id")
    if check not in pages:
        raise Refused(mistakes.no_check(check, {name: page.title for name, page in pages.items()}))
    return pages[check]
