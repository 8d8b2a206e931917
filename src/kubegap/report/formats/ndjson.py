"""JSON by lines: the first is the run (cluster, coverage, summary, checks), each other one finding."""

import msgspec

from kubegap.report.formats.json import shape
from kubegap.report.view import View


def render(view: View) -> str:
    """What was not seen stands in the first line, so that no reader of findings alone takes silence for health."""
    whole = shape(view)
    head = {name: getattr(whole, name) for name in whole.__struct_fields__ if name != "findings"}
    present = {name: value for name, value in head.items() if value is not msgspec.UNSET}
    return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in (present, *whole.findings))
