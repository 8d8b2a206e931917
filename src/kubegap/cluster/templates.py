"""Every workload as one plain record, whatever runs it and wherever it was read.

`templates(snapshot)` is what a check on pod templates walks: one `Template` for all pods that are made alike. It is the
same for manifests (no pods) and for a live cluster (pods whose owner is of a kind that nobody reads are there too). Pairs that
ask it read the group `workloads`, of which pods are a part.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from kubegap.cluster.containers import Container
from kubegap.cluster.evidence import Subject
from kubegap.cluster.fields import PodSpec, PodTemplate, TemplateMetadata
from kubegap.cluster.indexing import indexed
from kubegap.cluster.kinds.leader_worker_set import LEADER, WORKER
from kubegap.cluster.kinds.workload import Part, Workload
from kubegap.cluster.objects import Pod
from kubegap.cluster.ownership import line_of, line_of_pod, objects_by_subject, pods_by_owner, top_of
from kubegap.cluster.resources import RESOURCES
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.workloads import has_ended, is_batch, runs_on_every_node

# Labels of pods that name the part of the workload that they belong to.
_ROLE_LABELS = (
    "jobset.sigs.k8s.io/replicatedjob-name",
    "training.kubeflow.org/replica-type",
    "ray.io/group",
    "volcano.sh/task-spec",
)
_INDEX_IN_GROUP = "leaderworkerset.sigs.k8s.io/worker-index"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_KINDS = {(kind.resource.api_version, kind.resource.kind): kind for kind in RESOURCES.values()}


class Template(Struct, frozen=True):
    """Pods that are made alike.

    `subject` is the top owner, which findings are about; `owner` whose template it is; `source` that object, or None where
    only pods were read. `pods` are those that were read and have not ended.
    """

    subject: Subject
    owner: Subject
    part: Part
    source: Workload | None
    pods: tuple[Pod, ...] = ()

    @property
    def spec(self) -> PodSpec:
        """As its owner wrote it."""
        return self.part.template.spec

    @property
    def running_spec(self) -> PodSpec:
        """As the youngest pod has it, with what admission added (defaults of a LimitRange, sidecars, volumes); else as written."""
        youngest = max(self.pods, key=lambda pod: pod.metadata.creation_timestamp or _LONG_AGO, default=None)
        return youngest.spec if youngest else self.spec

    @property
    def labels(self) -> Mapping[str, str]:
        """Labels of its pods."""
        return self.part.template.metadata.labels or (self.pods[0].labels if self.pods else {})

    @property
    def namespace(self) -> str | None:
        """Where its pods are; None for mirrors of static pods whose pods were not read."""
        return self.pods[0].namespace if self.pods else self.owner.namespace

    @property
    def replicas(self) -> int:
        """Pods that are wanted at once; where nobody says, those that there are."""
        return len(self.pods) if self.part.replicas is None else self.part.replicas

    @property
    def is_batch(self) -> bool:
        """Whether its pods run to an end instead of serving: the highest kind that is known says so.

        A RayCluster alone is for training, one that a RayService made serves.
        """
        known = [_KINDS.get((one.api_version, one.kind)) for one in (self.owner, self.subject)]
        kinds = [kind for kind in known if kind and issubclass(kind, Workload)]
        by_kind = bool(kinds) and kinds[-1].is_batch
        by_group = not kinds and bool(self.pods) and is_batch(self.subject, self.pods[0])
        return by_kind or by_group or self.spec.restart_policy not in {None, "Always"}

    @property
    def is_suspended(self) -> bool:
        """Whether no pods of it are wanted: suspended, or scaled to none."""
        return (self.source is not None and self.source.is_suspended) or self.part.replicas == 0

    @property
    def is_on_every_node(self) -> bool:
        """Whether the nodes decide how many pods there are: DaemonSets and static pods."""
        return runs_on_every_node(self.owner)

    @property
    def place(self) -> str:
        """Whose fields evidence names: the object with the template, or a pod where that was not read."""
        return self.owner.shown if self.source or not self.pods else self.pods[0].shown

    @property
    def replicas_path(self) -> str:
        """Where the count of its pods stands in `place`; `replicas`, which is no field, where it is put together or only pods were read."""
        return "spec.replicas" if self.part.path == "spec.template.spec" else "replicas"

    def path_of(self, container: Container) -> str:
        """Where a container stands in `place`, told by its name: `spec.template.spec.containers[web]`."""
        first = {one.name for one in self.spec.init_containers or ()}
        group = "initContainers" if container.name in first else "containers"
        return f"{self.part.path}.{group}[{container.name}]"


@indexed
def templates(snapshot: Snapshot) -> Sequence[Template]:
    """All workloads that are not over, those of one subject one after the other."""
    found = [*_read(snapshot), *_of_unread_owners(snapshot)]
    return sorted(found, key=lambda template: (template.subject.path, template.owner.path, template.part.path))


@indexed
def templates_by_subject(snapshot: Snapshot) -> Mapping[Subject, Sequence[Template]]:
    """The parts of each workload by its top owner."""
    found: dict[Subject, list[Template]] = defaultdict(list)
    for template in templates(snapshot):
        found[template.subject].append(template)
    return found


def templates_of(snapshot: Snapshot, pod: Pod) -> Sequence[Template]:
    """The parts of the workload that a pod belongs to; none where that is over."""
    found = _by_owner(snapshot)
    return next((found[one] for one in line_of_pod(snapshot, pod) if one in found), ())


@indexed
def _by_owner(snapshot: Snapshot) -> Mapping[Subject, Sequence[Template]]:
    found: dict[Subject, list[Template]] = defaultdict(list)
    for template in templates(snapshot):
        found[template.owner].append(template)
    return found


def _read(snapshot: Snapshot) -> Iterator[Template]:
    pods = _pods_by_home(snapshot)
    for owner, parts in _homes(snapshot).items():
        source, subject = objects_by_subject(snapshot)[owner], top_of(snapshot, owner)
        by_role = _by_role(parts, pods.get(owner, ()))
        yield from (Template(subject, owner, part, source, tuple(by_role[part.role])) for part in parts)


def _of_unread_owners(snapshot: Snapshot) -> Iterator[Template]:
    """Workloads that only their pods tell of."""
    homes = _homes(snapshot)
    for owner, pods in pods_by_owner(snapshot).items():
        alive = tuple(pod for pod in pods if not has_ended(pod))
        if alive and not any(one in homes for one in line_of(snapshot, owner)):
            template = PodTemplate(TemplateMetadata(dict(alive[0].labels)), alive[0].spec)
            yield Template(top_of(snapshot, owner), owner, Part("", "spec", template, None), None, alive)


@indexed
def _homes(snapshot: Snapshot) -> Mapping[Subject, tuple[Part, ...]]:
    """The objects whose templates count: of several that speak of the same pods only one."""
    things = objects_by_subject(snapshot)
    parts = {subject: found for subject, thing in things.items() if (found := tuple(thing.parts()))}
    whole = {subject for subject in parts if not things[subject].stands_in}
    above = {subject: list(line_of(snapshot, subject))[1:] for subject in whole}
    shown_below = {owner for owners in above.values() for owner in owners}
    standing = {subject for subject in parts.keys() - whole if subject not in shown_below}
    standing -= set(_made_unread(snapshot, standing, whole))
    return {
        subject: found
        for subject, found in parts.items()
        if (subject in standing if subject not in whole else whole.isdisjoint(above[subject]))
    }


def _made_unread(snapshot: Snapshot, standing: Collection[Subject], whole: Iterable[Subject]) -> Iterator[Subject]:
    """Those of which something is there, made by way of a kind that nobody read, so that only its name leads up to them."""
    below = {top_of(snapshot, one) for one in (*whole, *_owners_alive(snapshot))} if standing else ()
    unread = [one for one in below if one.kind != Pod.resource.kind and one not in objects_by_subject(snapshot)]
    for one in standing:
        if any(one.namespace == made.namespace and f"{made.name}-".startswith(f"{one.name}-") for made in unread):
            yield one


def _owners_alive(snapshot: Snapshot) -> Iterator[Subject]:
    owners = pods_by_owner(snapshot).items()
    return (owner for owner, pods in owners if not all(map(has_ended, pods)))


@indexed
def _pods_by_home(snapshot: Snapshot) -> Mapping[Subject, list[Pod]]:
    homes = _homes(snapshot)
    found: dict[Subject, list[Pod]] = defaultdict(list)
    for owner, pods in pods_by_owner(snapshot).items():
        home = next((one for one in line_of(snapshot, owner) if one in homes), None)
        if home:
            found[home] += (pod for pod in pods if not has_ended(pod))
    return found


def _by_role(parts: Sequence[Part], pods: Iterable[Pod]) -> Mapping[str, list[Pod]]:
    """Pods by the part that they belong to; those that name none belong to the first."""
    roles = {part.role.casefold(): part.role for part in parts}
    found: dict[str, list[Pod]] = {part.role: [] for part in parts}
    for pod in pods:
        found[roles.get(_role(pod).casefold(), parts[0].role)].append(pod)
    return found


def _role(pod: Pod) -> str:
    if _INDEX_IN_GROUP in pod.labels:
        return LEADER if pod.labels[_INDEX_IN_GROUP] == "0" else WORKER
    return next((pod.labels[label] for label in _ROLE_LABELS if label in pod.labels), "")
