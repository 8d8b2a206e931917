"""What may not be read is never clean, kind by kind, and what a cluster does not have is nobody's fault."""

import json

import pytest

from kubegap.checks.pages import read_pages
from kubegap.cli.main import run
from kubegap.cluster.resources import RESOURCES, name_of
from tests.control_plane.asking import states
from tests.control_plane.plane import OWN, USERS
from tests.control_plane.world import GAPS

PAGES = read_pages()
READ = {path for page in PAGES.values() for path in page.paths}
BY_PLURAL = {}
for _path in sorted(READ):
    BY_PLURAL.setdefault(RESOURCES[_path].resource.plural, []).append(_path)
# One group of the custom kinds that no test installs.
ABSENT = {"InferenceService", "HTTPRoute"}


@pytest.fixture
def check(kubegap, monkeypatch, capfdbinary):
    """The same command line as everywhere, within this process: once for each kind a process of its own would take minutes."""

    def ask(user, *arguments):
        for name, value in kubegap.environment(user).items():
            monkeypatch.setenv(name, value)
        code = run(["check", "--format", "json", *arguments], kubegap.environment(user), {})
        return code, json.loads(capfdbinary.readouterr().out)

    return ask


def test_there_is_a_user_who_lacks_each_kind_that_a_check_reads():
    assert {f"lacks-{plural}" for plural in BY_PLURAL} <= set(USERS)


@pytest.mark.parametrize("plural", BY_PLURAL)
def test_a_kind_that_is_refused_is_not_seen_and_its_rule_is_named(check, plural):
    # No finding lies in this namespace, so that only what was not seen decides.
    code, report = check(f"lacks-{plural}", "--namespace", "kube-public")

    kinds = {kind["kind"]: kind for kind in report["coverage"]["kinds"]}
    lacked = [path for path in BY_PLURAL[plural] if kinds[name_of(RESOURCES[path].resource)]["state"] != "not-served"]
    for path in lacked:
        told = kinds[name_of(RESOURCES[path].resource)]
        assert told["state"] == "refused"
        assert f"`lacks-{plural}`" in told["reason"]["en"]
    for name in _needing(lacked):
        assert states(report)[name] == "not-seen"
        grant = next(one["grant"] for one in report["checks"] if one["check"] == name)
        assert any(RESOURCES[path].resource.grant in grant for path in lacked)
    assert code == (3 if "not-seen" in states(report).values() else 0)


def _needing(lacked):
    """Checks that can't do without one of these kinds."""
    return {
        name
        for name, page in PAGES.items()
        for read in page.reads
        if not read.optional and not set(read.paths).isdisjoint(lacked)
    }


def test_kinds_that_the_cluster_does_not_have_are_not_missed(live):
    absent = {kind["kind"]: kind["state"] for kind in live["coverage"]["kinds"] if kind["kind"] in ABSENT}

    assert set(absent.values()) <= {"not-served"}
    assert "InferenceService" in absent
    assert "not-seen" not in states(live).values()


def test_on_a_bare_cluster_no_custom_kind_is_missed(bare):
    own = {name_of(kind.resource) for kind in OWN.values()}
    served = {kind["kind"]: kind["state"] for kind in bare["coverage"]["kinds"]}

    assert {state for kind, state in served.items() if kind not in own} == {"not-served"}
    assert {state for kind, state in served.items() if kind in own} == {"read"}
    assert not {"not-seen", "not-in-this-input"} & set(states(bare).values())
    assert {check for check, _ in GAPS} >= {one["check"] for one in bare["findings"]}
