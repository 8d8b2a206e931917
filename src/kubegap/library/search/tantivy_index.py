"""The index on disk: what of a case the engine keeps, writing it, and opening it where nothing may be written."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import tantivy

from kubegap.library.generation import reading
from kubegap.library.search.fields import FIELDS
from kubegap.library.search.prepared import Prepared

FOLDER = "tantivy"
# All facets share one field, so that one walk over its terms counts them all: `component:nccl`.
TERMS = "terms"
# The components that a case names itself, without broader ones.
OWN = "own"
_NUMBERS = ("first", "last", "is_exact", "newest_rank", "added_rank")
_WRITER_BYTES = 64_000_000
_LOCKS = "*.lock"


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("pairs", tokenizer_name="whitespace", index_option="basic")
    builder.add_text_field(TERMS, tokenizer_name="raw", index_option="basic")
    for number in _NUMBERS:
        builder.add_integer_field(number, indexed=True, fast=True)
    return builder.build()


SCHEMA = _schema()


def term_key(facet: str, term: str) -> str:
    """How a term of a facet, or of `OWN`, stands in the field of all terms."""
    return f"{facet}:{term}"


def build(folder: Path, entries: Iterable[Prepared]) -> None:
    """Write an index of all entries into an empty folder; raises `OSError` when the disk does not take it."""
    folder.mkdir(parents=True)
    with _refusals():
        # One thread, one segment: the same input gives the same answers, and a search has one place to look.
        writer = tantivy.Index(SCHEMA, path=str(folder)).writer(heap_size=_WRITER_BYTES, num_threads=1)
    for entry in entries:
        with _refusals():
            writer.add_document(_document(entry))
    with _refusals():
        writer.commit()
        writer.wait_merging_threads()


@contextmanager
def _refusals() -> Iterator[None]:
    """The engine tells a full disk as it tells everything else: by a `ValueError`."""
    try:
        yield
    except ValueError as error:
        raise OSError(str(error)) from error


def _document(entry: Prepared) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("id", entry.id)
    for field, keys in entry.keys.items():
        document.add_text(field, " ".join(keys))
    document.add_text("pairs", " ".join(entry.pairs))
    for facet, terms in entry.terms.items():
        for term in terms:
            document.add_text(TERMS, term_key(facet, term))
    for component in entry.own_components:
        document.add_text(TERMS, term_key(OWN, component))
    for number in _NUMBERS:
        document.add_integer(number, int(getattr(entry, number)))
    return document


def open_index(folder: Path) -> tantivy.Searcher:
    """The index, open to be searched; raises `DamagedLibrary` where files of it are missing or changed."""
    with reading(folder):
        searcher = _opened(folder).searcher()
        # Some files are opened when a field is first looked at: not in the middle of a search.
        for field in FIELDS:
            searcher.doc_freq(field, "")
        return searcher


def _opened(folder: Path) -> tantivy.Index:
    """Open it; tantivy wants to write a lock beside the index even to read, and where it may not, it gets links to the files."""
    try:
        return tantivy.Index.open(str(folder))
    except ValueError as error:
        if "Lockfile" not in str(error):
            raise
    beside = Path(tempfile.mkdtemp(prefix="kubegap-"))
    # Whoever has opened the files keeps them; the links go with the process.
    atexit.register(shutil.rmtree, beside, ignore_errors=True)
    locks = set(folder.glob(_LOCKS))
    for file in folder.iterdir():
        if file not in locks:
            (beside / file.name).symlink_to(file.resolve())
    return tantivy.Index.open(str(beside))
