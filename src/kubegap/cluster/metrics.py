"""Families of the API server's own metrics, which one answer holds together with all others and may be tens of megabytes long."""

from __future__ import annotations

import re

from kubegap.cluster.listing import Listing, check_status
from kubegap.cluster.objects import METRICS, Metadata
from kubegap.cluster.snapshot import ReadState
from kubegap.cluster.transport import Door, Unanswered
from kubegap.text import Text

_ACCEPT = "text/plain;version=0.0.4"
# Every server of Kubernetes says this of itself: without it, what came is no answer, and that nothing was counted no news.
_SIGN = b"kubernetes_build_info"
_SERIES = re.compile(r"(?P<family>[A-Za-z_:][\w:]*)\{(?P<labels>.*)\} (?P<value>\S+)(?: \d+)?\s*")
_LABEL = re.compile(r'([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"')
_ESCAPED = {r"\\": "\\", r"\"": '"', r"\n": "\n"}


class Scrape(Listing):
    """One family, each series an object of which the labels are those of the series; series that count nothing are left out."""

    def _read_again(self, door: Door) -> None:
        family = self.kind.resource.plural
        answer = door.get(METRICS, accept=_ACCEPT, lines=(f"{family}{{".encode(), _SIGN))
        check_status(answer)
        if _SIGN not in answer.body:
            raise Unanswered(ReadState.HALF_READ, _NO_METRICS)
        found = [
            labels for line in answer.body.decode(errors="replace").splitlines() if (labels := series(line, family))
        ]
        self._take([self.kind(metadata=Metadata(name=_name(labels), labels=labels)) for labels in found])


def series(line: str, family: str) -> dict[str, str] | None:
    """The labels of a line, if it is of the family and its value is not zero."""
    match = _SERIES.fullmatch(line)
    if not match or match["family"] != family or float(match["value"]) == 0:
        return None
    return {name: re.sub(r"\\.", _unescaped, value) for name, value in _LABEL.findall(match["labels"])}


def _unescaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0], match[0])


def _name(labels: dict[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(labels.items()) if value)


_NO_METRICS = Text(
    ko="`/metrics` 의 답에 API 서버의 지표가 없다", en="the answer of `/metrics` holds no metrics of an API server"
)
