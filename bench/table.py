"""A table of measurements against targets."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Row(Struct, frozen=True):
    """One measurement; `limit` is the target in the same unit, None where there is none."""

    what: str
    target: str
    value: float
    unit: str
    limit: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the target was met, or by how much it was missed."""
        if self.limit is None:
            return ""
        return "met" if self.value <= self.limit else f"missed, {self.value / self.limit:.1f} ×"


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    head = "| what | target | measured | |\n|---|---|---|---|\n"
    lines = (
        f"| {row.what} | {row.target} | {row.value:,.3g} {row.unit} {f'({row.note})' if row.note else ''} | {row.verdict} |\n"
        for row in rows
    )
    return head + "".join(lines)
