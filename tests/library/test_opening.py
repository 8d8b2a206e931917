"""An index that may only be read is searched all the same; a damaged one is refused before anything is asked of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kubegap.library.generation import DamagedLibrary, Generation
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


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"x" * path.stat().st_size),
    ],
)
def test_a_damaged_file_of_the_index_is_told_with_the_place(generation: Generation, tmp_path: Path, damage) -> None:
    unneeded = {".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"}
    names = {file.name for file in (generation.folder / FOLDER).iterdir()} - unneeded
    assert len(names) > 5
    for name in names:
        folder = tmp_path / name / FOLDER
        shutil.copytree(generation.folder / FOLDER, folder)
        damage(folder / name)

        with pytest.raises(DamagedLibrary) as raised:
            TantivyEngine(folder)

        assert raised.value.sentence("en").startswith(f"{folder} cannot be read (")
        assert raised.value.sentence("en").endswith("Run `kubegap library build`.")
        assert raised.value.sentence("ko").startswith(f"{folder} 를 읽을 수 없습니다(")


def test_a_missing_index_is_told_with_the_place(tmp_path: Path) -> None:
    with pytest.raises(DamagedLibrary) as raised:
        TantivyEngine(tmp_path / FOLDER)

    assert str(tmp_path / FOLDER) in raised.value.sentence("en")
