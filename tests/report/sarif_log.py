"""SARIF 2.1.0 by the schema of OASIS, and by what code scanning asks besides."""

import re

from tests.schemas import SARIF, faults

_URI = re.compile(r"[A-Za-z0-9._~%:/-]+")


def checked(log):
    """The log, if it is valid, its results name the rules that they say they do, and no text and no place is empty."""
    assert faults(SARIF, log) == []
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(set(rules)) == len(rules)
        assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert [place for place, text in _of(log, {"text", "markdown"}) if not text] == []
    assert [uri for _, uri in _of(log, {"uri"}) if not _URI.fullmatch(uri)] == []
    assert [uri for _, uri in _of(log, {"helpUri"}) if not re.match("https?://", uri)] == []
    return log


def _of(part, names, place="$"):
    """Every value under one of these names, with its place."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in items:
        if key in names:
            yield f"{place}.{key}", value
        yield from _of(value, names, f"{place}.{key}")
