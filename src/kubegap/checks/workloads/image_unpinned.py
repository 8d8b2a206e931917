"""Images by tags that name no version, and tags under which pods of one workload got different images."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain

from msgspec import Struct

from kubegap.checks.model import Confidence, Evidence, Finding, Message, Severity, Subject
from kubegap.cluster.containers import Container
from kubegap.cluster.duties import duties_of
from kubegap.cluster.images import names_version, parsed
from kubegap.cluster.namespaces import is_for_trial
from kubegap.cluster.providers import is_run_by_provider
from kubegap.cluster.pulled import Pulled, containers_of, pulled_by
from kubegap.cluster.settling import is_settling
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.templates import Template, templates_by_subject

# What traffic leads to or keeps data is the users' own; the other duties are those of a platform.
OWN_DUTIES = {"outside", "route", "data"}
IDS_SHOWN = 4
BY_INJECTOR = "auto"


class Drift(Struct, frozen=True):
    """One image name under which running pods have different images; `got` is one for each digest and architecture."""

    container: str
    image: str
    got: Mapping[tuple[str, str], Pulled]

    @property
    def is_sure(self) -> bool:
        """Whether nodes of the same architecture got different images; unsure where a node was not read."""
        known = Counter(architecture for _, architecture in self.got if architecture)
        return max(known.values(), default=0) > 1


def find(cluster: Snapshot, settling: timedelta) -> Iterator[Finding]:
    """One finding for each workload with such an image."""
    for subject, parts in templates_by_subject(cluster).items():
        judged = [template for template in parts if not _is_spared(cluster, template)]
        floating = [(template, one) for template in judged for one in _floating(template)]
        drifts = [drift for template in judged for drift in _drifts(cluster, template, settling)]
        if floating or drifts:
            yield _finding(cluster, subject, floating, drifts)


def guard_provider_owned(cluster: Snapshot, template: Template) -> bool:
    """The provider or installer chose the image, and would choose it again."""
    return is_run_by_provider(template, cluster.provider)


def guard_not_wanted(template: Template) -> bool:
    """Suspended, or scaled to none."""
    return template.is_suspended


def guard_trial_namespace(cluster: Snapshot, template: Template) -> bool:
    """Where developers try things out, the newest image is what they want."""
    return is_for_trial(cluster, template.namespace or "")


def guard_digest(container: Container) -> bool:
    """A digest means one image for ever, whatever tag stands before it."""
    return parsed(container.image or "").digest is not None


def guard_set_at_admission(template: Template, container: Container) -> bool:
    """An injector or a policy engine writes another name into the pod, such as the digest behind the tag."""
    running = {one.name: one.image for one in containers_of(template.running_spec)}
    return container.image == BY_INJECTOR or running.get(container.name, container.image) != container.image


def guard_settling(cluster: Snapshot, template: Template, settling: timedelta) -> bool:
    """A rollout or a move is under way, and both images are there for a moment."""
    return is_settling(cluster, template, settling)


def guard_local_id(image_id: str) -> bool:
    """The id is not what the registry gave but what one node made of it."""
    return "@" not in image_id


def guard_architectures(drift: Drift) -> bool:
    """No two of the images run on nodes of one architecture."""
    architectures = [architecture for _, architecture in drift.got]
    return all(architectures) and len(set(architectures)) == len(architectures)


def _is_spared(cluster: Snapshot, template: Template) -> bool:
    return (
        guard_provider_owned(cluster, template)
        or guard_not_wanted(template)
        or guard_trial_namespace(cluster, template)
    )


def _floating(template: Template) -> Iterator[Container]:
    for container in containers_of(template.spec):
        excused = guard_digest(container) or guard_set_at_admission(template, container)
        if container.image and not names_version(parsed(container.image).tag) and not excused:
            yield container


def _drifts(cluster: Snapshot, template: Template, settling: timedelta) -> Iterator[Drift]:
    found: dict[tuple[str, str, str], dict[tuple[str, str], Pulled]] = defaultdict(dict)
    for one in pulled_by(cluster, template):
        if not guard_local_id(one.image_id):
            got = found[one.revision, one.container, one.image]
            got.setdefault((_digest(one), one.architecture), one)
    for (_, container, image), got in found.items():
        drift = Drift(container, image, got)
        excused = guard_architectures(drift) or guard_settling(cluster, template, settling)
        if len({digest for digest, _ in got}) > 1 and not excused:
            yield drift


def _digest(one: Pulled) -> str:
    return one.image_id.rpartition("@")[2]


def _finding(
    cluster: Snapshot, subject: Subject, floating: Sequence[tuple[Template, Container]], drifts: Sequence[Drift]
) -> Finding:
    duties = [duty for template, _ in floating for duty in duties_of(cluster, template) if duty not in OWN_DUTIES]
    told: dict[str, Sequence[str]] = {
        "drift": [f"`{drift.image}`" for drift in drifts],
        "unseen-nodes": [f"`{drift.image}`" for drift in drifts if not drift.is_sure],
        "floating": [f"`{one.image}`" for _, one in floating],
        "kept": [f"`{one.image}`" for _, one in floating if _is_kept(one)],
        "platform": duties,
    }
    containers = [*(drift.container for drift in drifts), *(one.name for _, one in floating)]
    is_sure = any(drift.is_sure for drift in drifts)
    return Finding(
        subject=subject,
        severity=Severity.HIGH if is_sure else Severity.MEDIUM if duties or drifts else Severity.LOW,
        confidence=Confidence.OBSERVED if is_sure else Confidence.HEURISTIC if drifts else Confidence.CONFIG,
        messages=tuple(Message(key, {"names": tuple(dict.fromkeys(names))}) for key, names in told.items() if names),
        evidence=(*chain.from_iterable(map(_of_drift, drifts)), *(_of_floating(*one) for one in floating)),
        members=tuple(dict.fromkeys(containers)),
    )


def _is_kept(container: Container) -> bool:
    """Whether a node that holds the image asks for no newer one; without a policy, only `latest` is asked for again."""
    is_latest = parsed(container.image or "").tag in {None, "latest"}
    return (container.image_pull_policy or ("Always" if is_latest else "IfNotPresent")) != "Always"


def _of_drift(drift: Drift) -> Iterator[Evidence]:
    for one in list(drift.got.values())[:IDS_SHOWN]:
        yield Evidence(one.pod.shown, one.path, _digest(one))


def _of_floating(template: Template, container: Container) -> Evidence:
    path = f"{template.path_of(container)}.image"
    named = parsed(container.image or "")
    return Evidence(template.place, path, container.image, f"{named.name}:VERSION@sha256:…")
