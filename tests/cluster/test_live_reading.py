"""A live cluster, well-behaved and not: findings plus what was not seen, or one clear line; never a clean bill."""

import gzip
import json
import threading
import time
from datetime import UTC, datetime

import pytest
from tests.cluster.fake_api import DATE, FakeApi, page, send, status

from kubegap.checks.model import State
from kubegap.checks.pages import read_pages
from kubegap.checks.run import run
from kubegap.cluster.collect import collect
from kubegap.cluster.credentials import Access
from kubegap.cluster.objects import EndpointSlice, Namespace, Pod, ValidatingWebhookConfiguration
from kubegap.cluster.snapshot import Origin, ReadAtFrom, ReadState
from kubegap.cluster.transport import ALLOWED, Door, Limits, Unreachable, list_path

PODS, NAMESPACES = list_path(Pod.resource), list_path(Namespace.resource)
QUICK = Limits(first_wait=0.01, longest_wait=0.05, request_seconds=2, run_seconds=5, attempts=4, page=10)
WEBHOOKS = ValidatingWebhookConfiguration.resource.path


def pod(number, **more):
    return {"metadata": {"name": f"pod-{number}", "namespace": "shop", "uid": f"u{number}"}, **more}


@pytest.fixture
def api():
    with FakeApi().running() as running:
        yield running


def look(api, *kinds, limits=QUICK, **more):
    return collect(
        Access(api.url, (("Authorization", "Bearer t"),), None), [k.resource.path for k in kinds], limits, **more
    )


def coverage(snapshot, kind):
    return snapshot.coverage[kind.resource.path]


def refuse(handler, _count):
    return status(handler, 403, 'pods is forbidden: User "eve" cannot list resource "pods"', "Forbidden")


def test_pages_are_put_together(api):
    api.add(Pod, *map(pod, range(35)))

    snapshot = look(api, Pod, Namespace)

    assert len(snapshot.of(Pod)) == 35
    assert coverage(snapshot, Pod).state is coverage(snapshot, Namespace).state is ReadState.READ
    assert sum("limit=10" in url for _, url, _ in api.asked if PODS in url) == 4
    assert (snapshot.source.origin, snapshot.source.version) == (Origin.LIVE, "v1.37.2")
    assert snapshot.source.requests == len(api.asked)
    assert snapshot.source.bytes > 0


def test_only_the_kinds_that_are_asked_for_are_read_and_only_with_get(api):
    look(api, Pod)

    assert set(api.paths_asked()) == {"/version", "/api", PODS}
    assert {method for method, _, _ in api.asked} == {"GET"}
    assert all(path in ALLOWED for path in api.paths_asked())


def test_every_request_says_who_asks_and_takes_gzip(api):
    api.add(Pod, *map(pod, range(10)))

    look(api, Pod)

    headers = [headers for _, _, headers in api.asked]
    assert all(h["User-Agent"].startswith("kubegap") and h["Accept-Encoding"] == "gzip" for h in headers)
    assert all(h["Authorization"] == "Bearer t" for h in headers)


def test_at_most_two_requests_at_once(api):
    def slow(_handler, _count):
        time.sleep(0.05)
        return False

    for path in ALLOWED:
        api.on(path, slow)
    look(api, Pod, Namespace, EndpointSlice, ValidatingWebhookConfiguration)

    assert api.most_in_flight == 2


def test_the_time_is_the_servers(api):
    source = look(api, Pod).source

    assert (source.read_at, source.read_at_from) == (datetime(2026, 11, 30, 8, tzinfo=UTC), ReadAtFrom.SERVER)
    assert DATE.startswith("Mon, 30 Nov 2026")


def test_a_given_time_overrules(api):
    given = datetime(2026, 12, 1, tzinfo=UTC)

    assert look(api, Pod, read_at=given).source.read_at == given


FORBIDDEN = [
    "/api/v1/secrets",
    "/api/v1/configmaps",
    "/api/v1/pods/",
    "/api/v1/namespaces/a/pods/b/log",
    "/api/v1/nodes/n/proxy/metrics",
    "/metrics/slis",
    "/debug/pprof/heap",
]


@pytest.mark.parametrize("path", FORBIDDEN)
def test_the_door_knows_no_other_path(api, path):
    door = Door(Access(api.url, (), None), QUICK, threading.Event())

    with pytest.raises(ValueError, match="does not ask"):
        door.get(path)
    with pytest.raises(ValueError, match="does not ask"):
        door.get(PODS, {"watch": 1})


def test_a_list_whose_place_expired_is_read_again_and_says_so(api):
    api.add(Pod, *map(pod, range(35)))
    api.on(PODS, lambda _handler, count: api.forget_tokens() if count == 3 else False)

    snapshot = look(api, Pod)

    assert len(snapshot.of(Pod)) == 35
    assert coverage(snapshot, Pod).state is ReadState.READ
    assert "410" in snapshot.source.notes[0].en


def test_a_place_that_expires_again_leaves_the_list_half_read(api):
    api.add(Pod, *map(pod, range(35)))
    api.on(PODS, lambda _handler, count: api.forget_tokens() if count % 2 == 0 else False)

    snapshot = look(api, Pod)

    assert coverage(snapshot, Pod).state is ReadState.HALF_READ
    assert len(snapshot.of(Pod)) == 10


def test_429_is_waited_for_as_asked(api):
    api.add(Pod, pod(1))
    api.on(PODS, lambda h, count: count < 3 and status(h, 429, "busy", headers={"Retry-After": "0"}))

    assert look(api, Pod).has(Pod)


def test_a_storm_of_429_ends_in_not_seen(api):
    api.on(PODS, lambda h, _count: status(h, 429, "busy"))

    snapshot = look(api, Pod, Namespace)

    assert coverage(snapshot, Pod).state is ReadState.TIMED_OUT
    assert snapshot.has(Namespace)
    assert api.paths_asked().count(PODS) == QUICK.attempts


def test_a_wait_that_is_longer_than_the_run_is_not_begun(api):
    api.on(PODS, lambda h, _count: status(h, 429, "busy", headers={"Retry-After": "3600"}))
    start = time.monotonic()

    assert coverage(look(api, Pod), Pod).state is ReadState.TIMED_OUT
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("code", [500, 502, 503, 504])
def test_5xx_is_tried_again_and_then_given_up(api, code):
    api.on(PODS, lambda h, count: count < 2 and send(h, code, b"no", content_type="text/plain"))
    api.on(NAMESPACES, lambda h, _count: send(h, code, b"no", content_type="text/plain"))

    snapshot = look(api, Pod, Namespace)

    assert snapshot.has(Pod)
    assert str(code) in coverage(snapshot, Namespace).reason.en


def cut(handler, _count):
    send(handler, 200, b'{"kind": "PodList", "items": [', {"Content-Length": "5000"})
    return close(handler)


def close(handler):
    handler.close_connection = True
    return True


def test_a_body_that_is_cut_off_is_no_list(api):
    api.on(PODS, cut)

    snapshot = look(api, Pod)

    assert coverage(snapshot, Pod).state is ReadState.HALF_READ


def test_a_body_that_trickles_ends_at_its_deadline(api):
    def trickle(handler, _count):
        handler.send_response_only(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        for _ in range(50):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
        return close(handler)

    api.on(PODS, trickle)
    start = time.monotonic()
    snapshot = look(api, Pod, limits=Limits(request_seconds=0.5, run_seconds=3, attempts=2))

    assert coverage(snapshot, Pod).state is ReadState.TIMED_OUT
    assert time.monotonic() - start < 2


def test_a_run_ends_at_its_deadline(api):
    def sleepy(_handler, _count):
        time.sleep(0.4)
        return False

    for kind in (Pod, Namespace, EndpointSlice):
        api.on(list_path(kind.resource), sleepy)
    snapshot = look(api, Pod, Namespace, EndpointSlice, limits=Limits(run_seconds=0.3, attempts=2))

    assert {part.state for part in snapshot.coverage.values()} == {ReadState.TIMED_OUT}


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<html>log in</html>", "text/html"),
        (b"<html>log in</html>", "application/json"),
        (b'{"kind": "Status", "status": "Success"}', "application/json"),
        (b'{"kind": "PodList", "items": {"a": 1}}', "application/json"),
        (b"[1, 2]", "application/json"),
        (b'{"kind": "PodList", "items": [' + b"[" * 100_000, "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"", "application/json"),
        (b"null", "application/json"),
    ],
)
def test_a_body_that_is_no_list_is_no_empty_list(api, body, content_type):
    api.on(PODS, lambda h, _count: send(h, 200, body, content_type=content_type))

    snapshot = look(api, Pod)

    assert coverage(snapshot, Pod).state is ReadState.HALF_READ
    assert coverage(snapshot, Pod).reason


def test_broken_gzip_is_no_list(api):
    bad = gzip.compress(b"x" * 2000)[:-20] + b"garbage"
    api.on(PODS, lambda h, _count: send(h, 200, bad, {"Content-Encoding": "gzip", "Content-Length": str(len(bad))}))

    assert coverage(look(api, Pod), Pod).state is ReadState.HALF_READ


def test_a_page_beyond_all_measure_is_not_kept(api):
    bomb = gzip.compress(b" " * 5_000_000)
    api.on(PODS, lambda h, _count: send(h, 200, bomb, {"Content-Encoding": "gzip", "Content-Length": str(len(bomb))}))

    snapshot = look(api, Pod, limits=Limits(page_bytes=1_000_000, attempts=2))

    assert "larger" in coverage(snapshot, Pod).reason.en


def test_one_odd_object_does_not_lose_its_page(api):
    api.add(Pod, pod(1), {"metadata": {"name": "odd", "namespace": "shop", "labels": {"a": 1}}}, pod(2))

    snapshot = look(api, Pod)

    assert [thing.name for thing in snapshot.of(Pod)] == ["pod-1", "pod-2"]
    assert coverage(snapshot, Pod).state is ReadState.HALF_READ
    assert snapshot.unread[0].place == "Pod/odd"


def test_null_items_are_an_empty_list(api):
    api.on(PODS, lambda h, _count: send(h, 200, {**page(Pod.resource, []), "items": None}))

    assert look(api, Pod).has(Pod)


def test_an_endless_list_is_left(api):
    body = page(Pod.resource, [pod(1)])
    api.on(PODS, lambda h, count: send(h, 200, {**body, "metadata": {"continue": f"t{count}"}}))
    api.on(NAMESPACES, lambda h, _count: send(h, 200, {**page(Namespace.resource, []), "metadata": {"continue": "t"}}))

    snapshot = look(api, Pod, Namespace)

    assert coverage(snapshot, Pod).state is coverage(snapshot, Namespace).state is ReadState.HALF_READ
    assert len(api.asked) < 15


def test_a_refusal_names_who_was_refused(api):
    api.on(PODS, refuse)

    part = coverage(look(api, Pod), Pod)

    assert part.state is ReadState.REFUSED
    assert "`eve`" in part.reason.en
    assert "`eve`" in part.reason.ko
    assert part.resource.grant == "get, list pods"


def test_discovery_that_is_refused_is_done_without(api):
    for path in ("/version", "/api", "/apis"):
        api.on(path, refuse)

    snapshot = look(api, Pod, EndpointSlice)

    assert snapshot.has(Pod)
    assert snapshot.has(EndpointSlice)
    assert snapshot.source.version is None


@pytest.mark.parametrize("aggregated", [True, False])
def test_a_kind_that_is_not_served_is_known_not_to_exist(aggregated):
    with FakeApi(aggregated=aggregated).running() as api:
        api.missing.add(list_path(EndpointSlice.resource))
        snapshot = look(api, Pod, EndpointSlice)

    assert coverage(snapshot, EndpointSlice).state is ReadState.NOT_SERVED
    assert snapshot.has(EndpointSlice)
    assert list_path(EndpointSlice.resource) not in api.paths_asked()


def test_a_kind_in_another_version_only_is_not_taken_for_none(api):
    group = {
        "metadata": {"name": "discovery.k8s.io"},
        "versions": [{"version": "v1beta1", "resources": [{"resource": "endpointslices"}]}],
    }
    api.on("/apis", lambda h, _count: send(h, 200, {"kind": "APIGroupDiscoveryList", "items": [group]}))

    part = coverage(look(api, EndpointSlice), EndpointSlice)

    assert part.state is ReadState.HALF_READ
    assert "v1beta1" in part.reason.en


def test_an_aggregated_api_that_is_down_is_not_taken_for_none(api):
    api.stale.add("discovery.k8s.io")

    part = coverage(look(api, EndpointSlice), EndpointSlice)

    assert part.state is ReadState.HALF_READ
    assert "does not answer" in part.reason.en


def test_no_redirect_is_followed(api):
    with FakeApi().running() as other:
        api.on(PODS, lambda h, _count: send(h, 302, b"", {"Location": f"{other.url}{PODS}"}))
        part = coverage(look(api, Pod), Pod)

    assert part.state is ReadState.HALF_READ
    assert "is not followed" in part.reason.en
    assert other.asked == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda h, _count: status(h, 401, "Unauthorized"), "401"),
        (lambda h, _count: send(h, 200, b"<html>", content_type="text/html"), "no Kubernetes API server"),
        (lambda h, _count: send(h, 302, b"", {"Location": "https://login.example"}), "login.example"),
        (lambda h, _count: send(h, 503, b""), "503"),
    ],
)
def test_a_door_that_is_shut_is_one_line(api, answer, words):
    api.on("/version", answer)

    with pytest.raises(Unreachable) as caught:
        look(api, Pod)

    assert words in caught.value.message.en
    assert words in caught.value.message.ko or "no Kubernetes" in words


def test_nobody_at_the_address_is_one_line():
    with pytest.raises(Unreachable, match="cannot be reached"):
        collect(Access("http://127.0.0.1:1", (), None), [Pod.resource.path], QUICK)


def test_ctrl_c_keeps_what_was_seen(api):
    api.add(Pod, *map(pod, range(35)))
    api.on(PODS, lambda _h, count: time.sleep(5) if count > 2 else False)

    def stop(progress):
        if progress.total >= 20:
            raise KeyboardInterrupt

    start = time.monotonic()
    snapshot = look(api, Pod, Namespace, limits=Limits(page=10), on_progress=stop)

    assert time.monotonic() - start < 3
    assert len(snapshot.of(Pod)) == 20
    assert "Ctrl-C" in coverage(snapshot, Pod).reason.en


def test_progress_tells_kind_objects_and_seconds(api):
    api.add(Pod, *map(pod, range(5)))
    seen = []

    look(api, Pod, on_progress=seen.append)

    assert seen[-1].name == "Pod"
    assert seen[-1].total == 5


def test_what_was_not_read_is_never_clear(api):
    api.on(list_path(Namespace.resource), refuse)
    pages = read_pages()
    chosen = [pages["webhook-fail-closed-wide"]]
    webhook = {"name": "a.b.c", "failurePolicy": "Ignore", "clientConfig": {"url": "https://x"}}
    api.add(ValidatingWebhookConfiguration, {"metadata": {"name": "x"}, "webhooks": [webhook]})
    kinds = {path for check in chosen for path in check.paths}

    report = run(collect(Access(api.url, (), None), kinds, QUICK), chosen)

    assert report.results[0].state is State.NOT_SEEN
    assert report.results[0].grant == "get, list namespaces"


def test_annotations_that_no_check_reads_are_not_kept(api):
    last = "kubectl.kubernetes.io/last-applied-configuration"
    api.add(Pod, {"metadata": {"name": "a", "annotations": {last: json.dumps(pod(1)), "accept.kubegap.io/x": "why"}}})

    assert dict(look(api, Pod).of(Pod)[0].annotations) == {"accept.kubegap.io/x": "why"}


def test_discovery_that_answers_something_else_is_not_taken_for_none(api):
    api.aggregated = False
    api.on("/api/v1", lambda h, _count: send(h, 200, {"kind": "PodList", "items": []}))
    api.add(Pod, pod(1))

    assert len(look(api, Pod).of(Pod)) == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"metadata": {"name": "odd"}, "webhooks": [{"name": "w", "failurePolicy": "Maybe"}]},
        {"metadata": {"name": "odd", "creationTimestamp": "yesterday"}},
        {"metadata": {"name": "odd", "labels": ["a"]}},
        {"metadata": {"name": "odd"}, "webhooks": [{"name": "w", "rules": "all"}]},
    ],
)
def test_values_that_nobody_foresaw_are_named_and_not_passed(api, odd):
    api.add(ValidatingWebhookConfiguration, odd, {"metadata": {"name": "good"}})

    snapshot = look(api, ValidatingWebhookConfiguration)

    assert [thing.name for thing in snapshot.of(ValidatingWebhookConfiguration)] == ["good"]
    assert coverage(snapshot, ValidatingWebhookConfiguration).state is ReadState.HALF_READ
    assert "odd" in coverage(snapshot, ValidatingWebhookConfiguration).reason.en
