"""Fixtures that every part shares: the library's own files, and what is compiled from them once."""

from __future__ import annotations

from pathlib import Path

import pytest

from kubegap.library import loading
from kubegap.library.compiling import compile_library
from kubegap.library.generation import Generation, open_library
from kubegap.library.loading import Library
from kubegap.library.search.search import Search

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def loaded() -> Library:
    """The library in the repository, as its files tell it."""
    return loading.load([ROOT / "library"])


@pytest.fixture(scope="session")
def library_dir(loaded: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the repository's library compiled."""
    from kubegap.checks import pages
    from kubegap.checks.pages import CHECKS

    out = tmp_path_factory.mktemp("library")
    incidents = [document.value for document in loaded.incidents.values()]
    compile_library(
        incidents, loaded.vocabulary, out, revision="test", extra={CHECKS: pages.encode(pages.read_pages())}
    )
    return out


@pytest.fixture(scope="session")
def generation(library_dir: Path) -> Generation:
    return open_library(library_dir)


@pytest.fixture(scope="session")
def search(generation: Generation) -> Search:
    return Search(generation)
