"""The version that an upgrade is planned to, from the command line into a snapshot."""

from __future__ import annotations

import re

from msgspec import structs

from kubegap.cluster.lifecycle import server_minor
from kubegap.cluster.snapshot import Minor, Snapshot
from kubegap.library.search.query import BadQuery
from kubegap.text import Text

# There is no Kubernetes 2 to upgrade to.
_VERSION = re.compile(r"v?1\.(\d{1,2})(?:\.\d+)?")


def target(words: str | None) -> Minor | None:
    """`1.38`, `v1.38` or `1.38.2` as the minor that it is of; raises `BadQuery` before anything is read."""
    if words is None:
        return None
    found = _VERSION.fullmatch(words)
    if not found:
        raise BadQuery(_NO_VERSION.fill(version=words))
    return Minor(1, int(found[1]))


def aimed(snapshot: Snapshot, version: Minor | None) -> Snapshot:
    """The snapshot with where the upgrade goes; raises `BadQuery` for a way back."""
    if version is None:
        return snapshot
    server = server_minor(snapshot)
    if server and version < server:
        raise BadQuery(_BACK.fill(version=version, server=server))
    return structs.replace(snapshot, target_version=version)


_NO_VERSION = Text(
    ko="`{version}` 은 쿠버네티스 버전이 아닙니다. `--target-version 1.38` 처럼 쓰세요.",
    en="`{version}` is no version of Kubernetes; write it as in `--target-version 1.38`.",
)
_BACK = Text(
    ko="`--target-version {version}` 은 지금 클러스터의 버전 {server} 보다 낮습니다. 쿠버네티스는 낮은 버전으로 되돌릴 수 없습니다.",
    en="`--target-version {version}` is older than the cluster, which runs {server}; Kubernetes does not go back a version.",
)
