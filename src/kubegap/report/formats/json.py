"""The frozen JSON shape."""

from kubegap.report.json import encode_view
from kubegap.report.view import View


def render(view: View) -> str:
    """One object, indented."""
    return encode_view(view).decode()
