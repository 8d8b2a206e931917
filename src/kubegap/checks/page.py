"""The page of a check: everything about it that is words or data, in both languages, and its cases."""

from datetime import timedelta
from typing import Annotated

from msgspec import Meta, Struct

from kubegap.checks.model import Confidence, Fact, Finding, Message, Severity, State
from kubegap.cluster.resources import paths_of
from kubegap.text import Text, join, same

Name = Annotated[str, Meta(min_length=1)]

WORDS_SHOWN = 4


class Read(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind that the check reads, as `group/version/plural` (`v1/pods`), and what for; roles are made from these.

    `workloads` and `training` stand for pods with all kinds that make them, and for kinds that training runs in. Of such a group
    a file needs to hold only one kind: nobody can dump what a cluster does not have.
    `optional`: the kind only excuses or weighs what others show, so a dump without it is still answered.
    """

    resource: Name
    why: Text
    optional: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """The kind, or all kinds of the group."""
        return paths_of(self.resource)


class Expected(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding that a case must have: its subject as `Kind/name` or `Kind/namespace/name`, and all its messages."""

    subject: Name
    severity: Severity
    confidence: Confidence
    messages: list[Name]


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """A cluster and what the check says of it; both a test and an example for readers.

    `input` is YAML as `kubectl get -o yaml` prints it, laid over the page's `base` unless `bare`. `guard` names the
    function of the pair without which the case would end otherwise, `incident` the one that it replays. `says` is the
    message of the `Answer` that stands in place of findings. `unserved` are the kinds, by path, that the cluster does not have.
    """

    tells: Text
    input: str
    finds: list[Expected]
    state: State
    guard: str | None = None
    incident: str | None = None
    says: str | None = None
    bare: bool = False
    unserved: list[Name] = []


class Page(Struct, frozen=True, forbid_unknown_fields=True):
    """One check in words. `id` and `area` come from the file's name and folder, never from its content.

    `subjects` are the paths of the kinds that a finding can be about, or groups as in `reads`: where none exists, the
    check is not applicable.
    `words` fill the places of `messages`. `waits` are waiting times (ISO 8601), given to `find` by name.
    """

    id: str
    area: str
    title: Text
    looks_for: Text
    why: Text
    remediation: Text
    verify: Text
    limits: list[Text]
    incidents: list[Name]
    reads: list[Read]
    subjects: list[Name]
    severities: dict[Severity, Text]
    messages: dict[Name, Text]
    cases: list[Case]
    words: dict[Name, Text] = {}
    waits: dict[Name, timedelta] = {}
    base: str = ""

    @property
    def paths(self) -> frozenset[str]:
        """Every kind that the check reads."""
        return frozenset(path for read in self.reads for path in read.paths)

    def sentence(self, finding: Finding) -> Text:
        """All messages of a finding in both languages; facts are put in as they are, so escape them when showing."""
        return join([self.filled(message) for message in finding.messages], ko=" ", en=" ")

    def filled(self, message: Message) -> Text:
        """One message with its facts in place."""
        facts = {name: self._worded(fact) for name, fact in message.facts.items()}
        return self.messages[message.key].fill(**facts)

    def _worded(self, fact: Fact) -> object:
        if not isinstance(fact, tuple):
            return f"{fact:,}" if isinstance(fact, int) else fact
        words = [self.words.get(word) or same(word) for word in fact[:WORDS_SHOWN]]
        more = len(fact) - len(words)
        return join([*words, *([_AND_MORE.fill(count=more)] if more else [])], ko=", ", en=", ")


_AND_MORE = Text(ko="그 밖에 {count}가지", en="and {count} more")
