"""The same result in other forms, and a case as data."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import yaml
from msgspec.structs import replace
from starlette.responses import Response, StreamingResponse

from kubegap.library.search.formats import csv_lines, ndjson_lines
from kubegap.library.search.query import Query
from kubegap.library.search.result import Item, Result
from kubegap.web import mistakes
from kubegap.web.asking import ask_strictly
from kubegap.web.atom import ENTRIES, feed
from kubegap.web.edition import Edition
from kubegap.web.house import Visit
from kubegap.web.mistakes import Refused
from kubegap.web.pages import known_incident
from kubegap.web.views.results import last_page

JSON = "application/json"
_BATCH = 100


def result_json(visit: Visit) -> Response:
    """One page of a result, exactly in its frozen shape."""
    query = ask_strictly(visit.pairs, visit.edition.vocabulary)
    result = visit.edition.search.run(query)
    if result.page > (last := last_page(result)):
        raise Refused(mistakes.no_page(query, last))
    return Response(msgspec.json.encode(result), media_type=JSON)


def result_csv(visit: Visit) -> Response:
    """All hits as a spreadsheet."""
    edition = visit.edition
    incidents = map(edition.generation.incident, edition.search.ids(_whole(visit)))
    return _download(csv_lines(incidents), "text/csv; charset=utf-8", "incidents.csv")


def result_ndjson(visit: Visit) -> Response:
    """All hits, one item a line."""
    items = (item for page in every_page(_whole(visit), visit.edition) for item in page)
    return _download(ndjson_lines(items), "application/x-ndjson", "incidents.ndjson")


def result_atom(visit: Visit) -> Response:
    """The newest entries of a result, by the day on which they came into the library."""
    query = replace(ask_strictly(visit.pairs, visit.edition.vocabulary), order="added", page=1, page_size=ENTRIES)
    result = visit.edition.search.run(query)
    return Response(feed(query, result, visit), media_type="application/atom+xml; charset=utf-8")


def case_json(visit: Visit) -> Response:
    """A record as JSON."""
    return Response(msgspec.json.encode(_record(visit)), media_type=JSON)


def case_yaml(visit: Visit) -> Response:
    """A record as its file tells it; the file name is the id."""
    plain = msgspec.to_builtins(_record(visit))
    name = plain.pop("id")
    text = f"# library/incidents/{name[:4]}/{name}.yaml\n" + yaml.safe_dump(
        plain, allow_unicode=True, sort_keys=False, width=120
    )
    return Response(text.encode(), media_type="application/yaml; charset=utf-8")


def every_page(query: Query, edition: Edition) -> Iterator[list[Item]]:
    """All hits of a question in order, a page at a time."""
    asked = replace(query, page=1, page_size=_BATCH)
    while True:
        result: Result = edition.search.run(asked)
        yield result.items
        if result.next is None:
            return
        asked = replace(asked, page=asked.page + 1)


def _record(visit: Visit) -> msgspec.Struct:
    return visit.edition.incident(known_incident(visit.part("id"), visit.edition))


def _whole(visit: Visit) -> Query:
    """The question; the page means nothing to a form that holds all."""
    return ask_strictly(visit.pairs, visit.edition.vocabulary)


def _download(lines: Iterator[str], media_type: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_in_batches(lines), media_type=media_type, headers=headers)


def _in_batches(lines: Iterator[str]) -> Iterator[bytes]:
    """Fewer, larger pieces, each of which is one switch to a worker thread."""
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) >= _BATCH:
            yield "".join(batch).encode(errors="replace")
            batch.clear()
    yield "".join(batch).encode(errors="replace")
