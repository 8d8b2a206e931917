"""Quantities, label selectors and schedules against the real API server: it says what it takes, and what it takes it for."""

import re
from fractions import Fraction
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kubegap.cluster.fields import LabelSelector, Requirement
from kubegap.cluster.quantities import BadQuantity, parse
from kubegap.cluster.schedules import longest_wait
from kubegap.cluster.selectors import requirements, selects, written

SETTINGS = settings(max_examples=300, deadline=None)
NAMESPACE = "rules"

SUFFIXES = [
    "",
    "n",
    "u",
    "m",
    "k",
    "M",
    "G",
    "T",
    "P",
    "E",
    "Ki",
    "Mi",
    "Gi",
    "Ti",
    "Pi",
    "Ei",
    "e3",
    "E-2",
    "e+1",
    "e-9",
]
# Suffixes that people write and Kubernetes does not know.
WRONG = ["K", "g", "kB", "MB", "Gib", "mi", "e", "e1.5", " ", "i", "\u0663", "%"]
NUMBERS = st.from_regex(r"[+-]?([0-9]{1,9}(\.[0-9]{0,11})?|\.[0-9]{1,11})", fullmatch=True)
QUANTITIES = (
    st.builds("{}{}".format, NUMBERS, st.sampled_from([*SUFFIXES, *WRONG]))
    # Exponents of three digits are refused here before they take time; Kubernetes takes it.
    | st.from_regex(r"[0-9+\-.eEimKn ]{1,6}", fullmatch=True).filter(
        lambda text: not re.search(r"[eE][+-]?\d{3}", text)
    )
    | st.builds("{}{}".format, st.sampled_from(["", "+", "-", ".", "-."]), st.sampled_from(SUFFIXES))
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(0, 1e6).map(lambda number: round(number, 3))
)


@pytest.fixture(scope="module")
def namespace(plane):
    plane.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    return f"/api/v1/namespaces/{NAMESPACE}"


@pytest.fixture(scope="module")
def taken(plane, namespace):
    """The value that the API server stores for a quantity; None where it refuses it. Nothing is really written."""

    def ask(quantity: object) -> Fraction | None:
        # Where a list of resources stands, the server would round up to thousandths.
        volume = {"name": "v", "emptyDir": {"sizeLimit": quantity}}
        spec = {"containers": [{"name": "c", "image": "i"}], "volumes": [volume]}
        body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
        status, answer = plane.answer("POST", f"{namespace}/pods?dryRun=All", body)
        if status == 201:
            return parse(answer["spec"]["volumes"][0]["emptyDir"]["sizeLimit"])
        # Below zero is well written, and no limit.
        is_negative = status == 422 and "sizeLimit" in answer["message"]
        assert is_negative or (status == 400 and "quantit" in answer["message"]), answer
        return parse(quantity) if is_negative and parse(quantity) < 0 else None

    return ask


def read(quantity):
    try:
        return parse(quantity)
    except BadQuantity:
        return None


@given(QUANTITIES)
@SETTINGS
def test_quantities_are_taken_for_the_same_or_refused_by_both(taken, quantity):
    assert read(quantity) == taken(quantity)


@pytest.mark.parametrize(
    "quantity",
    ["0.5", "100m", "1e3", "1E", "1Ei", "1.5Gi", "9223372036854775807", "8Ei", "1n", "0.1n", ".5", " 5. ", 0.5],
)
def test_well_known_ones(taken, quantity):
    assert read(quantity) == taken(quantity) is not None


# No day that some months lack, so that each schedule that can be read starts something.
FIELD = st.from_regex(r"(\*|\?|[0-9]{1,2}|[1-9]-[1-9])(/[0-9]{1,2})?(,[0-9]{1,2})?", fullmatch=True)
NAMED = FIELD | st.sampled_from(
    ["*", "jan", "JAN-mar", "mon", "Mon-FRI", "sun", "7", "6", "feb,dec", "monday", "fri-mon", "0-7", "1,,2"]
)
DAY = st.integers(0, 28).map(str) | st.sampled_from(["*", "1-7", "*/5", "L", "?"])
SCHEDULES = st.builds("{} {} {} {} {}".format, FIELD, FIELD, DAY, NAMED, NAMED) | st.sampled_from(
    [
        "@daily",
        "@hourly",
        "@every 1h30m",
        "@every 90s",
        "@every",
        "@never",
        "@Daily",
        "",
        "* * * *",
        "* * * * * *",
        " 0 0 * * * ",
        "0  0 * *\t*",
    ]
)


@pytest.mark.usefixtures("namespace")
@given(SCHEDULES)
@SETTINGS
def test_schedules_that_the_server_takes_are_read_and_no_others(plane, schedule):
    pods = {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}
    spec = {"schedule": schedule, "jobTemplate": {"spec": {"template": {"spec": pods}}}}
    body = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "c"}, "spec": spec}

    status, answer = plane.answer("POST", f"/apis/batch/v1/namespaces/{NAMESPACE}/cronjobs?dryRun=All", body)

    assert status == 201 or "spec.schedule" in answer["message"]
    assert (longest_wait(schedule) is not None) is (status == 201)


KEYS, VALUES = ["a", "b", "example.com/c"], ["", "x", "y", "x.y-z", "1", "True"]
LABELS = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES))
EXPRESSIONS = st.builds(
    Requirement,
    st.sampled_from(KEYS),
    st.sampled_from(["In", "NotIn"]),
    st.lists(st.sampled_from(VALUES), min_size=1, max_size=3, unique=True),
) | st.builds(Requirement, st.sampled_from(KEYS), st.sampled_from(["Exists", "DoesNotExist"]))
SELECTORS = st.builds(LabelSelector, st.none() | LABELS, st.none() | st.lists(EXPRESSIONS, max_size=3))


@pytest.fixture(scope="module")
def labelled(plane, namespace):
    """Objects with every label set of some, by name."""
    sets = [{}, *({key: value} for key in KEYS for value in VALUES)]
    sets += [{"a": one, "b": other} for one in VALUES for other in VALUES]
    sets += [{"a": value, "b": value, "example.com/c": "x"} for value in VALUES]
    named = {f"labelled-{number}": labels for number, labels in enumerate(sets)}
    for name, labels in named.items():
        thing = {"metadata": {"name": name, "labels": labels}, "spec": {"limits": []}}
        plane.request("POST", f"{namespace}/limitranges", thing)
    return named


@given(SELECTORS)
@SETTINGS
def test_selectors_pick_the_same_objects(plane, namespace, labelled, selector):
    found = plane.list(f"{namespace}/limitranges?labelSelector={quote(written(selector) or '')}")

    ours = {name for name, labels in labelled.items() if selects(selector, labels)}
    assert {thing["metadata"]["name"] for thing in found} & set(labelled) == ours


@pytest.mark.usefixtures("namespace")
@pytest.mark.parametrize(
    ("operator", "values"), [("In", []), ("NotIn", []), ("Exists", ["x"]), ("DoesNotExist", ["x"]), ("Is", ["x"])]
)
def test_the_server_keeps_no_selector_whose_operator_or_values_are_wrong(plane, operator, values):
    expression = {"key": "a", "operator": operator, "values": values}
    body = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "p"},
        "spec": {"maxUnavailable": 1, "selector": {"matchExpressions": [expression]}},
    }

    status, _ = plane.answer("POST", f"/apis/policy/v1/namespaces/{NAMESPACE}/poddisruptionbudgets?dryRun=All", body)

    assert status == 422
    assert list(requirements(LabelSelector(None, [Requirement("a", operator, values)])))
