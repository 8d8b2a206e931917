"""Tables that age: what other projects and providers call things, as it was on `AS_OF`."""

from datetime import UTC, datetime, timedelta

from kubegap.cluster.snapshot import Snapshot

AS_OF = datetime(2026, 11, 30, tzinfo=UTC)
_GOOD_FOR = timedelta(days=365)


def are_tables_old(snapshot: Snapshot) -> bool:
    """Whether the tables are so old that a reader should know."""
    age = snapshot.time_since(AS_OF)
    return age is not None and age > _GOOD_FOR
