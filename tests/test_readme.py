"""The READMEs tell the truth: their examples print what stands below them, and both languages show the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scripts import readme


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return readme.build_library(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize("name", readme.READMES)
def test_examples_print_what_stands_below_them(name: str, library: Path) -> None:
    assert readme.rewritten(name, library) == (readme.ROOT / name).read_text(encoding="utf-8")


def test_both_languages_have_the_same_commands_and_headings() -> None:
    texts = [(readme.ROOT / name).read_text(encoding="utf-8") for name in readme.READMES]

    commands = [re.findall(r"^\$ .*$|^make \w+|^kubegap .*$|^for .*$", text, re.MULTILINE) for text in texts]
    headings = [len(re.findall(r"^## ", text, re.MULTILINE)) for text in texts]

    assert commands[0] == commands[1]
    assert headings[0] == headings[1]
