"""Indexes over a snapshot that are built when first asked for, once, and live as long as the snapshot does."""

import weakref
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from kubegap.cluster.snapshot import Snapshot

T = TypeVar("T")


def indexed(build: Callable[[Snapshot], T]) -> Callable[[Snapshot], T]:
    """Let a function that reads the whole snapshot do so once; what it returns must not hold the snapshot itself."""
    known: dict[int, T] = {}

    @wraps(build)
    def index(snapshot: Snapshot) -> T:
        key = id(snapshot)
        if key not in known:
            # Dropped together with the snapshot, so that its id can never speak for another one.
            weakref.finalize(snapshot, known.pop, key, None)
            known[key] = build(snapshot)
        return known[key]

    return index
