"""A list of cases in other forms: a spreadsheet, lines of JSON, a table for a review document."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

import msgspec

from kubegap.library.record import Incident, passages
from kubegap.library.search.result import Item, Result
from kubegap.text import LANGS, Lang, Text

BOM = "\ufeff"
# A cell that begins with one of these is a formula to a spreadsheet.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
_BESIDE = ";"
_PROSE = ("symptom", "trigger", "detection", "actions", "follow_ups", "lesson")
COLUMNS = (
    *("id", "title_ko", "title_en", "organisation", "happened_from", "happened_to", "precision", "basis", "added"),
    *("platforms", "components", "causes", "symptoms", "factors"),
    *(f"{name}_{lang}" for name in _PROSE for lang in LANGS),
    *("sources", "signatures"),
)


def to_csv(incidents: Iterable[Incident]) -> str:
    """A spreadsheet, one incident a row: UTF-8 with a byte-order mark, several values joined by `;`, texts a line each."""
    return "".join(csv_lines(incidents))


def csv_lines(incidents: Iterable[Incident]) -> Iterator[str]:
    """The same, line by line, for lists that are too long to hold."""
    yield BOM + _line(COLUMNS)
    for incident in incidents:
        yield _line(_cells(incident))


def to_ndjson(items: Iterable[Item]) -> str:
    """One item of a result a line, as it stands in the result's JSON."""
    return "".join(ndjson_lines(items))


def ndjson_lines(items: Iterable[Item]) -> Iterator[str]:
    """The same, line by line."""
    return (msgspec.json.encode(item).decode() + "\n" for item in items)


def to_markdown(result: Result, lang: Lang) -> str:
    """The sentence and a table of one page, with the terms' ids."""
    head = _HEAD.of(lang)
    rows = [
        _markdown_row([item.title.of(lang), item.organisation, item.happened.from_, f"`{item.id}`"])
        for item in result.items
    ]
    table = "\n".join([head, "|---|---|---|---|", *rows, ""]) if rows else ""
    return f"{result.sentence.of(lang)}\n\n{_TOTAL.fill(total=f'{result.total:,}').of(lang)}\n" + (
        f"\n{table}" if table else ""
    )


def harmless(cell: str) -> str:
    """A cell that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _cells(incident: Incident) -> list[str]:
    happened = incident.happened
    head = [incident.id, incident.title.ko, incident.title.en, incident.organisation, happened.from_, happened.to or ""]
    terms = [
        [tag.term for tag in tags]
        for tags in (incident.components, incident.causes, incident.symptoms, incident.factors)
    ]
    prose = [_prose(incident, name, lang) for name in _PROSE for lang in LANGS]
    sources = [source.url or source.title for source in incident.sources]
    return [
        *head,
        *(happened.precision, happened.basis, incident.added),
        *(_BESIDE.join(values) for values in (incident.platforms, *terms)),
        *prose,
        *(_BESIDE.join(sources), "\n".join(incident.signatures)),
    ]


def _prose(incident: Incident, name: str, lang: Lang) -> str:
    return "\n".join(passage.of(lang) for passage in passages(getattr(incident, name)))


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([harmless(cell) for cell in cells])
    return out.getvalue()


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


_HEAD = Text(ko="| 사례 | 조직 | 일어난 때 | id |", en="| Case | Organisation | When | Id |")
_TOTAL = Text(ko="사례 {total}건", en="Cases: {total}")
