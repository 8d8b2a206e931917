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
    """The findings of one cluster at one time; `cluster` is the UID of its kube-system namespace, None if unknown.

    `not_seen` are checks that were not fully seen then, so that what they find later may have been there already.
    """

    version: Literal["1"]
    findings: list[Known]
    cluster: str | None = None
    read_at: datetime | None = None
    not_seen: list[str] = []


class WrongCluster(KubegapError):
    """A baseline of another cluster, or of none that is known."""

    @classmethod
    def between(cls, baseline: str | None, cluster: str | None) -> WrongCluster:
        """The error for two UIDs that differ; None is one that is not known."""
        if cluster is None:
            return cls(_NO_UID.fill(baseline=baseline), _READ_NAMESPACES)
        if baseline is None:
            return cls(_NO_CLUSTER.fill(cluster=cluster), _WHICH)
        return cls(_WRONG.fill(baseline=baseline, cluster=cluster), _WHICH)


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
    if baseline.not_seen:
        lines += ["not_seen:", *(f"- {_quoted(check)}" for check in sorted(baseline.not_seen))]
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
    ko="기준 파일은 다른 클러스터의 것입니다. kube-system UID 가 기준 파일에는 {baseline}, 여기는 {cluster} 입니다.",
    en="The baseline belongs to another cluster: its kube-system UID is {baseline}, here it is {cluster}.",
)
_NO_UID = Text(
    ko="기준 파일은 kube-system UID 가 {baseline} 인 클러스터의 것인데, 여기서는 UID 를 보지 못해 같은 클러스터인지 알 수 없습니다.",
    en="The baseline is of the cluster whose kube-system UID is {baseline}; here no UID was seen, so it cannot be told apart.",
)
_NO_CLUSTER = Text(
    ko="기준 파일은 클러스터가 아니라 파일에서 만든 것인데, 여기는 kube-system UID 가 {cluster} 인 클러스터입니다.",
    en="The baseline was made of files that tell no cluster; here is one, and its kube-system UID is {cluster}.",
)
_READ_NAMESPACES = Text(
    ko="네임스페이스를 읽을 수 있게 하거나(`get, list namespaces`) 덤프에 넣으세요.",
    en="Allow `get, list namespaces`, or put namespaces into the dump.",
)
_WHICH = Text(
    ko="컨텍스트를 확인하거나 `--write-baseline` 으로 이 클러스터의 기준 파일을 따로 만드세요.",
    en="Check the context, or write a baseline of this cluster with `--write-baseline`.",
)
