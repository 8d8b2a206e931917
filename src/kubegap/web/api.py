"""The API: the same answers as the pages, as data."""

from __future__ import annotations

import msgspec
from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from kubegap.library.search.query import Query
from kubegap.web import forms, openapi
from kubegap.web.download import NAME, schema
from kubegap.web.forms import JSON
from kubegap.web.house import Endpoint, Handler, House, Visit, query_pairs
from kubegap.web.mistakes import Refused, bad_parameters
from kubegap.web.paste import pasted
from kubegap.web.terms_data import listed_terms

PREFIX = "/api/v1"
MOST_SIMILAR = 10


def add_api(app: FastAPI, house: House) -> None:
    """Add the routes and their description."""
    _add_search(app, house)
    _add_library(app, house)
    described = msgspec.json.encode(openapi.describe(app, house.settings.root_path))

    def openapi_json(_visit: Visit) -> Response:
        return Response(described, media_type=JSON)

    app.router.add_route(f"{PREFIX}/openapi.json", house.fresh(_open(openapi_json)))


def _add_search(app: FastAPI, house: House) -> None:
    incidents = _get(app, house, "/incidents", forms.result_json)
    incidents("Search cases", openapi.responses("Result", 400, 404, 414), openapi.SEARCH_PARAMETERS)
    case = _get(app, house, "/incidents/{id}", forms.case_json)
    id_parameter = openapi.parameter("id", "Id of a case", {"type": "string"}, "2021-08-bigscience-ecc-gpu-node-reused", where="path")
    case("One case", openapi.responses("Incident", 404), [id_parameter])
    terms = _get(app, house, "/terms", _terms)
    terms("The vocabulary, with the number of cases of each value", openapi.responses("ListedTerm", is_list=True), [])
    suggest = _get(app, house, "/suggest", _suggest)
    typed = openapi.parameter("q", "What was typed so far", {"type": "string", "maxLength": 500}, "nccl")
    suggest("Values and cases that a half-typed search may mean", openapi.responses("Suggestion", 400, is_list=True), [typed])
    app.add_api_route(
        f"{PREFIX}/similar",
        _similar(house),
        methods=["POST"],
        response_class=Response,
        summary="Cases like a pasted log; nothing is stored",
        responses=openapi.responses("Result", 400, 408, 413, 415),
        openapi_extra={"requestBody": openapi.PASTE},
    )


def _add_library(app: FastAPI, house: House) -> None:
    library = _get(app, house, "/library", _library)
    library("The whole library: its numbers, licence, checksum and where to download it", openapi.responses("Description"), [])
    app.router.add_route(f"{PREFIX}/library.zip", house.fresh(_open(_library_zip)))
    app.router.add_route(f"{PREFIX}/schemas/incident.json", house.fresh(_open(_incident_schema)))


class _Adding:
    """A route waiting for its description."""

    def __init__(self, app: FastAPI, path: str, endpoint: Endpoint) -> None:
        self._app = app
        self._path = path
        self._endpoint = endpoint

    def __call__(self, summary: str, responses: dict[int | str, dict[str, object]], parameters: list[dict[str, object]]) -> None:
        self._app.add_api_route(
            self._path,
            _typed(self._endpoint),
            methods=["GET"],
            response_class=Response,
            summary=summary,
            responses=responses,
            openapi_extra={"parameters": parameters},
        )


def _get(app: FastAPI, house: House, path: str, handler: Handler) -> _Adding:
    return _Adding(app, PREFIX + path, house.fresh(_open(handler)))


def _typed(endpoint: Endpoint) -> Endpoint:
    """An endpoint that shows FastAPI nothing but the request: the parameters are read by the handler, for all forms alike."""

    def called(request: Request) -> Response:
        return endpoint(request)

    called.__name__ = endpoint.__name__
    return called


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
    description = visit.edition.download.describe(origin + addresses.api("/library.zip"), origin + addresses.api("/schemas/incident.json"))
    return Response(msgspec.json.encode(description), media_type=JSON)


def _library_zip(visit: Visit) -> Response:
    headers = {"content-disposition": f'attachment; filename="{NAME}"'}
    return Response(visit.edition.download.data, media_type="application/zip", headers=headers)


def _incident_schema(_visit: Visit) -> Response:
    return Response(schema(), media_type="application/schema+json")


def _similar(house: House):  # type: ignore[no-untyped-def]  # noqa: ANN202
    async def similar(request: Request) -> Response:
        if unknown := [name for name, _ in query_pairs(request)]:
            raise Refused(bad_parameters(unknown, []))
        text = await pasted(request)
        edition = house.shelf.edition()
        result = await run_in_threadpool(edition.search.similar, text, Query(page_size=MOST_SIMILAR))
        headers = {"cache-control": "no-store", "access-control-allow-origin": "*"}
        return Response(msgspec.json.encode(result), media_type=JSON, headers=headers)

    return similar
