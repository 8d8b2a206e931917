"""The API: the same answers as the pages, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kubegap.library.record import INCIDENT_ID
from kubegap.library.search.query import Query
from kubegap.web import forms, openapi
from kubegap.web.check_pages import check_json, checks_json
from kubegap.web.checks_data import check_data, listed_checks
from kubegap.web.download import NAME, schema
from kubegap.web.edition import Edition
from kubegap.web.forms import JSON
from kubegap.web.house import Endpoint, Handler, House, Visit, query_pairs
from kubegap.web.mistakes import MAX_WORDS, Refused, bad_parameters, too_long
from kubegap.web.openapi import Described, parameter, responses
from kubegap.web.paste import pasted
from kubegap.web.terms_data import listed_terms

PREFIX = "/api/v1"
MOST_SIMILAR = 10
_CHECK_ID = "^[a-z0-9]+(-[a-z0-9]+)*$"
_EXAMPLE_CHECK = "webhook-fail-closed-wide"
_EXAMPLE = "2021-08-bigscience-ecc-gpu-node-reused"


def api_routes(house: House) -> list[Route]:
    """The routes of the API, and of the description that is made from them when it is first asked for."""
    described = [*_search(house), *_vocabulary(house), *_checks(house), *_library(house)]

    # Weak, so that an edition which was swapped out can go.
    made: WeakKeyDictionary[Edition, bytes] = WeakKeyDictionary()

    def openapi_json(visit: Visit) -> Response:
        edition = visit.edition
        if (found := made.get(edition)) is None:
            found = made[edition] = msgspec.json.encode(openapi.describe(described, house.settings.root_path, edition))
        return Response(found, media_type=JSON)

    return [
        *[Route(found.path, found.endpoint, methods=[found.method]) for found in described],
        Route(f"{PREFIX}/openapi.json", house.fresh(_open(openapi_json))),
        Route(f"{PREFIX}/library.zip", house.fresh(_open(_library_zip))),
        Route(f"{PREFIX}/schemas/incident.json", house.fresh(_open(_incident_schema))),
    ]


def _search(house: House) -> Iterator[Described]:
    by_id = [parameter("id", "Id of a case", {"type": "string", "pattern": INCIDENT_ID}, _EXAMPLE, where="path")]
    yield Described(
        f"{PREFIX}/incidents",
        house.fresh(_open(forms.result_json), is_quick=True),
        "Search cases",
        responses("Result", 400, 404, 414),
        openapi.search_parameters,
    )
    yield Described(
        f"{PREFIX}/incidents/{{id}}",
        house.fresh(_open(forms.case_json)),
        "One case",
        responses("Incident", 404),
        lambda _: by_id,
    )
    yield Described(
        f"{PREFIX}/similar",
        _similar(house),
        "Cases like a pasted log; nothing is stored",
        responses("Result", 400, 408, 413, 415),
        method="POST",
        body=openapi.PASTE,
    )


def _vocabulary(house: House) -> Iterator[Described]:
    typed = [parameter("q", "What was typed so far", {"type": "string", "maxLength": MAX_WORDS}, "nccl")]
    yield Described(
        f"{PREFIX}/terms",
        house.fresh(_open(_terms)),
        "The vocabulary, with the number of cases of each value",
        responses("ListedTerm", is_list=True),
    )
    yield Described(
        f"{PREFIX}/suggest",
        house.fresh(_open(_suggest)),
        "What a half-typed search may mean",
        responses("Suggestion", 400, 414, is_list=True),
        lambda _: typed,
    )


def _checks(house: House) -> Iterator[Described]:
    by_id = [parameter("id", "Id of a check", {"type": "string", "pattern": _CHECK_ID}, _EXAMPLE_CHECK, where="path")]
    yield Described(
        f"{PREFIX}/checks",
        house.fresh(_open(checks_json)),
        "All checks: what each looks for, the incidents behind it, the command that runs it",
        responses("ListedCheck", is_list=True),
        example=lambda edition: msgspec.to_builtins(listed_checks(edition)[:1]),
    )
    yield Described(
        f"{PREFIX}/checks/{{id}}",
        house.fresh(_open(check_json)),
        "One check, with everything that its page says",
        responses("Check", 404),
        lambda _: by_id,
        example=_one_check,
    )


def _one_check(edition: Edition) -> Any:
    """A check as an example; of its own examples, the first is enough."""
    found = next((check_data(page, edition) for page in edition.grounding.pages.values()), None)
    return found and msgspec.to_builtins(replace(found, examples=found.examples[:1]))


def _library(house: House) -> Iterator[Described]:
    yield Described(
        f"{PREFIX}/library",
        house.fresh(_open(_described_library)),
        "The whole library: numbers, licence, checksum, download",
        responses("Description"),
    )


def _open(handler: Handler) -> Handler:
    """Data that pages of any site may read."""

    def opened(visit: Visit) -> Response:
        response = handler(visit)
        response.headers["access-control-allow-origin"] = "*"
        return response

    opened.__name__ = handler.__name__
    return opened


def _terms(visit: Visit) -> Response:
    everything = visit.edition.search.run(Query(page_size=1))
    return Response(msgspec.json.encode(listed_terms(visit.edition.vocabulary, everything)), media_type=JSON)


def _suggest(visit: Visit) -> Response:
    if unknown := [name for name, _ in visit.pairs if name != "q"]:
        raise Refused(bad_parameters(unknown, []))
    typed = next((value for _, value in visit.pairs), "")
    if len(typed) > MAX_WORDS:
        raise Refused(too_long())
    return Response(msgspec.json.encode(visit.edition.suggester.suggest(typed)), media_type=JSON)


def _described_library(visit: Visit) -> Response:
    origin, addresses = visit.around.origin, visit.addresses
    description = visit.edition.download.describe(
        origin + addresses.api("/library.zip"), origin + addresses.api("/schemas/incident.json")
    )
    return Response(msgspec.json.encode(description), media_type=JSON)


def _library_zip(visit: Visit) -> Response:
    headers = {"content-disposition": f'attachment; filename="{NAME}"'}
    return Response(visit.edition.download.data, media_type="application/zip", headers=headers)


def _incident_schema(_visit: Visit) -> Response:
    return Response(schema(), media_type="application/schema+json")


def _similar(house: House) -> Endpoint:
    async def similar(request: Request) -> Response:
        if unknown := [name for name, _ in query_pairs(request)]:
            raise Refused(bad_parameters(unknown, []))
        text = await pasted(request)
        edition = house.shelf.edition()
        result = await run_in_threadpool(edition.search.similar, text, Query(page_size=MOST_SIMILAR))
        headers = {"cache-control": "no-store", "access-control-allow-origin": "*"}
        return Response(msgspec.json.encode(result), media_type=JSON, headers=headers)

    return similar
