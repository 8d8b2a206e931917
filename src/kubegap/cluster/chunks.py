"""The bytes of an input a little at a time, as UTF-8, watched for the newest time in them; and only some lines of a long text."""

import codecs
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import BinaryIO

SIZE = 1 << 20
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_TIME = re.compile(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?=(?:\.\d+)?Z)")
# The times that the API server and controllers write; not those that lie ahead, such as the end of a certificate.
_PAST = re.compile(
    rb"""\b(?:creationTimestamp|time|startTime|startedAt|finishedAt|renewTime|lastTransitionTime|lastHeartbeatTime"""
    rb"""|lastProbeTime|lastUpdateTime|lastTimestamp|eventTime)"?:\s*["']?\Z"""
)
_KEY_LENGTH = 40
# A time with its key, its fraction and its `Z`, which two chunks may share.
_SHARED = 96


class Chunks:
    """Reads a file to its end, once; `newest` is the newest time at which something happened, of what was read so far."""

    def __init__(self, file: BinaryIO, size: int = SIZE) -> None:
        self._file = file
        self._size = size
        self._newest = b""
        self._last = b""
        self._recode: codecs.IncrementalDecoder | None = None
        self._begun = b""
        self._start()

    def read(self) -> bytes:
        """The next bytes, some `size` of them; none at the end."""
        raw, self._begun = self._begun or self._file.read(self._size), b""
        # A pipe may hand over less than was asked for, which makes more of this and does no harm.
        chunk = self._recode.decode(raw, not raw).encode(errors="surrogateescape") if self._recode else raw
        if not chunk and raw:
            return self.read()
        self._watch(chunk)
        return chunk

    @property
    def newest(self) -> datetime | None:
        """The nearest that a dump has to a clock."""
        try:
            return datetime.fromisoformat(self._newest.decode()).replace(tzinfo=UTC) if self._newest else None
        except ValueError:
            return None

    def _start(self) -> None:
        """Drop the mark of an encoding; PowerShell's `>` writes UTF-16."""
        begun = b""
        while len(begun) < 3 and (more := self._file.read(max(3, self._size))):
            begun += more
        for mark, encoding in _BOMS:
            if begun.startswith(mark):
                begun = begun[len(mark) :]
                if encoding != "utf-8":
                    self._recode = codecs.getincrementaldecoder(encoding)("surrogateescape")
        self._begun = begun

    def _watch(self, chunk: bytes) -> None:
        text = self._last + chunk
        for match in _TIME.finditer(text):
            # Few are newer than all before them, so few have their key looked at.
            if match[0] > self._newest and _PAST.search(text, max(0, match.start() - _KEY_LENGTH), match.start()):
                self._newest = match[0]
        self._last = text[-_SHARED:]


def lines_that_begin(parts: Iterable[bytes], ways: tuple[bytes, ...]) -> Iterator[bytes]:
    """The lines that begin in one of these ways, with their ends; a line may lie in several parts."""
    rest = b""
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        yield from (line + b"\n" for line in lines if line.startswith(ways))
    if rest.startswith(ways):
        yield rest
