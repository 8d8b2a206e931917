"""`kubegap check` and `snapshot save` on a live cluster, as processes."""

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import yaml

from kubegap.cluster.objects import Namespace, Node, ValidatingWebhookConfiguration
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.transport import list_path
from tests.cluster.fake_api import FakeApi, status

ROOT = Path(__file__).parent.parent.parent
GATE = {
    "metadata": {"name": "gate", "annotations": {"note": "canary-annotation"}},
    "webhooks": [
        {
            "name": "gate.example.com",
            "failurePolicy": "Fail",
            "clientConfig": {"url": "https://gate.example", "caBundle": "canary-bundle"},
            "rules": [
                {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"], "scope": "*"}
            ],
        }
    ],
}


class Cluster:
    """A fake cluster with one gap in it, and kubegap looking at it."""

    def __init__(self, api, folder, library):
        self.api, self.folder, self.library = api, folder, library
        api.add(ValidatingWebhookConfiguration, GATE)
        api.add(Namespace, *({"metadata": {"name": name, "uid": name}} for name in ("kube-system", "shop")))
        api.add(Node, {"metadata": {"name": "n1"}})
        context = {"cluster": "c", "user": "u"}
        content = {
            "current-context": "here",
            "contexts": [{"name": "here", "context": context}, {"name": "there", "context": context}],
            "clusters": [{"name": "c", "cluster": {"server": api.url}}],
            "users": [{"name": "u", "user": {"token": "canary-token"}}],
        }
        (folder / "config").write_text(yaml.safe_dump(content))

    def run(self, *arguments):
        process = self.start(*arguments)
        output, errors = process.communicate()
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def start(self, *arguments):
        own = {"LC_ALL": "en_US.UTF-8", "COLUMNS": "100", "KUBEGAP_LIBRARY": str(self.library)}
        where = {"KUBECONFIG": str(self.folder / "config"), "HOME": str(self.folder)}
        return subprocess.Popen(
            [sys.executable, "-m", "kubegap", *arguments],
            cwd=ROOT,
            env={**os.environ, **own, **where},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A suite that runs in the background of a shell is deaf to Ctrl-C, and so would be what it starts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509, no threads hold locks here
        )


@pytest.fixture
def cluster(tmp_path, library_dir):
    with FakeApi().running() as api:
        yield Cluster(api, tmp_path, library_dir)


def report(answer):
    return json.loads(answer.stdout)


def refuse_all(api):
    for path in [*map(list_path, (kind.resource for kind in RESOURCES.values())), "/version", "/api", "/apis"]:
        api.on(path, lambda h, _count: status(h, 403, 'x is forbidden: User "nobody" cannot list', "Forbidden"))


def test_the_current_context_is_looked_at_by_default(cluster):
    answer = cluster.run("check", "--format", "json")

    assert answer.returncode == 1
    assert "webhook-fail-closed-wide" in {finding["check"] for finding in report(answer)["findings"]}
    about = report(answer)["cluster"]
    assert (about["name"], about["context"], about["uid"]) == ("c", "here", "kube-system")
    assert (about["version"], about["read_at_from"]) == ("v1.37.2", "server")
    assert report(answer)["coverage"]["requests"] == len(cluster.api.asked)
    assert answer.stderr == b""


def test_only_what_the_chosen_checks_read_is_read(cluster):
    cluster.run("check", "--select", "webhook-fail-closed-wide")

    assert {method for method, _, _ in cluster.api.asked} == {"GET"}
    assert "/api/v1/persistentvolumes" not in cluster.api.paths_asked()


def test_live_and_saved_find_the_same(cluster):
    path = str(cluster.folder / "cluster.snapshot")

    live = report(cluster.run("check", "--format", "json"))
    written = cluster.run("snapshot", "save", path)
    saved = report(cluster.run("check", "--snapshot", path, "--format", "json"))

    assert written.returncode == 0
    assert live["findings"] == saved["findings"]
    assert live["checks"] == saved["checks"]
    assert live["coverage"]["kinds"] == saved["coverage"]["kinds"]


def test_nothing_that_was_planted_appears_anywhere(cluster):
    path = cluster.folder / "cluster.snapshot"
    answers = [
        cluster.run("check"),
        cluster.run("check", "--verbose"),
        cluster.run("check", "--format", "json"),
        cluster.run("snapshot", "save", str(path)),
        cluster.run("check", "--snapshot", str(path)),
    ]

    # What died before it said anything would be free of them too.
    assert [answer.returncode for answer in answers] == [1, 1, 1, 0, 1]
    said = [part for answer in answers for part in (answer.stdout, answer.stderr)]
    said.append(gzip.decompress(path.read_bytes()))
    assert [part for part in said if b"canary" in part] == []


def test_a_kind_that_is_refused_is_not_seen_with_its_rule(cluster):
    cluster.api.objects[list_path(ValidatingWebhookConfiguration.resource)].clear()
    cluster.api.on("/api/v1/nodes", lambda h, _count: status(h, 403, 'User "eve" cannot list', "Forbidden"))

    answer = cluster.run("check", "--select", "webhook-fail-closed-wide")

    assert answer.returncode == 3
    assert b"not seen" in answer.stdout
    assert b"needs: get, list nodes" in answer.stdout


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_nobody_gets_one_page_of_what_to_grant(cluster, lang):
    refuse_all(cluster.api)

    answer = cluster.run("check", "--lang", lang)
    text = answer.stdout.decode()

    assert answer.returncode == 3
    assert "`nobody`" in text
    role = yaml.safe_load(text[text.index("apiVersion") :])
    assert {verb for rule in role["rules"] for verb in rule["verbs"]} == {"get", "list"}
    assert any("pods" in rule["resources"] for rule in role["rules"])
    assert answer.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--context", "here", "--context", "there"], "for c in"),
        (["check", "--context", "heer"], "did you mean `here`"),
        (["check", "--kubeconfig", "/no/such"], "Cannot read the kubeconfig"),
        (["check", "--context", "here", "-f", "-"], "Use one of"),
        (["check", "--snapshot", "x", "-f", "-"], "Use one of"),
        (["check", "--snapshot", "/no/such"], "Cannot read /no/such"),
    ],
)
def test_trouble_is_one_line_and_exit_code_2(cluster, arguments, words):
    answer = cluster.run(*arguments)

    assert answer.returncode == 2
    assert words in answer.stderr.decode()
    assert answer.stderr.count(b"\n") == 1
    assert cluster.api.asked == []


def test_ctrl_c_reports_what_was_seen(cluster):
    asked, reported = threading.Event(), threading.Event()

    def slow(_handler, _count):
        asked.set()
        reported.wait(60)
        return False

    cluster.api.on("/api/v1/pods", slow)
    process = cluster.start("check", "--format", "json")
    assert asked.wait(20)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    # The server holds its answer back until the report is there.
    output, errors = process.communicate(timeout=50)
    reported.set()
    answer = json.loads(output)

    assert process.returncode == 1
    assert answer["coverage"]["partial"]
    assert {kind["kind"]: kind["state"] for kind in answer["coverage"]["kinds"]}["Pod"] == "half-read"
    assert answer["findings"]
    assert errors == b""


def test_a_snapshot_that_lacks_a_kind_is_saved_and_says_so(cluster):
    cluster.api.on("/api/v1/nodes", lambda h, _count: status(h, 403, "no", "Forbidden"))

    answer = cluster.run("snapshot", "save", str(cluster.folder / "s"))

    assert answer.returncode == 3
    assert b"not read: Node" in answer.stderr
    assert (cluster.folder / "s").exists()


def test_a_baseline_knows_its_cluster_whatever_the_checks_read(cluster, tmp_path):
    path = tmp_path / "known.yaml"
    chosen = ("check", "--select", "gpu-allocatable-gap")
    cluster.run(*chosen, "--write-baseline", path)

    assert 'cluster: "kube-system"' in path.read_text(encoding="utf-8")
    assert b"another cluster" not in cluster.run(*chosen, "--baseline", path).stderr

    path.write_text(path.read_text(encoding="utf-8").replace('"kube-system"', "other"), encoding="utf-8")
    answer = cluster.run(*chosen, "--baseline", path)

    assert (answer.returncode, answer.stdout) == (2, b"")
    assert b"another cluster" in answer.stderr


def test_without_the_right_to_namespaces_nobody_knows_whether_one_exists(cluster):
    cluster.api.on("/api/v1/namespaces", lambda h, _count: status(h, 403, 'User "eve" cannot list', "Forbidden"))

    answer = cluster.run("check", "--namespace", "shop")

    assert answer.returncode == 3
    assert b"Namespaces could not be read, so whether there is `shop` is not known." in answer.stderr


def test_without_the_right_to_namespaces_no_baseline_is_told_apart(cluster, tmp_path):
    path = tmp_path / "known.yaml"
    path.write_text("version: 1\ncluster: kube-system\nfindings: []\n", encoding="utf-8")
    cluster.api.on("/api/v1/namespaces", lambda h, _count: status(h, 403, 'User "eve" cannot list', "Forbidden"))
    answer = cluster.run("check", "--baseline", path)

    assert answer.returncode == 2
    assert b"get, list namespaces" in answer.stderr
