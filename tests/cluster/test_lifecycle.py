"""The table of API versions that go away, and which version an upgrade goes to."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec import structs
from scripts.api_lifecycle import VERSIONS, declarations

from kubegap.cluster import files, lifecycle
from kubegap.cluster.lifecycle import lifecycle_of, minor_of, server_minor, target_minor
from kubegap.cluster.snapshot import Minor

GENERATED = """
func (in *Widget) APILifecycleIntroduced() (major, minor int) {
	return 1, 8
}
func (in *Widget) APILifecycleDeprecated() (major, minor int) {
	return 1, 21
}
func (in *Widget) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
}
func (in *Widget) APILifecycleRemoved() (major, minor int) {
	return 1, 25
}
func (in *WidgetList) APILifecycleRemoved() (major, minor int) {
	return 1, 25
}
func (in *Staying) APILifecycleIntroduced() (major, minor int) {
	return 1, 8
}
func (in *AllowList) APILifecycleRemoved() (major, minor int) {
	return 1, 30
}
"""


def cluster(*kubelets, version=None, read_at=None):
    nodes = [f"{{apiVersion: v1, kind: Node, metadata: {{name: n{i}, uid: u}}, status: {{nodeInfo: {{kubeletVersion: {v}}}}}}}"
             for i, v in enumerate(kubelets)]  # fmt: skip
    found = files.decode([("case", "\n---\n".join(nodes or ["{apiVersion: v1, kind: Pod}"]).encode())])
    return structs.replace(found, source=structs.replace(found.source, version=version, read_at=read_at))


def test_the_script_reads_what_a_generated_file_declares():
    allowed, widget = declarations(GENERATED, "example.com", "v1beta1")

    assert (widget.kind, widget.deprecated, widget.removed) == ("Widget", "1.21", "1.25")
    assert widget.replacement.shown == "example.com/v1 Widget"
    # The list of a kind goes with the kind; what only sounds like one does not.
    assert (allowed.kind, allowed.removed, allowed.deprecated, allowed.replacement) == ("AllowList", "1.30", None, None)


def test_the_table_says_where_it_comes_from():
    assert lifecycle.table().sources == [f"k8s.io/api@{version}" for version in VERSIONS]
    assert datetime.fromisoformat(lifecycle.table().as_of)


@pytest.mark.parametrize(
    ("version", "name", "removed", "instead"),
    [
        ("extensions/v1beta1", "ingresses", "1.22", "networking.k8s.io/v1 Ingress"),
        ("policy/v1beta1", "podsecuritypolicies", "1.25", None),
        ("policy/v1beta1", "PodDisruptionBudget", "1.25", "policy/v1 PodDisruptionBudget"),
        ("autoscaling/v2beta2", "horizontalpodautoscalers", "1.26", "autoscaling/v2 HorizontalPodAutoscaler"),
        ("batch/v1beta1", "cronjobs", "1.25", "batch/v1 CronJob"),
        (
            "flowcontrol.apiserver.k8s.io/v1beta3",
            "flowschemas",
            "1.32",
            "flowcontrol.apiserver.k8s.io/v1 FlowSchema",
        ),
        ("resource.k8s.io/v1beta1", "deviceclasses", "1.38", None),
    ],
)
def test_removals_that_everybody_knows(version, name, removed, instead):
    known = lifecycle_of(version, name)

    assert str(known.removed_in) == removed
    assert (known.replacement.shown if known.replacement else None) == instead


def test_what_stays_is_not_in_the_table():
    assert lifecycle_of("apps/v1", "deployments") is None
    assert lifecycle_of("policy/v1beta1", "pods") is None


def test_a_table_older_than_a_year_is_old():
    as_of = datetime.fromisoformat(lifecycle.table().as_of).replace(tzinfo=UTC)

    assert not lifecycle.is_table_old(cluster(read_at=as_of + timedelta(days=365)))
    assert lifecycle.is_table_old(cluster(read_at=as_of + timedelta(days=366)))
    assert not lifecycle.is_table_old(cluster())


@pytest.mark.parametrize(
    ("version", "minor"),
    [
        ("v1.37.2", Minor(1, 37)),
        ("v1.33.5-gke.1080", Minor(1, 33)),
        ("1.9", Minor(1, 9)),
        ("v1.30+", Minor(1, 30)),
        ("", None),
        (None, None),
        ("latest", None),
    ],
)
def test_minors(version, minor):
    assert minor_of(version) == minor


def test_the_server_is_as_new_as_it_says_or_as_its_newest_kubelet():
    assert server_minor(cluster("v1.35.1", version="v1.37.2")) == Minor(1, 37)
    assert server_minor(cluster("v1.9.8", "v1.35.1")) == Minor(1, 35)
    assert server_minor(cluster()) is None


def test_the_target_is_the_next_minor_unless_the_user_says_another():
    assert str(target_minor(cluster(version="v1.37.2"))) == "1.38"
    assert target_minor(structs.replace(cluster(version="v1.37.2"), target_version=Minor(1, 40))) == Minor(1, 40)
    assert target_minor(cluster()) is None
