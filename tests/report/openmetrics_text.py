"""Reads OpenMetrics strictly, as far as gauges go: families whole and once, samples once, and the end at the end."""

import re

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
_SAMPLE = re.compile(rf"({_NAME})(?:{{((?:{_LABEL})(?:,{_LABEL})*)}})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
_META = re.compile(rf"# (TYPE|UNIT|HELP) ({_NAME}) (.+)")


def families(text):
    """The samples of each family by their labels."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""]
    found = {}
    name = None
    for line in lines[:-2]:
        if meta := _META.fullmatch(line):
            if meta[1] == "TYPE":
                name = meta[2]
                assert meta[3] == "gauge"
                assert name not in found
                found[name] = {}
            assert meta[2] == name
            assert meta[1] != "UNIT" or name.endswith(f"_{meta[3]}")
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample, line
        assert sample[1] == name
        assert sample[2] not in found[name]
        found[name][sample[2]] = float(sample[3])
    return found
