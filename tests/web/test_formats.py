"""The encoders that the pages and the command line share."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest
from msgspec.structs import replace

from kubegap.library.record import Incident
from kubegap.library.search.formats import COLUMNS, harmless, to_csv, to_markdown, to_ndjson
from kubegap.library.search.query import Query
from kubegap.library.search.result import Item
from kubegap.library.search.search import Search


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@a", "\tx", "\rx"])
def test_no_cell_is_a_formula(cell: str):
    assert harmless(cell) == f"'{cell}"


def test_csv_keeps_hangul_commas_and_lines(case: Incident):
    hostile = replace(case, organisation='=cmd|"/c calc", 회사')
    rows = list(csv.reader(io.StringIO(to_csv([hostile]).removeprefix("\ufeff"))))

    assert rows[0] == list(COLUMNS)
    assert rows[1][COLUMNS.index("organisation")] == '\'=cmd|"/c calc", 회사'
    assert rows[1][COLUMNS.index("title_ko")] == case.title.ko
    assert len(rows) == 2


def test_ndjson_lines_are_the_items(search: Search):
    items = search.run(Query(q="NCCL")).items
    lines = to_ndjson(items).splitlines()

    assert [msgspec.json.decode(line, type=Item) for line in lines] == items


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_markdown_has_the_sentence_and_a_row_for_each_case(search: Search, lang: str):
    result = search.run(Query(q="NCCL"))
    text = to_markdown(result, lang)

    assert text.startswith(result.sentence.of(lang))
    assert text.count("\n| ") == len(result.items) + 1


def test_markdown_of_nothing_has_no_table(search: Search):
    assert "|" not in to_markdown(search.run(Query(q="xyzzyqwv")), "en")
