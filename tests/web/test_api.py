from __future__ import annotations

import hashlib
import io
import json
import zipfile

import msgspec
import pytest
from jsonschema import Draft202012Validator

from kubegap.library.record import Incident
from kubegap.web.edition import Edition
from tests.web.client import Client


@pytest.fixture(scope="module")
def described(client: Client):
    return client.get("/api/v1/openapi.json").json()


def test_every_described_route_answers_its_own_example(client: Client, described):
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            parameters = {one["name"]: one["example"] for one in operation.get("parameters", []) if "example" in one}
            filled = path.format(**parameters)
            query = {name: value for name, value in parameters.items() if f"{{{name}}}" not in path}
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
            answer = (
                client.ask(method.upper(), filled, params=query, json=body)
                if body
                else client.get(filled, params=query)
            )
            assert answer.status_code == 200, path


def test_description_refers_to_nothing_missing(described):
    text = json.dumps(described)
    names = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}

    assert names <= set(described["components"]["schemas"])
    assert described["openapi"].startswith("3.1")


def test_data_may_be_read_from_any_site(client: Client):
    assert client.get("/api/v1/incidents").headers["access-control-allow-origin"] == "*"
    assert client.post("/api/v1/similar", json={"text": "NCCL"}).headers["access-control-allow-origin"] == "*"


def test_terms_count_their_cases(client: Client, edition: Edition):
    terms = {(one["facet"], one["id"]): one["count"] for one in client.get("/api/v1/terms").json()}

    assert len(terms) == sum(map(len, edition.vocabulary.facets.values()))
    assert terms["component", "nccl"] == sum(edition.years("component", "nccl").values())


def test_suggestions_begin_with_what_was_typed(client: Client):
    for typed in ("ncc", "NCC", "노드", "gpu 인식"):
        assert client.get("/api/v1/suggest", params={"q": typed}).json(), typed
    assert client.get("/api/v1/suggest", params={"q": " "}).json() == []


def test_the_whole_library_is_one_file_that_can_be_checked(client: Client, edition: Edition):
    told = client.get("/api/v1/library").json()
    data = client.get("/api/v1/library.zip").content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name.split("/")[1]: archive.read(name) for name in archive.namelist()}

    assert hashlib.sha256(data).hexdigest() == told["sha256"]
    assert told["licence"] == "https://creativecommons.org/licenses/by/4.0/"
    for line in files["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(files[name]).hexdigest() == digest
    incidents = [msgspec.json.decode(line, type=Incident) for line in files["incidents.ndjson"].splitlines()]
    assert [incident.id for incident in incidents] == edition.generation.ids
    validator = Draft202012Validator(json.loads(files["incident.schema.json"]))
    validator.validate(json.loads(files["incidents.ndjson"].splitlines()[0]))


def test_health_and_numbers(client: Client, edition: Edition):
    assert client.get("/healthz").text == "ok\n"
    assert edition.mark in client.get("/readyz").text
    text = client.get("/metrics").text
    assert text.endswith("# EOF\n")
    assert 'kubegap_http_requests_total{handler="healthz",status="200"}' in text
    assert f"kubegap_library_incidents {len(edition.ids)}" in text
