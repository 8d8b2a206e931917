"""The role that lets kubegap see what it was refused, ready to apply."""

from __future__ import annotations

from collections.abc import Iterable

from kubegap.checks.run import Report
from kubegap.cluster.objects import METRICS, Resource
from kubegap.cluster.snapshot import ReadState
from kubegap.report.lines import escaped, wrapped
from kubegap.text import Lang, Text

NAME = "kubegap-reader"


def is_all_refused(report: Report) -> bool:
    """Whether the API server refused every kind that it has: then a report says nothing, and a role is what is needed."""
    states = {kind.state for kind in report.coverage()} - {ReadState.NOT_SERVED}
    return states == {ReadState.REFUSED}


def page(report: Report, lang: Lang, width: int) -> str:
    """One page for a user who may read nothing: why, and the role to apply."""
    refused = [kind for kind in report.coverage() if kind.state is ReadState.REFUSED]
    reason = next(kind.reason for kind in refused if kind.reason)
    lines = [
        *wrapped(escaped(_NOTHING.fill(reason=reason).of(lang)), width, ""),
        *wrapped(_APPLY.fill(name=NAME).of(lang), width, ""),
        "",
        role(kind.resource for kind in refused),
    ]
    return "\n".join(lines)


def role(resources: Iterable[Resource], name: str = NAME) -> str:
    """A ClusterRole in YAML with one rule for each API group, and one for the server's metrics: read, and nothing else."""
    groups: dict[str, list[str]] = {}
    wanted = sorted(resources)
    for resource in wanted:
        if not resource.is_metric:
            groups.setdefault(resource.group, []).append(resource.plural)
    rules = "".join(
        f'- apiGroups: ["{group}"]\n  resources: [{", ".join(plurals)}]\n  verbs: [get, list]\n'
        for group, plurals in groups.items()
    )
    rules += _METRICS_RULE if any(resource.is_metric for resource in wanted) else ""
    return f"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: {name}\nrules:\n{rules}"


_METRICS_RULE = f'- nonResourceURLs: ["{METRICS}"]\n  verbs: [get]\n'
_NOTHING = Text(
    ko="클러스터에 닿았지만 점검에 필요한 것을 하나도 읽을 수 없어 아무것도 점검하지 못했다: {reason}.",
    en="The cluster answers, but nothing that the checks need may be read, so nothing was checked: {reason}.",
)
_APPLY = Text(
    ko="아래 역할을 만들고 `kubectl create clusterrolebinding {name} --clusterrole={name} --user=<사용자>` 로 묶으세요."
    " 읽기 권한뿐입니다.",
    en="Apply this role, and bind it with `kubectl create clusterrolebinding {name} --clusterrole={name} --user=<user>`."
    " It only reads.",
)
