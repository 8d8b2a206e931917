"""From when until when a certificate is valid, read from its DER bytes.

Python's own reading needs a certificate that verified, which one of an insecure or expired server did not.
"""

from __future__ import annotations

from datetime import UTC, datetime

from kubegap.cluster.snapshot import Certificate

_SEQUENCE, _VERSION, _UTC_TIME = 0x30, 0xA0, 0x17


def read(encoded: bytes) -> Certificate | None:
    """The validity of an X.509 certificate (RFC 5280, 4.1); None for bytes that are none."""
    try:
        _, certificate = _parts(encoded)[0]
        fields = _parts(_parts(certificate)[0][1])
        if fields[0][0] == _VERSION:
            fields = fields[1:]
        # serial number, signature, issuer, validity
        before, after = _parts(fields[3][1])
        return Certificate(_time(*before), _time(*after))
    except (IndexError, ValueError):
        return None


def _parts(data: bytes) -> list[tuple[int, bytes]]:
    """The values that follow each other, as (tag, content)."""
    parts, at = [], 0
    while at < len(data):
        tag, length, start = data[at], data[at + 1], at + 2
        if length & 0x80:
            size = length & 0x7F
            length, start = int.from_bytes(data[start : start + size]), start + size
        if start + length > len(data):
            raise ValueError("cut off")
        parts.append((tag, data[start : start + length]))
        at = start + length
    return parts


def _time(tag: int, content: bytes) -> datetime:
    text = content.decode("ascii")
    if tag == _UTC_TIME:
        # Two digits of the year: 50 and above lie before 2000.
        text = ("19" if text[:2] >= "50" else "20") + text
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
