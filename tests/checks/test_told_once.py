"""What two checks can see is told by the one whose cure it needs."""

import pytest
from tests.checks.test_check_cases import PAGES, cluster_of

from kubegap.checks.run import run


def both(*checks):
    pages = [PAGES[check] for check in checks]
    return [pytest.param(pages, cluster_of(page, case), id=case.tells.en) for page in pages for case in page.cases]


def told(pages, cluster):
    return [{found.subject: found for found in result.findings} for result in run(cluster, pages).results]


@pytest.mark.parametrize(("pages", "cluster"), both("node-condition-bad", "stuck-terminating"))
def test_a_bad_node_is_told_twice_only_for_what_its_pods_hold(pages, cluster):
    bad, stuck = told(pages, cluster)

    for subject in bad.keys() & stuck.keys():
        assert {message.key for message in stuck[subject].messages} & {"volumes", "gpus", "node"}
    members = {name for found in bad.values() if found.messages[0].key == "stuck-pods" for name in found.members}
    assert not members & {subject.shown for subject in stuck}


@pytest.mark.parametrize(
    ("pages", "cluster"),
    [*both("node-headroom-low", "priority-class-gap"), *both("node-headroom-low", "gpu-rollout-needs-surge")],
)
def test_a_workload_that_waits_is_told_by_one_check(pages, cluster):
    waits, other = told(pages, cluster)

    telling = {"agent", "stuck"}
    assert not waits.keys() & {one for one, found in other.items() if found.messages[0].key in telling}
