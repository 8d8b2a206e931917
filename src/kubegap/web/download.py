"""The whole library as one file, and what to check it with."""

from __future__ import annotations

import hashlib
import io
import zipfile
from functools import cached_property

import msgspec
from msgspec import Struct

from kubegap.library.generation import Generation
from kubegap.library.record import Incident
from kubegap.library.schema import schema_of
from kubegap.web.structured import LICENCE

NAME = "incident-library.zip"
# Files of a zip carry a date; ours say nothing by it, so that the same library is the same file.
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_README = """Incident Library

incidents.ndjson      one record a line, by id
vocabulary.json       the terms of all facets
incident.schema.json  JSON Schema of a record
SHA256SUMS            check with: sha256sum -c SHA256SUMS

Licence of the records: CC BY 4.0, {licence}
Content hash of this edition: {hash}
"""


class DownloadFile(Struct, frozen=True):
    """A file inside the download."""

    name: str
    bytes: int
    sha256: str


class Description(Struct, frozen=True):
    """What the download is, and its SHA-256."""

    hash: str
    revision: str
    incidents: int
    terms: dict[str, int]
    licence: str
    href: str
    schema: str
    bytes: int
    sha256: str
    files: list[DownloadFile]


class Download:
    """The library as a zip file, made when it is first asked for."""

    def __init__(self, generation: Generation) -> None:
        self._generation = generation

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The files in it."""
        generation = self._generation
        found = {
            "incidents.ndjson": b"".join(msgspec.json.encode(incident) + b"\n" for incident in generation.incidents()),
            "vocabulary.json": msgspec.json.encode(generation.vocabulary.facets),
            "incident.schema.json": schema(),
            "README.txt": _README.format(licence=LICENCE, hash=generation.manifest.hash).encode(),
        }
        sums = "".join(f"{_digest(data)}  {name}\n" for name, data in found.items())
        return {**found, "SHA256SUMS": sums.encode()}

    @cached_property
    def data(self) -> bytes:
        """The zip file; the same library gives the same bytes."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.files.items():
                entry = zipfile.ZipInfo(f"incident-library/{name}", _NO_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
        return out.getvalue()

    def describe(self, href: str, schema_href: str) -> Description:
        """What a program needs to take it and trust it."""
        manifest = self._generation.manifest
        return Description(
            hash=manifest.hash,
            revision=manifest.revision,
            incidents=manifest.incidents,
            terms=manifest.terms,
            licence=LICENCE,
            href=href,
            schema=schema_href,
            bytes=len(self.data),
            sha256=_digest(self.data),
            files=[DownloadFile(name, len(data), _digest(data)) for name, data in self.files.items()],
        )


def schema() -> bytes:
    """The JSON Schema of a record."""
    return msgspec.json.format(msgspec.json.encode(schema_of(Incident)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
