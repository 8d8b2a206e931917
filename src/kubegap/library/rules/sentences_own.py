"""No sentence stands word for word in two records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.normal import folded
from kubegap.library.walk import texts
from kubegap.problems import Problem
from kubegap.text import Text

LONG_KO = 25
LONG_EN = 50
_ENDS = re.compile(r"(?<=[.!?])\s+")


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Long sentences found again, at the later record."""
    first: dict[str, str] = {}
    for incident, document in library.incidents.items():
        for path, text in texts(document.value):
            for lang, side, long in (("ko", text.ko, LONG_KO), ("en", text.en, LONG_EN)):
                for sentence in _ENDS.split(side):
                    if len(sentence) < long:
                        continue
                    owner = first.setdefault(folded(sentence), incident)
                    if owner != incident:
                        yield document.problem((*path, lang), _AGAIN.fill(other=owner))


_AGAIN = Text(ko="같은 문장이 `{other}` 에도 있습니다.", en="the same sentence stands in `{other}`")
