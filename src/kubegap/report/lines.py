"""Lines of a report: what strangers wrote made visible, cut with its count, and hung under its first line."""

from itertools import accumulate

from kubegap import terminal

# Letters by category, and yet nothing to see: the Hangul fillers and the Braille blank.
_BLANKS = {ord(blank): f"\\u{ord(blank):04x}" for blank in "\u115f\u1160\u3164\uffa0\u2800"}


def escaped(text: str) -> str:
    """Control, bidirectional, zero-width and blank characters as `\\u202e`, so that names cannot lie or act."""
    return terminal.visible(text.translate(_BLANKS))


def shortened(text: str, columns: int) -> str:
    """At most about that many columns; what is cut is counted, as `… (+312)`."""
    ends = accumulate(map(terminal.width, text))
    kept = sum(end <= columns for end in ends)
    return text if kept == len(text) else f"{text[:kept]}… (+{len(text) - kept:,})"


def wrapped(text: str, width: int, indent: str, hanging: str | None = None) -> list[str]:
    """The text in lines of at most `width` columns, the first after `indent`, the others after `hanging`."""
    hanging = indent if hanging is None else hanging
    first, *rest = terminal.wrap(text, width - max(len(indent), len(hanging)))
    return [indent + first, *(hanging + line for line in rest)]
