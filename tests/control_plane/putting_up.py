"""Puts declared clusters (`tests/silence`) up on a real control plane, where the real controllers make the rest."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from tests.control_plane.definitions import definitions
from tests.control_plane.plane import Plane, path_of, wait
from tests.silence.objects import Thing, resolve_holder

# One after the other; what is in none of them comes in between.
FIRST = (
    "Node",
    "Namespace",
    "PriorityClass",
    "DeviceClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "LimitRange",
    "ResourceQuota",
)
# Whose name is in it is known once it runs.
AFTERWARDS = ("Lease",)
# While these stand there, nothing that they ask for can be written: nobody answers behind their Services.
LAST = ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")
# An aggregated API that nobody answers makes discovery incomplete, and with it every other test.
LEFT_OUT = ("APIService",)


def put_up(plane: Plane, declared: list[Thing]) -> None:
    """All of it, until every pod has settled."""
    create_all(plane, [one for one in declared if one["kind"] not in (*LEFT_OUT, *AFTERWARDS, *LAST)])
    wait(lambda: _is_settled(plane), seconds=240, pause=1)
    pods = plane.list("/api/v1/pods")
    for one in copy.deepcopy([one for one in declared if one["kind"] in AFTERWARDS]):
        resolve_holder(one, pods)
        plane.create(one)
    plane.create(*(one for one in declared if one["kind"] in LAST))


def create_all(plane: Plane, declared: list[Thing]) -> None:
    """All of it in an order in which everything finds what it needs, with definitions and volumes besides."""
    things = [copy.deepcopy(one) for one in declared]
    _define(plane, things)
    things += _volumes(things)
    with ThreadPoolExecutor(8) as pool:
        for kind in FIRST:
            list(pool.map(plane.create, (one for one in things if one["kind"] == kind)))
        owned, free = _split(one for one in things if one["kind"] not in FIRST)
        list(pool.map(plane.create, free))
        for one in owned:
            _create_owned(plane, one)


def _define(plane: Plane, things: list[Thing]) -> None:
    """The definitions of the custom resources that the cluster has; checking the larger ones costs the server a second."""
    kinds = {(one["apiVersion"].partition("/")[0], one["kind"]) for one in things}
    install(plane, [made for made in definitions({group for group, _ in kinds}) if _names(made) in kinds])


def install(plane: Plane, wanted: list[Thing]) -> None:
    """Definitions of custom resources, until the server serves them."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(plane.create, wanted))
    for made in wanted:
        version = next(one["name"] for one in made["spec"]["versions"] if one["served"])
        path = f"/apis/{made['spec']['group']}/{version}/{made['spec']['names']['plural']}"
        wait(lambda path=path: plane.list(path) == [])


def _names(made: Thing) -> tuple[str, str]:
    return made["spec"]["group"], made["spec"]["names"]["kind"]


def _volumes(things: list[Thing]) -> list[Thing]:
    """A volume for every claim, kept for it, because nobody makes volumes here."""
    claims = [one for one in things if one["kind"] == "PersistentVolumeClaim"]
    made = [(one["metadata"]["namespace"], one["metadata"]["name"], one["spec"]) for one in claims]
    for one in things:
        if one["kind"] == "StatefulSet":
            place, name = one["metadata"]["namespace"], one["metadata"]["name"]
            for claim in one["spec"].get("volumeClaimTemplates", ()):
                prefix = f"{claim['metadata']['name']}-{name}"
                made += [(place, f"{prefix}-{number}", claim["spec"]) for number in range(one["spec"]["replicas"])]
    return [volume(place, name, spec) for place, name, spec in made]


def volume(place: str, name: str, spec: Thing) -> Thing:
    """A volume that is kept for a claim."""
    own = {"storageClassName": spec["storageClassName"], "accessModes": spec["accessModes"]}
    own |= {"capacity": spec["resources"]["requests"], "claimRef": {"namespace": place, "name": name}}
    own |= {"csi": {"driver": "csi.example.com", "volumeHandle": f"{place}-{name}"}}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"{place}-{name}"}, "spec": own}


def _split(things: Iterable[Thing]) -> tuple[list[Thing], list[Thing]]:
    """Those with an owner, in their order, and those without."""
    all_ = list(things)
    return [one for one in all_ if _owners(one)], [one for one in all_ if not _owners(one)]


def _owners(one: Thing) -> list[Thing]:
    return one["metadata"].get("ownerReferences", [])


def _create_owned(plane: Plane, one: Thing) -> None:
    """With the uid of its owner, without which the garbage collector would take it away."""
    for owner in _owners(one):
        place = None if owner["kind"] == "Node" else one["metadata"]["namespace"]
        path = path_of(owner["apiVersion"], owner["kind"], place)
        wait(lambda path=f"{path}/{owner['name']}": bool(plane.request("GET", path)))
        owner["uid"] = plane.request("GET", f"{path}/{owner['name']}")["metadata"]["uid"]
    plane.create(one)


def _is_settled(plane: Plane) -> bool:
    """Whether every workload has all its pods, and no pod waits; what costs most is asked last."""
    return (
        all(one["status"].get("readyReplicas", 0) == one["spec"]["replicas"] for one in _of(plane, "deployments"))
        and all(one["status"].get("readyReplicas", 0) == one["spec"]["replicas"] for one in _of(plane, "statefulsets"))
        and all(
            one["status"]["desiredNumberScheduled"] == one["status"]["numberReady"] for one in _of(plane, "daemonsets")
        )
        and all(_is_counted(one) for one in plane.list("/apis/policy/v1/poddisruptionbudgets"))
        and plane.list("/api/v1/pods?fieldSelector=status.phase%3DPending") == []
    )


def _of(plane: Plane, plural: str) -> list[Thing]:
    return plane.list(f"/apis/apps/v1/{plural}")


def _is_counted(budget: Thing) -> bool:
    status = budget.get("status", {})
    return "currentHealthy" in status and status["currentHealthy"] == status["expectedPods"]
