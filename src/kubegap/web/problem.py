"""A mistake as a problem document (RFC 9457), in the asker's language."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from starlette.responses import Response

from kubegap.text import Lang
from kubegap.web.mistakes import Mistake

MEDIA_TYPE = "application/problem+json"


class Wrong(Struct, frozen=True, omit_defaults=True):
    """One thing wrong: in which parameter, and what may have been meant."""

    detail: str
    parameter: str | None = None
    nearest: list[str] = []


class Problem(Struct, frozen=True):
    """The one shape of errors. `type` is a stable name; `title` and `detail` are for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[Wrong]


def problem(mistake: Mistake, lang: Lang) -> Response:
    """The answer to a program."""
    body = Problem(
        type=f"urn:kubegap:problem:{mistake.kind}",
        title=mistake.title.of(lang),
        status=mistake.status,
        detail=" ".join(detail.message.of(lang) for detail in mistake.details),
        errors=[Wrong(detail.message.of(lang), detail.parameter, detail.nearest) for detail in mistake.details],
    )
    headers = {"content-language": lang, "vary": "Accept-Language, Cookie", "cache-control": "no-store"}
    return Response(msgspec.json.encode(body), mistake.status, headers=headers, media_type=MEDIA_TYPE)
