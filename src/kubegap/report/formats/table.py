"""The report for a terminal."""

from kubegap.report import table
from kubegap.report.view import View


def render(view: View) -> str:
    """On one screen, or with `is_verbose` all of it."""
    return table.show(view)
