"""Clients still use versions of the API that the next upgrade of Kubernetes removes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from kubegap.checks.model import Confidence, Evidence, Fact, Finding, Message, Severity, Subject
from kubegap.cluster.kinds.extension import APIService, CustomResourceDefinition
from kubegap.cluster.kinds.metric import RequestedDeprecatedAPI
from kubegap.cluster.lifecycle import (
    Writing,
    is_read_by_kubegap,
    is_table_old,
    lifecycle_of,
    minor_of,
    removals,
    served_versions,
    target_minor,
    writings,
)
from kubegap.cluster.objects import METRICS
from kubegap.cluster.snapshot import Minor, Snapshot

Asked = Sequence[RequestedDeprecatedAPI]
SHOWN = 3


def find(cluster: Snapshot, history: timedelta) -> Iterator[Finding]:
    """One finding for each version that somebody uses, each manifest in an old one, and each definition with old ones in storage."""
    asked, written = _asked(cluster), _written(cluster, history)
    for version in sorted({*asked, *written}):
        yield _finding(cluster, version, asked.get(version, ()), written.get(version, ()))
    for outdated in cluster.outdated:
        if not guard_far_off(cluster, _removed_of(outdated)):
            yield _declared(cluster, outdated)
    for definition in cluster.of(CustomResourceDefinition):
        if unserved := _unserved(definition):
            yield _stored(definition, unserved)


def guard_stays(series: RequestedDeprecatedAPI) -> bool:
    """Deprecated, but nobody has said when it is removed."""
    return minor_of(series.removed_release) is None


def guard_far_off(cluster: Snapshot, removed: Minor | None) -> bool:
    """It is removed more than one version after the one that the upgrade goes to."""
    target = target_minor(cluster)
    return bool(target and removed and removed > target.following)


def guard_own_request(cluster: Snapshot, series: RequestedDeprecatedAPI) -> bool:
    """Kubegap itself may be the one who asked."""
    return cluster.has(APIService) and is_read_by_kubegap(
        cluster, series.api_version, series.labels.get("resource", "")
    )


def guard_long_ago(cluster: Snapshot, one: Writing, history: timedelta) -> bool:
    """It was written so long ago that whoever did may have been upgraded since."""
    return not cluster.is_recent(one.written.time, history)


def guard_not_served(cluster: Snapshot, version: str) -> bool:
    """The server does not have it any more, so nobody can be using it."""
    return cluster.has(APIService) and version not in served_versions(cluster)


def _asked(cluster: Snapshot) -> Mapping[str, list[RequestedDeprecatedAPI]]:
    found: dict[str, list[RequestedDeprecatedAPI]] = defaultdict(list)
    for series in sorted(cluster.of(RequestedDeprecatedAPI), key=lambda one: one.asked):
        removed = minor_of(series.removed_release)
        if not (guard_stays(series) or guard_far_off(cluster, removed) or guard_own_request(cluster, series)):
            found[series.api_version].append(series)
    return found


def _written(cluster: Snapshot, history: timedelta) -> Mapping[str, list[Writing]]:
    found = {}
    for version, all_of_it in writings(cluster).items():
        recent = [one for one in all_of_it if not guard_long_ago(cluster, one, history)]
        if recent and not (guard_not_served(cluster, version) or guard_far_off(cluster, _removed(version, (), recent))):
            found[version] = sorted(recent, key=lambda one: (one.written.manager, one.thing.shown))
    return found


def _removed(version: str, asked: Asked, written: Sequence[Writing]) -> Minor | None:
    """The first minor without one of the kinds that are used; where a kind is not known, without any of the version."""
    told = [minor_of(series.removed_release) for series in asked]
    known = [lifecycle_of(version, one.thing.resource.kind) for one in written]
    minors = [*filter(None, told), *(one.removed_in for one in known if one)]
    return min(minors or [one.removed_in for one in removals().get(version, ())], default=None)


def _finding(cluster: Snapshot, version: str, asked: Asked, written: Sequence[Writing]) -> Finding:
    group, _, name = version.rpartition("/")
    removed, target = _removed(version, asked, written), target_minor(cluster)
    is_later = bool(target and removed and removed > target)
    severity = Severity.INFO if is_later else Severity.HIGH if asked else Severity.MEDIUM
    notes = ["asked"] * bool(asked) + ["written"] * bool(written) + ["later"] * is_later
    notes += ["instead"] * bool(_instead(version, asked, written)) + ["old-table"] * is_table_old(cluster)
    facts: dict[str, Fact] = {
        "version": version,
        "removed": str(removed),
        "target": str(target),
        "asked": tuple(f"`{series.asked}`" for series in asked),
        "managers": tuple(dict.fromkeys(f"`{one.written.manager}`" for one in written)),
        "objects": len(written),
        "last": max((f"{one.written.time:%Y-%m-%d}" for one in written), default=""),
        "instead": _instead(version, asked, written),
    }
    return Finding(
        subject=Subject(APIService.resource.api_version, APIService.resource.kind, None, f"{name}.{group}"),
        severity=severity,
        confidence=Confidence.OBSERVED if asked else Confidence.CONFIG,
        messages=tuple(Message(key, facts) for key in notes),
        evidence=tuple(_evidence(asked, written)),
        members=tuple(dict.fromkeys(one.thing.shown for one in written)),
    )


def _instead(version: str, asked: Asked, written: Sequence[Writing]) -> tuple[str, ...]:
    names = [*(series.labels.get("resource", "") for series in asked), *(one.thing.resource.kind for one in written)]
    known = [lifecycle_of(version, name) for name in names]
    return tuple(dict.fromkeys(f"`{one.replacement.shown}`" for one in known if one and one.replacement))


def _evidence(asked: Asked, written: Sequence[Writing]) -> Iterator[Evidence]:
    for series in asked[:SHOWN]:
        labels = ",".join(f'{name}="{value}"' for name, value in sorted(series.labels.items()))
        yield Evidence(METRICS, f"{series.resource.plural}{{{labels}}}", series.removed_release)
    for one in written[:SHOWN]:
        path = f"metadata.managedFields[{one.written.manager}].apiVersion"
        yield Evidence(one.thing.shown, path, one.written.api_version)


def _removed_of(outdated: Subject) -> Minor | None:
    known = lifecycle_of(outdated.api_version, outdated.kind)
    return known.removed_in if known else None


def _declared(cluster: Snapshot, outdated: Subject) -> Finding:
    """Of a manifest: from the upgrade on it cannot be applied; where the cluster is unknown, perhaps not even now."""
    removed, target = _removed_of(outdated), target_minor(cluster)
    known = lifecycle_of(outdated.api_version, outdated.kind)
    instead = known.replacement.shown if known and known.replacement else None
    is_later = bool(target and removed and removed > target)
    facts: dict[str, Fact] = {
        "version": outdated.api_version,
        "removed": str(removed),
        "target": str(target),
        "instead": (f"`{instead}`",),
    }
    notes = ["declared"] + ["later"] * is_later + ["instead"] * bool(instead) + ["old-table"] * is_table_old(cluster)
    return Finding(
        subject=outdated,
        severity=Severity.INFO if is_later else Severity.HIGH if target else Severity.MEDIUM,
        confidence=Confidence.CONFIG,
        messages=tuple(Message(key, facts) for key in notes),
        evidence=(Evidence(outdated.shown, "apiVersion", outdated.api_version, instead),),
    )


def _unserved(definition: CustomResourceDefinition) -> list[str]:
    """Versions in which objects may still be stored, and which the definition serves no more."""
    served = {version.name for version in definition.spec.versions or () if version.served}
    return [name for name in definition.status.stored_versions or () if name not in served]


def _stored(definition: CustomResourceDefinition, unserved: list[str]) -> Finding:
    return Finding(
        subject=Subject.of(definition),
        severity=Severity.INFO,
        confidence=Confidence.CONFIG,
        messages=(Message("stored", {"versions": tuple(f"`{name}`" for name in unserved)}),),
        evidence=(
            Evidence(definition.shown, "status.storedVersions", ", ".join(definition.status.stored_versions or ())),
        ),
    )
