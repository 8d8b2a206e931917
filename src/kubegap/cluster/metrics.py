"""Families of the API server's own metrics, which one answer holds together with all others and may be tens of megabytes long."""

from __future__ import annotations

import re

from kubegap.cluster.listing import Listing, check_status
from kubegap.cluster.objects import METRICS, Metadata
from kubegap.cluster.snapshot import ReadState, Unread
from kubegap.cluster.transport import Door, Unanswered
from kubegap.text import Text

_SHOWN = 160
_ACCEPT = "text/plain;version=0.0.4"
# Every server of Kubernetes says this of itself: without it, what came is no answer, and that nothing was counted no news.
_SIGN = b"kubernetes_build_info"
_SERIES = re.compile(r"\w+\{(?P<labels>.*)\} (?P<value>\S+)(?: \d+)?\s*")
_NOTHING = re.compile(r"[-+]?0+(?:\.0*)?(?:[eE][-+]?\d+)?|NaN")
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
        lines = answer.body.decode(errors="replace").split("\n")
        self._take([self.kind(metadata=metadata) for line in lines if (metadata := self._series(line, family))])

    def _series(self, line: str, family: str) -> Metadata | None:
        if not line.startswith(f"{family}{{"):
            return None
        try:
            labels = series(line)
        except ValueError:
            self.unread.append(Unread(METRICS, line[:_SHOWN], self.kind.resource.path))
            return None
        return Metadata(name=_name(labels), labels=labels) if labels else None


def series(line: str) -> dict[str, str]:
    """The labels of a line of a family, none if its value is zero; raises ValueError for what is no such line."""
    match = _SERIES.fullmatch(line)
    if not match:
        raise ValueError(line)
    if _NOTHING.fullmatch(match["value"]):
        return {}
    return {name: re.sub(r"\\.", _unescaped, value) for name, value in _LABEL.findall(match["labels"])}


def _unescaped(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0], match[0])


def _name(labels: dict[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in sorted(labels.items()) if value)


_NO_METRICS = Text(
    ko="`/metrics` 의 답에 API 서버의 지표가 없다", en="the answer of `/metrics` holds no metrics of an API server"
)
