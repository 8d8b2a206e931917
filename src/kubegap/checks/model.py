"""What a check says: findings with evidence, severity and confidence, and the states a check can end in.

A pair's `find` yields `Finding`s. Sentences stay in the pair's page: a finding names them by key, with the facts that
fill their places.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

from msgspec import Struct

from kubegap.cluster.evidence import Evidence, Subject

__all__ = [
    "Answer",
    "Confidence",
    "Evidence",
    "Fact",
    "Finder",
    "Finding",
    "Message",
    "Severity",
    "State",
    "Subject",
]


class Severity(StrEnum):
    """How bad a finding is if it is true, worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst; sorts and compares."""
        return _RANKS[self]

    @property
    def milder(self) -> "Severity":
        """One level down, but never below info."""
        return list(Severity)[min(self.rank + 1, Severity.INFO.rank)]

    @classmethod
    def worst(cls, severities: "Iterable[Severity]") -> "Severity":
        """The worst of several; info if there are none."""
        return min(severities, key=lambda severity: severity.rank, default=cls.INFO)


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Confidence(StrEnum):
    """How sure a finding is: the bad state is there now, the setting behind it is, or only a pattern speaks for it."""

    OBSERVED = "observed"
    CONFIG = "config"
    HEURISTIC = "heuristic"


class State(StrEnum):
    """How a check ended; every check that was chosen ends in exactly one."""

    FOUND = "found"
    CLEAR = "clear"
    NOT_SEEN = "not-seen"
    NOT_APPLICABLE = "not-applicable"
    NOT_VISIBLE = "not-visible"
    NOT_IN_THIS_INPUT = "not-in-this-input"


# A tuple is a list of words, each a key of the page's `words` or a name that stands for itself.
Fact = str | int | tuple[str, ...]


class Message(Struct, frozen=True):
    """A sentence of the page by its key, and what fills its places."""

    key: str
    facts: Mapping[str, Fact] = {}


class Finding(Struct, frozen=True):
    """One subject in which a check saw its pattern; `messages` are read one after the other."""

    subject: Subject
    severity: Severity
    confidence: Confidence
    messages: tuple[Message, ...]
    evidence: tuple[Evidence, ...]
    members: tuple[str, ...] = ()


class Answer(Struct, frozen=True):
    """What a check says in place of findings: that nothing of its kind exists here, or that only the provider sees it."""

    state: State
    message: Message


# `find(cluster)`; a page with waiting times hands each over as a keyword, so the pair writes `find(cluster, settling)`.
Finder = Callable[..., Iterable[Finding | Answer]]
