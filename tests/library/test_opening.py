"""A library that may only be read is searched all the same."""

from __future__ import annotations

import shutil
from pathlib import Path

from kubegap.library.generation import Generation
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.library.search.tantivy_engine import TantivyEngine
from kubegap.library.search.tantivy_index import FOLDER


def test_an_index_beside_which_no_lock_can_be_written_is_opened(generation: Generation, tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    shutil.copytree(generation.folder / FOLDER, folder, ignore=shutil.ignore_patterns("*.lock"))
    # A folder of that name refuses the lock to every user, root included.
    (folder / ".tantivy-meta.lock").mkdir()

    answer = Search(generation, TantivyEngine(folder)).run(Query(q="webhook"))

    assert answer == Search(generation).run(Query(q="webhook"))
