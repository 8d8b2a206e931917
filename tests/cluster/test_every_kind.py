"""Every field of every kind comes through a file, the API and a saved snapshot alike."""

import json
import types
from datetime import UTC, datetime
from typing import Literal, Union, get_args, get_origin

import msgspec
import pytest
from msgspec import Struct, structs
from tests.cluster.fake_api import FakeApi

from kubegap.cluster import files, saved
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import Access
from kubegap.cluster.kinds.workload import Workload
from kubegap.cluster.objects import Metadata
from kubegap.cluster.resources import RESOURCES

PLAIN = {str: "x", int: 1, float: 1.5, bool: True, datetime: datetime(2026, 11, 1, tzinfo=UTC)}


def sample(kind):
    """A value of a type with every field filled."""
    if kind in PLAIN:
        return PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return arguments[0]
    if origin in {Union, types.UnionType}:
        return sample(next(one for one in arguments if one is not type(None)))
    if origin is list:
        return [sample(arguments[0])]
    if origin is dict:
        return {"x": sample(arguments[1])}
    assert issubclass(kind, Struct), kind
    return kind(**{field.name: sample(field.type) for field in structs.fields(kind)})


def written(kind):
    filled = sample(kind)
    # Of annotations and of those who wrote it only known ones stay, and a name is no namespace.
    metadata = structs.replace(
        filled.metadata, annotations=None, managed_fields=None, namespace="x" if kind.resource.namespaced else None
    )
    if kind.resource.is_metric:
        # A series is its labels, and gets its name from them.
        metadata = Metadata(name="x=x", labels={"x": "x"})
    filled = structs.replace(filled, metadata=metadata)
    return filled, json.loads(msgspec.json.encode(filled))


@pytest.mark.parametrize("kind", RESOURCES.values(), ids=RESOURCES)
def test_every_field_comes_through_wherever_it_is_read(kind, tmp_path):
    filled, document = written(kind)
    head = {"apiVersion": kind.resource.api_version, "kind": kind.resource.kind}
    with FakeApi().running() as api:
        api.add(kind, document)
        live = collect(Access(api.url, (), None), [kind.resource.path])
    dumped = files.decode([("file", json.dumps({**head, **document}).encode())])
    saved.save(live, tmp_path / "s")

    for snapshot in (live, dumped, saved.load(str(tmp_path / "s"))):
        assert snapshot.of(kind) == (filled,)


@pytest.mark.parametrize("kind", RESOURCES.values(), ids=RESOURCES)
def test_every_kind_may_be_empty(kind):
    head = {"apiVersion": kind.resource.api_version, "kind": kind.resource.kind, "metadata": {"name": "x"}}
    (found,) = files.decode([("file", json.dumps(head).encode())]).of(kind)

    if isinstance(found, Workload):
        assert isinstance(list(found.parts()), list)
        assert not found.has_ended
        assert not found.is_suspended
