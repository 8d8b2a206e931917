"""What owners accepted on the objects themselves: `accept.kubegap.io/<check id>: "<reason>; until 2027-03-01"`."""

import re
from collections.abc import Collection, Iterator
from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from kubegap.cluster.evidence import Subject
from kubegap.cluster.snapshot import Snapshot
from kubegap.cluster.typed import ACCEPT
from kubegap.problems import did_you_mean, nearest
from kubegap.text import Text, join

_FORM = re.compile(r"(?P<reason>.*\S)\s*;\s*until\s+(?P<until>\d{4}-\d{2}-\d{2})\s*", re.DOTALL)


class Acceptance(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a finding is lived with, and the last day of that."""

    reason: Annotated[str, Meta(min_length=1)]
    until: date


def acceptances(snapshot: Snapshot, checks: Collection[str] = ()) -> tuple[dict[str, Acceptance], list[Text]]:
    """What is accepted on objects, by the id of the finding; and a note for every annotation that says it wrongly.

    `checks` are the ids of all checks, if they are known: an annotation of another one is misspelt, whatever it says.
    """
    accepted: dict[str, Acceptance] = {}
    notes: list[Text] = []
    for subject, check, words in _annotations(snapshot):
        found = parse(words)
        if checks and check not in checks:
            notes.append(_no_check(subject, check, checks))
        elif found:
            accepted[f"{check}/{subject.path}"] = found
        else:
            notes.append(_UNCLEAR.fill(subject=subject.shown, key=f"{ACCEPT}{check}"))
    return accepted, notes


def parse(words: str) -> Acceptance | None:
    """The value of one annotation; None if it has no reason, no end, or a day that no calendar has."""
    match = _FORM.fullmatch(words.strip())
    try:
        return Acceptance(match["reason"], date.fromisoformat(match["until"])) if match else None
    except ValueError:
        return None


def _no_check(subject: Subject, check: str, checks: Collection[str]) -> Text:
    note = _NO_CHECK.fill(subject=subject.shown, key=f"{ACCEPT}{check}")
    hint = did_you_mean(nearest(check, checks, count=1))
    return join([note, hint], ko=" ", en="; ") if hint else note


def _annotations(snapshot: Snapshot) -> Iterator[tuple[Subject, str, str]]:
    for path in sorted(snapshot.objects):
        for thing in snapshot.objects[path]:
            for key, words in sorted(thing.annotations.items()):
                if key.startswith(ACCEPT):
                    yield Subject.of(thing), key.removeprefix(ACCEPT), words


_NO_CHECK = Text(
    ko="{subject} 의 애너테이션 {key} 에 맞는 점검 항목이 없어 아무것도 수용하지 않았다.",
    en="The annotation {key} of {subject} accepts nothing: there is no such check",
)
_UNCLEAR = Text(
    ko='{subject} 의 애너테이션 {key} 는 수용으로 치지 않았다. `"<까닭>; until 2027-03-01"` 꼴로 쓰세요.',
    en='The annotation {key} of {subject} accepts nothing; write `"<reason>; until 2027-03-01"`.',
)
