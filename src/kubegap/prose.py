"""Sentences and commands in the words of a check's page."""

import re
from collections.abc import Iterator
from itertools import groupby

# A sentence may begin with the name of the program too; in Korean it then holds Hangul.
_COMMAND = re.compile(r"kubectl [^\uac00-\ud7a3]*$")


def is_command(line: str) -> bool:
    """Whether a line is a command that can be pasted."""
    return bool(_COMMAND.match(line))


def blocks(text: str) -> Iterator[tuple[bool, str]]:
    """Lines that stand together, and whether they are commands."""
    for are_commands, lines in groupby(text.splitlines(), key=is_command):
        yield are_commands, "\n".join(lines)
