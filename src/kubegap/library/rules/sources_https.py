"""A source has an https address, except an earlier edition of this page, which has none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.record import Source
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Sources whose address is missing, not https, or given where there is none."""
    for document in library.incidents.values():
        for place, source in enumerate(document.value.sources):
            if (message := _wrong(source)) is not None:
                yield document.problem(("sources", place, "url"), message)


def _wrong(source: Source) -> Text | None:
    if source.kind == "earlier-edition":
        return _HAS_NO_URL if source.url else None
    if source.url is None:
        return _NO_URL
    return None if source.url.startswith("https://") else _NOT_HTTPS


_NO_URL = Text(ko="출처에 `url` 이 없습니다.", en="the source has no `url`")
_NOT_HTTPS = Text(ko="https 주소가 아닙니다.", en="the address is not https")
_HAS_NO_URL = Text(ko="이전 판에는 주소가 없습니다.", en="an earlier edition has no address")
