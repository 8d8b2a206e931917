"""Lines of a report: what strangers wrote made visible, cut with its count, and hung under its first line."""

from itertools import accumulate

from msgspec import Struct

from kubegap import terminal
from kubegap.checks.model import Severity
from kubegap.text import Lang, Text

# Letters by category, and yet nothing to see: the Hangul fillers and the Braille blank.
_BLANKS = {ord(blank): f"\\u{ord(blank):04x}" for blank in "\u115f\u1160\u3164\uffa0\u2800"}
_COLOURS = {
    Severity.CRITICAL: "1;31",
    Severity.HIGH: "31",
    Severity.MEDIUM: "33",
    Severity.LOW: "36",
    Severity.INFO: "2",
}


class Sheet(Struct, frozen=True):
    """What lines are written for: a language, some columns, colours or none, and where the library is, if anywhere."""

    lang: Lang
    width: int
    has_colour: bool = False
    library_url: str | None = None

    def lines(self, text: Text | str, indent: str = "", hanging: str | None = None) -> list[str]:
        """The text escaped, in lines of at most the width."""
        words = text.of(self.lang) if isinstance(text, Text) else text
        return wrapped(escaped(words), self.width, indent, hanging)

    def painted(self, severity: Severity, text: str) -> str:
        """In the severity's colour, if colours are wanted."""
        return f"\x1b[{_COLOURS[severity]}m{text}\x1b[0m" if self.has_colour else text


def escaped(text: str) -> str:
    """Control, bidirectional, zero-width and blank characters as `\\u202e`, so that names cannot lie or act."""
    return terminal.visible(text.translate(_BLANKS))


def shortened(text: str, columns: int) -> str:
    """At most about that many columns; what is cut is counted, as `… (+312)`."""
    ends = accumulate(map(terminal.width, text))
    kept = sum(end <= columns for end in ends)
    return text if kept == len(text) else f"{text[:kept].rstrip()}… (+{len(text) - kept:,})"


def fitted(text: str, columns: int) -> str:
    """`shortened` so that the count fits into the columns as well, as far as there is any room at all."""
    if terminal.width(text) <= columns:
        return text
    mark = terminal.width(f"… (+{len(text):,})")
    return shortened(text, max(0, columns - mark))


def wrapped(text: str, width: int, indent: str, hanging: str | None = None) -> list[str]:
    """The text in lines of at most `width` columns, the first after `indent`, the others after `hanging`."""
    hanging = indent if hanging is None else hanging
    first, *rest = terminal.wrap(text, width - max(len(indent), len(hanging)))
    return [indent + first, *(hanging + line for line in rest)]
