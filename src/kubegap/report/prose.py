"""Sentences and commands in the words of a check's page."""

import re
from collections.abc import Iterator
from itertools import groupby

# Sentences begin with a capital, a backquote or Hangul, or hold Hangul later on.
_COMMAND = re.compile(r"[a-z][^\uac00-\ud7a3]*$")


def blocks(text: str) -> Iterator[tuple[bool, str]]:
    """Lines that stand together, and whether they are commands that can be pasted."""
    for is_command, lines in groupby(text.splitlines(), key=lambda line: bool(_COMMAND.match(line))):
        yield is_command, "\n".join(lines)
