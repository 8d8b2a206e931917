"""Whom the API server asks: webhooks and conversions, the Services behind them, and how many answer there."""

import pytest
from tests.cluster.test_surroundings import wide
from tests.cluster.test_templates import decode, pod, thing

from kubegap.cluster.hooks import callees, evidence, hooks, versions_in_use
from kubegap.cluster.kinds.extension import CustomResourceDefinition

REFERENCE = {"service": {"namespace": "a", "name": "front"}}
SERVICE = thing("v1", "Service", "front", {"selector": {"app": "d"}, "ports": [{"port": 443}]})


def webhooks(*hooks_):
    return wide("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "v", webhooks=list(hooks_))


def webhook(group="", policy="Fail", **more):
    rule = {"operations": ["*"], "apiGroups": [group], "apiVersions": ["*"], "resources": ["*"]}
    return {"name": "w", "rules": [rule], "failurePolicy": policy, "clientConfig": REFERENCE, **more}


def definition(*versions, stored=(), strategy="Webhook"):
    spec = {
        "conversion": {"strategy": strategy, "webhook": {"clientConfig": REFERENCE}},
        "versions": [{"name": name, "served": served} for name, served in versions],
    }
    name = "customresourcedefinitions"
    return wide("apiextensions.k8s.io/v1", "CustomResourceDefinition", name, spec, status={"storedVersions": [*stored]})


@pytest.mark.parametrize(
    ("group", "is_built_in"),
    [("", True), ("apps", True), ("*", True), ("networking.k8s.io", True), ("kueue.x-k8s.io", False), ("a.com", False)],
)
def test_what_a_webhook_is_about(group, is_built_in):
    [hook] = hooks(decode(webhooks(webhook(group))))

    assert (hook.is_about_built_in, hook.path, hook.port) == (is_built_in, "webhooks[0]", 443)


def test_a_conversion_never_fails_open():
    hook, open_ = hooks(decode(definition(("v1", True)), webhooks(webhook(policy="Ignore"))))[::-1]

    assert (hook.is_conversion, hook.fails_closed, hook.is_about_built_in) == (True, True, False)
    assert (open_.is_conversion, open_.fails_closed) == (False, False)
    assert hooks(decode(definition(("v1", True), strategy="None"))) == []


@pytest.mark.parametrize(
    ("versions", "stored", "used"),
    [
        ([("v1", True)], ["v1"], {"v1"}),
        ([("v1", True), ("v1beta1", False)], ["v1"], {"v1"}),
        ([("v1", True), ("v1beta1", True)], ["v1"], {"v1", "v1beta1"}),
        ([("v1", True), ("v1beta1", False)], ["v1beta1", "v1"], {"v1", "v1beta1"}),
    ],
)
def test_versions_that_are_served_or_stored(versions, stored, used):
    [found] = decode(definition(*versions, stored=stored)).of(CustomResourceDefinition)

    assert versions_in_use(found) == used


def callee_of(*objects):
    snapshot = decode(webhooks(webhook(), {**webhook(), "clientConfig": {"url": "https://x"}}), *objects)
    [found] = callees(snapshot, hooks(snapshot))
    return found


def endpoints(*names):
    found = [{"addresses": [name], "targetRef": {"kind": "Pod", "name": name}} for name in names]
    slice_ = {**thing("discovery.k8s.io/v1", "EndpointSlice", "front-x"), "endpoints": found}
    slice_["metadata"]["labels"] = {"kubernetes.io/service-name": "front"}
    return slice_


def test_a_service_that_is_missing_or_whose_endpoints_were_not_read_has_no_number():
    assert (callee_of().service, callee_of().ready) == (None, None)
    assert callee_of(SERVICE).ready is None
    assert callee_of(SERVICE, endpoints("p", "q")).ready == 2
    assert (callee_of(SERVICE).ports, callee_of(SERVICE).asked_ports) == ([443], [443])


def test_evidence_says_who_calls_and_what_is_there():
    seen = {one.path: one.value for one in evidence(callee_of(SERVICE, endpoints()))}

    assert seen == {
        "webhooks[0].clientConfig.service": "a/front:443",
        "webhooks[0].failurePolicy": "Fail",
        "ready-endpoints": "0",
    }


def test_ports_are_told_where_one_is_missing():
    elsewhere = {"service": {**REFERENCE["service"], "port": 8443}}
    snapshot = decode(webhooks({**webhook(), "clientConfig": elsewhere}), SERVICE)
    [found] = callees(snapshot, hooks(snapshot))
    told = next(evidence(found))

    assert not found.has_ports
    assert (told.path, told.value, told.expected) == ("spec.ports", "443", "8443")
    assert next(evidence(callee_of())).object == "Service/a/front"


def test_pods_that_go_are_none_of_its_pods():
    gone = pod("p", labels={"app": "d"})
    gone["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"

    assert [one.name for one in callee_of(SERVICE, gone, pod("q", labels={"app": "d"})).pods] == ["q"]
