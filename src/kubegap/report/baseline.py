"""The baseline file: findings that are known, and which of them are accepted; people edit it, in YAML or JSON."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from kubegap.checks.model import Severity
from kubegap.library import documents
from kubegap.library.documents import Document
from kubegap.problems import BadFile, KubegapError, Problem, writing
from kubegap.report.acceptance import Acceptance
from kubegap.text import Text

# A hundred thousand findings; a file of records may be far shorter.
MAX_BYTES = 16 * 1024 * 1024
Identity = Annotated[str, Meta(pattern=r"^[^/]+/[^/]+/[^/]+/[\s\S]*$")]


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding by its id, how bad it was, and whether its owner lives with it."""

    id: Identity
    severity: Severity
    accepted: Acceptance | None = None


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """The findings of one cluster at one time; `cluster` is the UID of its kube-system namespace, None if unknown."""

    version: Literal["1"]
    findings: list[Known]
    cluster: str | None = None
    read_at: datetime | None = None


class WrongCluster(KubegapError):
    """A baseline of another cluster, or of none that is known."""

    @classmethod
    def between(cls, baseline: str | None, cluster: str | None) -> WrongCluster:
        """The error for two UIDs that differ; None is one that is not known."""
        unknown = Text(ko="알 수 없음", en="unknown")
        return cls(_WRONG.fill(baseline=baseline or unknown, cluster=cluster or unknown), _WHICH)


def read(path: Path) -> Baseline:
    """Read a baseline; raises `UnreadableFile`, or `BadFile` with every problem of the file."""
    return decode(documents.shown(path), documents.content(path))


def decode(name: str, data: bytes) -> Baseline:
    """The same for bytes in hand; `name` is only shown."""
    found = documents.decode(name, data, Baseline, max_bytes=MAX_BYTES)
    problems = found if isinstance(found, list) else list(_twice(found))
    if problems or isinstance(found, list):
        raise BadFile(problems, _BAD)
    return found.value


def write(path: Path, baseline: Baseline) -> None:
    """Write it whole or not at all; raises `UnwritableFile`."""
    with writing(path):
        beside = path.with_name(f".{path.name}.part")
        beside.write_text(encode(baseline), encoding="utf-8")
        beside.replace(path)


def encode(baseline: Baseline) -> str:
    """As YAML, findings in the order of their ids."""
    lines = [_HEAD, f"version: {baseline.version}"]
    if baseline.cluster:
        lines.append(f"cluster: {_quoted(baseline.cluster)}")
    if baseline.read_at:
        lines.append(f'read_at: "{baseline.read_at.isoformat()}"')
    entries = sorted(baseline.findings, key=lambda entry: entry.id)
    lines.append("findings:" if entries else "findings: []")
    return "\n".join([*lines, *(line for entry in entries for line in _entry(entry))]) + "\n"


def _entry(entry: Known) -> Iterator[str]:
    yield f"- id: {_quoted(entry.id)}"
    yield f"  severity: {entry.severity}"
    if entry.accepted:
        yield "  accepted:"
        yield f"    reason: {_quoted(entry.accepted.reason)}"
        yield f"    until: {entry.accepted.until.isoformat()}"


def _twice(document: Document[Baseline]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for place, entry in enumerate(document.value.findings):
        path = ("findings", place, "id")
        if entry.id in first:
            yield document.problem(path, _TWICE.fill(line=first[entry.id]))
        first.setdefault(entry.id, document.parsed.mark(path).line)


def _quoted(words: str) -> str:
    """A double-quoted scalar of YAML; what cannot be seen is written as an escape."""
    plain = json.dumps(words, ensure_ascii=False)
    return "".join(
        _escape(sign) if unicodedata.category(sign)[0] == "C" or sign in "\u2028\u2029" else sign for sign in plain
    )


def _escape(sign: str) -> str:
    return f"\\U{ord(sign):08x}"


_HEAD = """\
# What `kubegap check --baseline` knows already. To live with a finding until a day, add to it:
#   accepted:
#     reason: "why, and who decided"
#     until: 2027-03-01"""
_BAD = Text(ko="기준 파일에 문제가 {count}개 있습니다.", en="The baseline has {count} problem(s).")
_TWICE = Text(ko="이 id 는 {line}행에 이미 있습니다.", en="this id stands on line {line} already")
_WRONG = Text(
    ko="기준 파일은 다른 클러스터의 것입니다: kube-system UID 가 기준 파일에는 {baseline}, 여기는 {cluster}.",
    en="The baseline belongs to another cluster: its kube-system UID is {baseline}, here it is {cluster}.",
)
_WHICH = Text(
    ko="컨텍스트를 확인하거나 `--write-baseline` 으로 이 클러스터의 기준 파일을 따로 만드세요.",
    en="Check the context, or write a baseline of this cluster with `--write-baseline`.",
)
