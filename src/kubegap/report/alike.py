"""Findings of one gap that differ in nothing but whom they are about, as 500 Deployments from one template do."""

import re
from collections.abc import Sequence

from msgspec import Struct

from kubegap.checks.model import Finding


class Alike(Struct, frozen=True):
    """The first of some findings, told in full, and the others, of which only the name is new."""

    first: Finding
    others: tuple[Finding, ...]


def rolled_up(findings: Sequence[Finding]) -> list[Alike]:
    """The findings in their order, each with those that say the same of another subject."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_shape(finding), []).append(finding)
    return [Alike(first, tuple(others)) for first, *others in groups.values()]


def _shape(finding: Finding) -> object:
    """Everything that is told of a subject, with its own name and namespace left open."""
    own = _own_names(finding)
    told = [(message.key, _opened(tuple(message.facts.items()), own)) for message in finding.messages]
    seen = [_opened((said.object, said.path, said.value, said.expected), own) for said in finding.evidence]
    graded = (finding.subject.kind, finding.severity, finding.confidence, len(finding.members))
    return graded, tuple(told), tuple(seen)


def _own_names(finding: Finding) -> re.Pattern[str]:
    """The names that only this finding has, as whole words: its subject's, and those of the subject's members."""
    names = {finding.subject.name, finding.subject.namespace or "", *finding.members} - {""}
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![a-z0-9])(?:{words})(?![a-z0-9])" if words else r"(?!)")


def _opened(told: object, own: re.Pattern[str]) -> object:
    if isinstance(told, tuple):
        return tuple(_opened(part, own) for part in told)
    return own.sub("\0", told) if isinstance(told, str) else told
