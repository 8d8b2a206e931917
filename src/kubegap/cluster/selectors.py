"""Label selectors, exactly as Kubernetes reads them.

Source: `k8s.io/apimachinery` `pkg/apis/meta/v1/helpers.go` (`LabelSelectorAsSelector`) and `pkg/labels/selector.go`.
"""

from collections.abc import Iterator, Mapping

from kubegap.cluster.fields import LabelSelector, Requirement


def selects(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Whether a selector picks an object with these labels; an empty selector picks everything.

    In a webhook an absent selector is the empty one. The API server refuses a selector whose operator or values are
    wrong; should one be met all the same, the webhook fails every request, so it counts as picking.
    """
    return all(holds(requirement, labels) for requirement in requirements(selector))


def requirements(selector: LabelSelector | None) -> Iterator[Requirement]:
    """All expressions of a selector; `matchLabels` are expressions too."""
    if selector is None:
        return
    for key, value in (selector.match_labels or {}).items():
        yield Requirement(key, "In", [value])
    yield from selector.match_expressions or ()


def holds(requirement: Requirement, labels: Mapping[str, str]) -> bool:
    """Whether one expression is true of labels."""
    value, values = labels.get(requirement.key), requirement.values or []
    match requirement.operator:
        case "In":
            return value in values or not values
        case "NotIn":
            # A missing label is "not in" too.
            return value not in values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case _:
            return True


def written(selector: LabelSelector | None) -> str | None:
    """The selector as kubectl writes it: `team=a,tier notin (web),!legacy`; None when absent, empty when empty."""
    if selector is None:
        return None
    return ",".join(_written(requirement) for requirement in requirements(selector))


def exempting_labels(selector: LabelSelector | None) -> Iterator[tuple[str, str]]:
    """Labels of which each alone keeps an object from being picked, as (key, value); `*` is any value."""
    for requirement in requirements(selector):
        if requirement.operator == "NotIn" and requirement.values:
            yield requirement.key, "|".join(requirement.values)
        elif requirement.operator == "DoesNotExist":
            yield requirement.key, "*"


def _written(requirement: Requirement) -> str:
    key, values = requirement.key, requirement.values or []
    match requirement.operator:
        case "In" if len(values) == 1:
            return f"{key}={values[0]}"
        case "Exists":
            return key
        case "DoesNotExist":
            return f"!{key}"
        case operator:
            return f"{key} {operator.lower()} ({','.join(values)})"
