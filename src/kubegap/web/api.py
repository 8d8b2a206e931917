"""The API: the same answers as the pages, as data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import Response
from msgspec import Struct
from starlette.concurrency import run_in_threadpool

from kubegap.library.search.query import Query
from kubegap.web import forms, openapi
from kubegap.web.answers import Answers
from kubegap.web.download import NAME, schema
from kubegap.web.forms import JSON
from kubegap.web.house import Handler, House, Visit, query_pairs
from kubegap.web.mistakes import Refused, bad_parameters
from kubegap.web.openapi import parameter, responses
from kubegap.web.paste import pasted
from kubegap.web.terms_data import listed_terms

PREFIX = "/api/v1"
MOST_SIMILAR = 10


class Described(Struct, frozen=True):
    """What the description of the API says of a route."""

    summary: str
    answers: dict[int | str, dict[str, Any]]
    parameters: Sequence[dict[str, Any]] = ()


def create_api(house: House, answers: Answers) -> FastAPI:
    """The routes below `PREFIX`, and the description that is made from them."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    for error, handler in answers.by_error.items():
        app.add_exception_handler(error, handler)
    _add_search(app, house)
    _add_vocabulary(app, house)
    _add_library(app, house)
    described = msgspec.json.encode(openapi.describe(app, house.settings.root_path + PREFIX))

    def openapi_json(_visit: Visit) -> Response:
        return Response(described, media_type=JSON)

    app.router.add_route("/openapi.json", house.fresh(_open(openapi_json)))
    return app


def _add_search(app: FastAPI, house: House) -> None:
    found = Described("Search cases", responses("Result", 400, 404, 414), openapi.SEARCH_PARAMETERS)
    _add(app, house, "/incidents", forms.result_json, found)
    example = "2021-08-bigscience-ecc-gpu-node-reused"
    by_id = [parameter("id", "Id of a case", {"type": "string", "minLength": 1}, example, where="path")]
    _add(app, house, "/incidents/{id}", forms.case_json, Described("One case", responses("Incident", 404), by_id))
    app.add_api_route(
        "/similar",
        _similar(house),
        methods=["POST"],
        response_class=Response,
        summary="Cases like a pasted log; nothing is stored",
        responses=responses("Result", 400, 408, 413, 415),
        openapi_extra={"requestBody": openapi.PASTE},
    )


def _add_vocabulary(app: FastAPI, house: House) -> None:
    listed = responses("ListedTerm", is_list=True)
    _add(app, house, "/terms", _terms, Described("The vocabulary, with the number of cases of each value", listed))
    typed = [parameter("q", "What was typed so far", {"type": "string", "maxLength": 500}, "nccl")]
    suggested = responses("Suggestion", 400, is_list=True)
    _add(app, house, "/suggest", _suggest, Described("What a half-typed search may mean", suggested, typed))


def _add_library(app: FastAPI, house: House) -> None:
    described = Described("The whole library: numbers, licence, checksum, download", responses("Description"))
    _add(app, house, "/library", _library, described)
    app.router.add_route("/library.zip", house.fresh(_open(_library_zip)))
    app.router.add_route("/schemas/incident.json", house.fresh(_open(_incident_schema)))


def _add(app: FastAPI, house: House, path: str, handler: Handler, described: Described) -> None:
    endpoint = house.fresh(_open(handler))

    # FastAPI sees nothing but the request: parameters are read by one parser, for pages and data alike.
    async def answered(request: Request) -> Response:
        return await endpoint(request)

    answered.__name__ = endpoint.__name__
    app.add_api_route(
        path,
        answered,
        methods=["GET"],
        response_class=Response,
        summary=described.summary,
        responses=described.answers,
        openapi_extra={"parameters": list(described.parameters)},
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
    return Response(msgspec.json.encode(visit.edition.suggester.suggest(typed)), media_type=JSON)


def _library(visit: Visit) -> Response:
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


def _similar(house: House) -> Callable[[Request], Awaitable[Response]]:
    async def similar(request: Request) -> Response:
        if unknown := [name for name, _ in query_pairs(request)]:
            raise Refused(bad_parameters(unknown, []))
        text = await pasted(request)
        edition = house.shelf.edition()
        result = await run_in_threadpool(edition.search.similar, text, Query(page_size=MOST_SIMILAR))
        headers = {"cache-control": "no-store", "access-control-allow-origin": "*"}
        return Response(msgspec.json.encode(result), media_type=JSON, headers=headers)

    return similar
