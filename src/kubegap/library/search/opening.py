"""Opens an index that nobody writes any more, also where nothing may be written: in an image, or installed by another user."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

import tantivy

_LOCKS = "*.lock"


def open_index(folder: Path) -> tantivy.Index:
    """The index; tantivy wants to write a lock beside it even to read, and where it may not, it gets links to the files."""
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
