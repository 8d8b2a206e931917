"""A table of measurements against targets."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Row(Struct, frozen=True):
    """One measurement; `limit` is the most it may be in the same unit (or the `least`), None where there is none."""

    what: str
    target: str
    value: float
    unit: str
    limit: float | None = None
    note: str = ""
    least: bool = False

    @property
    def verdict(self) -> str:
        """Whether the target was met, or by how much it was missed."""
        if self.limit is None:
            return ""
        reached, asked = (self.limit, self.value) if self.least else (self.value, self.limit)
        if reached <= asked:
            return "met"
        return f"missed, {reached / asked:.1f} ×" if asked else "missed"


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    head = "| what | target | measured | |\n|---|---|---|---|\n"
    lines = (
        f"| {row.what} | {row.target} | {row.value:,.3g} {row.unit} {f'({row.note})' if row.note else ''} | {row.verdict} |\n"
        for row in rows
    )
    return head + "".join(lines)
