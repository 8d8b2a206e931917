"""The reader's language: chosen before, else the browser's."""

from __future__ import annotations

from kubegap.text import LANGS, Lang

COOKIE = "lang"
DEFAULT: Lang = "en"
_MOST = 32


def known(value: str | None) -> Lang | None:
    """The value if it is one of our languages."""
    return next((lang for lang in LANGS if lang == value), None)


def choose(cookie: str | None, accepted: str) -> Lang:
    """The remembered language, else the best of an Accept-Language header, else English."""
    return known(cookie) or accept(accepted)


def accept(header: str) -> Lang:
    """The best of an Accept-Language header; a header of any form is read as far as it makes sense."""
    best: tuple[float, Lang] = (0.0, DEFAULT)
    for part in header.split(",")[:_MOST]:
        name, _, weight = part.partition(";")
        lang = known(name.strip().lower().partition("-")[0])
        if lang and (quality := _quality(weight)) > best[0]:
            best = (quality, lang)
    return best[1]


def _quality(weight: str) -> float:
    name, _, value = weight.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        quality = float(value)
    except ValueError:
        return 0.0
    return quality if 0 <= quality <= 1 else 0.0
