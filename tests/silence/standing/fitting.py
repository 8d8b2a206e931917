"""Whether a pod may run on a node: selectors, required affinity and taints."""

from __future__ import annotations

from tests.silence.objects import Thing


def may_run(spec: Thing, node: Thing) -> bool:
    labels = {**node["metadata"]["labels"], "metadata.name": node["metadata"]["name"]}
    terms = spec.get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {})
    is_picked = not terms or any(
        all(_holds(part, labels) for part in term["matchExpressions"]) for term in terms["nodeSelectorTerms"]
    )
    is_wanted = spec.get("nodeSelector", {}).items() <= labels.items()
    taints = [taint for taint in node["spec"].get("taints", []) if taint["effect"] != "PreferNoSchedule"]
    is_tolerated = all(any(_tolerates(each, taint) for each in spec.get("tolerations", [])) for taint in taints)
    return is_picked and is_wanted and is_tolerated and (not node["spec"].get("unschedulable"))


def _holds(part: Thing, labels: Thing) -> bool:
    has, value = part["key"] in labels, labels.get(part["key"])
    values = part.get("values", [])
    return {"In": value in values, "NotIn": value not in values, "Exists": has, "DoesNotExist": not has}[
        part["operator"]
    ]


def _tolerates(toleration: Thing, taint: Thing) -> bool:
    if toleration.get("effect") not in {None, taint["effect"]} or toleration.get("key") not in {None, taint["key"]}:
        return False
    return toleration.get("operator") == "Exists" or toleration.get("value", "") == taint.get("value", "")
