"""The frozen JSON shape of `check`, field by field."""

import json

import msgspec

from kubegap.checks.model import Severity, State
from kubegap.checks.run import Cause
from kubegap.cluster.snapshot import Unread
from kubegap.report.formats.json import CheckReport, render, shape
from kubegap.report.view import View

SHAPE = {
    "cluster": {"name", "context", "uid", "server", "version", "provider", "read_at", "read_at_from", "target_version"},
    "coverage": {"partial", "kinds", "requests", "bytes", "seconds"},
    "summary": {"critical", "high", "medium", "low", "info"},
}
CHECK = {"check", "state"}
KIND = {"kind", "objects", "state"}
FINDING = {
    "id",
    "check",
    "severity",
    "confidence",
    "message",
    "subject",
    "members",
    "evidence",
    "incidents",
    "remediation",
}


def as_json(report):
    return json.loads(render(View(report, "en")))


def test_the_fields_are_those_of_the_design(report):
    data = as_json(report)

    assert list(data) == ["cluster", "coverage", "summary", "checks", "findings"]
    assert {name: set(data[name]) for name in SHAPE} == SHAPE
    assert {frozenset(check) for check in data["checks"]} == {frozenset(CHECK)}
    assert {frozenset(kind) for kind in data["coverage"]["kinds"]} == {frozenset(KIND)}
    assert {frozenset(finding) for finding in data["findings"]} == {frozenset(FINDING)}


def test_optional_fields_are_there_when_there_is_something_to_say(report_of):
    data = as_json(report_of((State.NOT_SEEN, [], Cause.REFUSED)))

    assert data["checks"] == [{"check": "check-0", "state": "not-seen", "reason": {"ko": "까닭", "en": "why"}}]


def test_values_of_the_sample(report):
    data = as_json(report)

    assert data["cluster"]["provider"] == "eks"
    assert data["cluster"]["read_at"] == "2026-11-29T04:11:09Z"
    assert data["cluster"]["read_at_from"] == "newest-object"
    assert data["summary"] == {"critical": 1, "high": 0, "medium": 1, "low": 0, "info": 0}
    assert data["coverage"]["partial"] is False
    assert {"kind": "Node", "objects": 3, "state": "read"} in data["coverage"]["kinds"]
    assert data["checks"] == [{"check": "webhook-fail-closed-wide", "state": "found"}]


def test_a_finding_of_the_sample(report):
    finding = as_json(report)["findings"][0]
    name = "gatekeeper-validating-webhook-configuration"

    assert finding["id"] == f"webhook-fail-closed-wide/ValidatingWebhookConfiguration/-/{name}"
    assert (finding["severity"], finding["confidence"]) == ("critical", "config")
    assert finding["subject"] == {
        "api_version": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "namespace": None,
        "name": name,
    }
    assert finding["members"] == ["validation.gatekeeper.sh"]
    assert finding["evidence"][0] == {
        "object": f"ValidatingWebhookConfiguration/{name}",
        "path": "webhooks[0].failurePolicy",
        "value": "Fail",
    }
    assert set(finding["message"]) == set(finding["remediation"]) == {"ko", "en"}


def test_findings_stand_worst_first_across_checks(report_of, finding_of):
    low, high = finding_of(Severity.LOW, "a"), finding_of(Severity.HIGH, "b")

    data = as_json(report_of((State.FOUND, [low], None), (State.FOUND, [high], None)))

    assert [finding["severity"] for finding in data["findings"]] == ["high", "low"]


def test_ids_hold_neither_uid_nor_message_and_are_all_different(report):
    ids = [finding["id"] for finding in as_json(report)["findings"]]

    assert len(set(ids)) == len(ids) == 2


def test_what_was_not_read_is_partial(report):
    broken = msgspec.structs.replace(report, snapshot=msgspec.structs.replace(report.snapshot, coverage={}))

    assert as_json(broken)["coverage"]["partial"] is True


def test_the_bytes_decode_into_the_types_that_define_them(report):
    view = View(report, "en")

    assert msgspec.json.decode(render(view), type=CheckReport) == shape(view)


def test_unread_pieces_do_not_change_the_shape(report):
    snapshot = msgspec.structs.replace(report.snapshot, unread=(Unread("x:1", "broken"),))

    assert set(as_json(msgspec.structs.replace(report, snapshot=snapshot))) == set(as_json(report))
