"""`kubegap library schema`: the JSON Schemas by which editors check records, terms and pages of checks."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from kubegap.checks.page import Page
from kubegap.cli import options
from kubegap.library.record import Record
from kubegap.library.schema import schema_of
from kubegap.library.vocabulary import Terms
from kubegap.problems import writing
from kubegap.text import Lang, Text

_SCHEMAS = {"incident": Record, "terms": Terms, "check": Page}


def command(lang: Lang) -> click.Command:
    """The command in the reader's language."""

    @click.command(help=_HELP.of(lang))
    @click.option(
        "--out", type=click.Path(path_type=Path), default=Path("library/schema"), metavar="DIR", help=_OUT.of(lang)
    )
    @options.lang_option(lang)
    def schema(out: Path) -> None:
        for name, kind in _SCHEMAS.items():
            path = out / f"{name}.schema.json"
            with writing(path):
                out.mkdir(parents=True, exist_ok=True)
                path.write_bytes(msgspec.json.format(msgspec.json.encode(schema_of(kind))))
            click.echo(path)

    return schema


_HELP = Text(
    ko="편집기가 기록을 검사할 때 쓰는 JSON Schema 를 쓴다.",
    en="Write the JSON Schemas by which editors check records.",
)
_OUT = Text(ko="쓸 폴더 (기본값: library/schema)", en="Folder to write to (default: library/schema)")
