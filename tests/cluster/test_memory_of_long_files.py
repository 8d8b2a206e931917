"""Fifty megabytes on standard input take no more memory than what the checks read of them."""

import json
import subprocess
import sys

import pytest
import yaml

_MEASURE = """
import re, sys
from pathlib import Path
from kubegap.cluster import files
files.read(["-"], sys.stdin.buffer)
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) >> 10)
"""


def megabytes(pieces):
    """The memory that a process takes at most which reads these pieces on its standard input."""
    process = subprocess.Popen([sys.executable, "-c", _MEASURE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for piece in pieces:
        process.stdin.write(piece)
    return int(process.communicate()[0])


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_memory_does_not_grow_with_what_no_check_reads(form):
    def dump(count, size):
        thing = {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "a", "annotations": {"note": "x" * size}},
        }
        text = (
            json.dumps(thing) if form == "json" else "- " + yaml.safe_dump(thing, width=1 << 30).replace("\n", "\n  ")
        )
        yield b'{"kind": "List", "items": [' if form == "json" else b"kind: List\nitems:\n"
        for number in range(count):
            yield (", " if form == "json" and number else "").encode() + text.rstrip().encode() + b"\n"
        yield b"]}" if form == "json" else b"metadata: {}\n"

    assert megabytes(dump(200, 250_000)) - megabytes(dump(20, 1_000)) < 25
