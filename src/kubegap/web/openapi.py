"""The description of the API (OpenAPI 3.1): our own types' schemas, parameters and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from kubegap.library.record import Incident
from kubegap.library.search.query import ORDERS
from kubegap.library.search.result import Result
from kubegap.library.vocabulary import FACET_NAMES, FACETS, Facet, Vocabulary
from kubegap.web.checks_data import Check, ListedCheck
from kubegap.web.download import Description
from kubegap.web.edition import Edition
from kubegap.web.house import Endpoint
from kubegap.web.mistakes import MAX_WORDS
from kubegap.web.problem import MEDIA_TYPE, Problem
from kubegap.web.suggest import Suggestion
from kubegap.web.terms_data import ListedTerm

if TYPE_CHECKING:
    from fastapi import FastAPI

_TYPES = (Result, Incident, Problem, Description, Suggestion, ListedTerm, Check, ListedCheck)
_REF = "#/components/schemas/{name}"
_SUMMARY = "Search the Incident Library and take its data. Human text is always {ko, en}. Within v1, fields are only ever added."
_PROBLEMS = {
    400: "Something in the request is wrong; `errors` says what, with the nearest values.",
    404: "There is no such thing.",
    408: "The body came too slowly.",
    413: "The body is too big.",
    414: "The words are too long.",
    415: "The body has a form that is not taken.",
}


class Described(Struct, frozen=True):
    """A route with what the description says of it."""

    path: str
    endpoint: Endpoint
    summary: str
    answers: dict[int | str, dict[str, Any]]
    parameters: Callable[[Vocabulary], list[dict[str, Any]]] = lambda _: []
    example: Callable[[Edition], Any] = lambda _: None
    method: str = "GET"
    body: dict[str, Any] | None = None


def describe(routes: Iterable[Described], root: str, edition: Edition) -> dict[str, Any]:
    """The description of some routes below a root, with the values that can be asked for and the answers of this edition.

    FastAPI writes it and answers nothing: importing it takes longer than all else, and few ever ask for this.
    """
    from fastapi import FastAPI  # noqa: PLC0415

    app = FastAPI(
        title="Incident Library",
        version="1",
        description=_SUMMARY,
        servers=[{"url": root or "/"}],
        license_info={"name": "Records: CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
    )
    for route in routes:
        _add(app, route, edition)
    return {**app.openapi(), "components": {"schemas": schemas()}}


def _add(app: FastAPI, route: Described, edition: Edition) -> None:
    # Parameters are read by one parser, for pages and data alike: FastAPI sees an endpoint without any.
    async def endpoint() -> None: ...

    endpoint.__name__ = route.endpoint.__name__
    body = {"requestBody": route.body} if route.body else {}
    app.add_api_route(
        route.path,
        endpoint,
        methods=[route.method],
        response_class=Response,
        summary=route.summary,
        responses=_answers(route, edition),
        openapi_extra={"parameters": route.parameters(edition.vocabulary), **body},
    )


def _answers(route: Described, edition: Edition) -> dict[int | str, dict[str, Any]]:
    """What a route answers, with its example of this edition."""
    if (example := route.example(edition)) is None:
        return route.answers
    content = {"application/json": {**route.answers[200]["content"]["application/json"], "example": example}}
    return {**route.answers, 200: {**route.answers[200], "content": content}}


def schemas() -> dict[str, Any]:
    """The JSON Schemas of everything that the API gives."""
    _, components = msgspec.json.schema_components(_TYPES, ref_template=_REF)
    return components


def responses(name: str, *problems: int, is_list: bool = False) -> dict[int | str, dict[str, Any]]:
    """The answers of a route: one of our types, or a problem."""
    ref = {"$ref": _REF.format(name=name)}
    content: dict[str, Any] = {"schema": {"type": "array", "items": ref} if is_list else ref}
    good = {"description": "The answer", "content": {"application/json": content}}
    return {200: good, **{status: _problem(status) for status in problems}}


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": _REF.format(name="Problem")}
    return {"description": _PROBLEMS[status], "content": {MEDIA_TYPE: {"schema": schema, "example": _EXAMPLE_PROBLEM}}}


def parameter(
    name: str, what: str, schema: dict[str, Any], example: Any = None, *, where: str = "query"
) -> dict[str, Any]:
    """One parameter of a route."""
    found = {"name": name, "in": where, "description": what, "schema": schema, "required": where == "path"}
    return found if example is None else {**found, "example": example}


def search_parameters(vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """The parameters of a search, with the values that this vocabulary has."""
    return [
        parameter("q", "Words in Korean or English", {"type": "string", "maxLength": MAX_WORDS}, "NCCL timeout"),
        *(_facet_parameter(facet, vocabulary) for facet in FACETS),
        parameter("from", "Not before; as far as it is known", _PARTIAL_DATE, "2024-03"),
        parameter("to", "Not after", _PARTIAL_DATE, "2024"),
        parameter("order", "`relevance` with words and `newest` without, unless given", _optional(ORDERS)),
        parameter("page", "From 1 up", {"type": "integer", "minimum": 1, "maximum": 99_999_999}),
    ]


def _facet_parameter(facet: Facet, vocabulary: Vocabulary) -> dict[str, Any]:
    what = f"Ids of the facet {FACET_NAMES[facet].en}; any of them"
    found = parameter(facet, what, {"type": "array", "items": _optional(vocabulary[facet])})
    return {**found, "style": "form", "explode": True}


def _optional(values: Iterable[str]) -> dict[str, Any]:
    """One of some values, or nothing: a form sends what was left open."""
    return {"type": "string", "enum": [*values, ""]}


_MONTH, _DAY = "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])"
_PARTIAL_DATE = {"type": "string", "pattern": f"^([0-9]{{4}}(-{_MONTH}(-{_DAY})?)?)?$"}
_EXAMPLE_PROBLEM = {
    "type": "urn:kubegap:problem:unknown-value",
    "title": "This cannot be searched for",
    "status": 400,
    "detail": "`gpu-hw-memory` is not a component.",
    "errors": [
        {"detail": "`gpu-hw-memory` is not a component.", "parameter": "component", "nearest": ["gpu-hardware-memory"]}
    ],
}
PASTE = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {"text": {"type": "string", "maxLength": 65536}},
                "required": ["text"],
            },
            "example": {"text": "Watchdog caught collective operation timeout: NCCL"},
        },
        "text/plain": {"schema": {"type": "string", "maxLength": 65536}},
    },
}
