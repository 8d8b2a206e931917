"""Whatever an API server or a kubeconfig holds: a state with its reason, or one line; never an exception, never a clean bill."""

import json
from contextlib import suppress

import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubegap.cluster import validity
from kubegap.cluster.discovery import served
from kubegap.cluster.kubeconfig import BadKubeconfig, chosen
from kubegap.cluster.listing import Listing
from kubegap.cluster.objects import EndpointSlice, Pod
from kubegap.cluster.snapshot import ReadState
from kubegap.cluster.transport import Answer

NAMES = [
    "kind",
    "items",
    "metadata",
    "continue",
    "name",
    "versions",
    "version",
    "resources",
    "spec",
    "groups",
    "freshness",
]
KUBECONFIG_NAMES = [
    "clusters",
    "users",
    "contexts",
    "current-context",
    "name",
    "cluster",
    "user",
    "context",
    "server",
    "exec",
]
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)),
    max_leaves=12,
)
CONFIGS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.just("a")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(KUBECONFIG_NAMES), inner, max_size=5)
    ),
    max_leaves=15,
)


class Door:
    """Answers everything with the same body."""

    def __init__(self, body):
        self.body = body

    def get(self, _path, _query=None, accept=None):
        del accept
        return Answer(200, self.body, "application/json")


def is_list(body):
    """An independent reading of what an empty or whole list is."""
    try:
        page = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(page, dict) and (page.get("items") is None or isinstance(page["items"], list))


@given(st.one_of(st.binary(max_size=200), VALUES.map(lambda value: json.dumps(value).encode())))
def test_no_body_breaks_a_list(body):
    listing = Listing(Pod, 500)

    listing.read(Door(body))

    assert listing.coverage().is_complete <= is_list(body)
    assert listing.coverage().is_complete or listing.coverage().reason


@given(st.one_of(st.binary(max_size=200), VALUES.map(lambda value: json.dumps(value).encode())))
def test_no_body_breaks_discovery(body):
    found = served(Door(body), [Pod.resource, EndpointSlice.resource])

    assert set(found) == {"v1/pods", "discovery.k8s.io/v1/endpointslices"}
    assert all(said.state is ReadState.READ or said.reason for said in found.values())


@given(st.one_of(st.binary(max_size=200), CONFIGS.map(lambda value: yaml.safe_dump(value).encode())))
def test_no_bytes_break_a_kubeconfig(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("config") / "config"
    path.write_bytes(data)

    with suppress(BadKubeconfig):
        assert chosen(str(path), None, {}).cluster.server


@given(st.binary(max_size=200))
def test_no_bytes_break_a_certificate(data):
    assert validity.read(data) is None
