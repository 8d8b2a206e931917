"""Finds the pairs by walking the areas: their pages from YAML or compiled JSON, their `find` by import.

For `kubegap library build`: `encode(read_pages())` makes `checks.json`. A cold `kubegap check` uses `decode`
of that and reads no YAML. This is the only module of the checks that opens files, and only the package's own.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import cast

import msgspec

from kubegap.checks.model import Finder
from kubegap.checks.page import Page
from kubegap.problems import BadRecords, Problem
from kubegap.text import Text

# The file of a compiled library that holds them.
CHECKS = "checks.json"
_HERE = Path(__file__).parent
_decode = msgspec.json.Decoder(dict[str, Page]).decode


def read_pages() -> dict[str, Page]:
    """The pages of all pairs by check id, in the order of ids; raises `BadRecords` with every problem of every page."""
    # Only those who compile read YAML, and it takes its time to import.
    from kubegap.library import documents  # noqa: PLC0415

    pages: dict[str, Page] = {}
    problems: list[Problem] = []
    for file in sorted(_HERE.glob("*/*.yaml"), key=lambda file: file.stem):
        read = documents.read(file, Page, id=id_of(file), area=file.parent.name)
        if isinstance(read, list):
            problems += read
        elif not file.with_suffix(".py").exists():
            problems.append(read.problem((), _NO_CODE.fill(file=file.with_suffix(".py").name)))
        else:
            pages[read.value.id] = read.value
    if problems:
        raise BadRecords(problems)
    return pages


def encode(pages: Mapping[str, Page]) -> bytes:
    """All pages as JSON, the same bytes for the same pages."""
    return msgspec.json.encode(pages, order="sorted")


def decode(data: bytes) -> dict[str, Page]:
    """The pages of `encode`."""
    return _decode(data)


def finder(page: Page) -> Finder:
    """The `find` of a page's pair."""
    return cast(Finder, import_module(f"{__package__}.{page.area}.{page.id.replace('-', '_')}").find)


def id_of(file: Path) -> str:
    """The id that a pair's file name gives it."""
    return file.stem.replace("_", "-")


_NO_CODE = Text(ko="짝이 되는 {file} 파일이 없습니다.", en="the other half of the pair, {file}, is missing")
