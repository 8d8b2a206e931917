"""Families of metrics, read through the same door as everything else."""

import pytest
from tests.cluster.fake_api import METRICS, FakeApi, send, status

from kubegap.cluster.chunks import lines_that_begin
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import Access
from kubegap.cluster.kinds.metric import RequestedDeprecatedAPI
from kubegap.cluster.metrics import series
from kubegap.cluster.snapshot import ReadState

PATH = RequestedDeprecatedAPI.resource.path
FAMILY = RequestedDeprecatedAPI.resource.plural
LINE = (
    FAMILY
    + '{group="policy",removed_release="1.25",resource="poddisruptionbudgets",subresource="",version="v1beta1"} 1'
)
SIGN = 'kubernetes_build_info{git_version="v1.37.2"} 1\n'
# So much that it comes in many parts, and would be remembered if it were kept.
LONG = "".join(f'apiserver_request_total{{resource="r{number}"}} {number}\n' for number in range(200_000))


def read(text, content_type="text/plain; version=0.0.4"):
    with FakeApi().running() as api:
        api.on(METRICS, lambda handler, _count: send(handler, 200, text.encode(), content_type=content_type))
        return collect(Access(api.url, (), None), [PATH]), api


def test_only_the_wanted_series_are_read_of_a_long_answer():
    snapshot, api = read(f"{LONG}# TYPE {FAMILY} gauge\n{LINE}\n{LONG}{SIGN}")

    (found,) = snapshot.of(RequestedDeprecatedAPI)
    assert (found.api_version, found.asked, found.removed_release) == ("policy/v1beta1", "poddisruptionbudgets", "1.25")
    assert snapshot.coverage_of(PATH).state is ReadState.READ
    # Nothing but the version and the metrics was asked for, each once.
    assert api.paths_asked() == ["/version", METRICS]


def test_a_server_that_was_asked_for_nothing_old_is_read_whole():
    snapshot, _ = read(SIGN)

    assert snapshot.of(RequestedDeprecatedAPI) == ()
    assert snapshot.coverage_of(PATH).state is ReadState.READ


@pytest.mark.parametrize("text", ["", "<html>log in</html>", LINE + "\n"])
def test_what_is_no_answer_of_an_api_server_is_not_seen(text):
    snapshot, _ = read(text)

    assert snapshot.coverage_of(PATH).state is ReadState.HALF_READ
    assert snapshot.of(RequestedDeprecatedAPI) == ()


def test_who_may_not_read_metrics_is_told_what_to_grant():
    with FakeApi().running() as api:
        api.on(METRICS, lambda h, _: status(h, 403, 'forbidden: User "eve" cannot get path "/metrics"', "Forbidden"))
        told = collect(Access(api.url, (), None), [PATH]).coverage_of(PATH)

    assert told.state is ReadState.REFUSED
    assert "`eve`" in told.reason.en
    assert told.resource.grant == "get /metrics"


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        (FAMILY + '{a="x"} 1', {"a": "x"}),
        (FAMILY + '{a="x",b=""} 1e+06 1700000000000', {"a": "x", "b": ""}),
        (FAMILY + r'{a="\"x\", \\ \n }"} 2', {"a": '"x", \\ \n }'}),
        (FAMILY + '{a="x\u2028"} 1', {"a": "x\u2028"}),
        (FAMILY + '{a="x"} 0', {}),
        (FAMILY + '{a="x"} 0.0e+00', {}),
    ],
)
def test_series(line, labels):
    assert series(line) == labels


@pytest.mark.parametrize("line", ['{a="x"', '{a="x"}', '{a="x"}1', "{ 1 2 3"])
def test_a_line_that_cannot_be_read_leaves_the_family_half_read(line):
    snapshot, _ = read(f"{SIGN}{LINE}\n{FAMILY}{line}\n")

    told = snapshot.coverage_of(PATH)
    assert (told.state, told.objects) == (ReadState.HALF_READ, 1)
    assert FAMILY in told.reason.en


def test_other_families_are_none_of_it():
    snapshot, _ = read(f'{SIGN}{FAMILY}_total{{a="x"}} 1\n# HELP {FAMILY} x\n')

    assert snapshot.of(RequestedDeprecatedAPI) == ()
    assert snapshot.coverage_of(PATH).state is ReadState.READ


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_lines_are_whole_however_the_answer_is_cut(size):
    text = b"aa 1\nb 2\na 3\n\nca 4\na 5"
    parts = [text[start : start + size] for start in range(0, len(text), size)]

    assert b"".join(lines_that_begin(parts, (b"a",))) == b"aa 1\na 3\na 5"
