"""Records are read strictly: every kind of mistake is refused at the right line, with what would be right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kubegap.library import documents
from kubegap.library.record import Incident, Record
from kubegap.library.schema import schema_of
from kubegap.library.strict_yaml import parse
from tests.library import made

RECORDS = sorted(made.ROOT.glob("incidents/*/*.yaml"))


def read(text: str, incident: str = made.EXAMPLE_ID) -> list:
    document = documents.decode("x.yaml", text.encode(), Incident, id=incident)
    return document if isinstance(document, list) else []


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


FORMS = "expected a pair of ko and en, or a list of such pairs, found text"
PRECISIONS = "`daily` is not one of: approximate, day, month, year"
IMPACT = '{source: 1, at: "section Impact"}'
# What is changed in the example; the line of the problem where it is not that of the change; the message; the right name.
MISTAKES = {
    "field removed": ("organisation: Example Corp\n", "", "title:", "the field `organisation` is missing", None),
    "field misspelt": ("organisation:", "organization:", None, "there is no field `organization`", "organisation"),
    "value not in the list": ("  precision: day\n", "  precision: daily\n", None, PRECISIONS, "day"),
    "text for a list": ("platforms: [gke]", "platforms: gke", None, "expected a list, found text", None),
    "text for a pair": ("symptom:\n  ko:", "symptom: words\nx:\n  ko:", None, FORMS, None),
    "word for a number": (IMPACT, IMPACT.replace("1", "one"), None, "expected a whole number, found text", None),
    "empty list": ("actions:\n", "actions: []\nx:\n", None, "the list is empty; at least one is needed", None),
    "wrong form": ("PT4H30M\n\n", "4h\n\n", None, "`4h` does not have the right form", None),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_told_at_its_line(mistake: str) -> None:
    old, new, elsewhere, message, meant = MISTAKES[mistake]
    text = made.changed(old, new)

    (problem, *_) = [problem for problem in read(text) if problem.message.en == message]

    assert problem.line == (line_of(text, elsewhere) if elsewhere else line_of(made.EXAMPLE, old))
    assert meant is None or meant in problem.hint.en


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_mutated_record_is_refused_at_the_right_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    title = line_of(text, "\ntitle:") + 1
    first_ko = next(number for number, line in enumerate(text.splitlines(), 1) if re.match(r" +ko: ", line))

    doubled = read(text.replace("\norganisation:", "\nadded: 2026-11-30\norganisation:", 1), path.stem)
    assert any("stands twice" in problem.message.en for problem in doubled)
    removed = read(re.sub(r"\nadded: .*", "", text), path.stem)
    assert [(problem.line, problem.message.en) for problem in removed] == [(title, "the field `added` is missing")]
    one_language = read(
        "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number != first_ko) + "\n", path.stem
    )
    assert any(
        problem.field == "title" and problem.message.en == "the field `ko` is missing" for problem in one_language
    )


def test_misspelt_term_is_told_with_the_nearest(tmp_path: Path) -> None:
    folder = made.root(
        tmp_path, {made.EXAMPLE_ID: made.changed("term: admission-webhook\n", "term: admision-webhook\n")}
    )

    (problem,) = made.problems(folder, "terms-exist")

    assert problem.line == line_of(made.EXAMPLE, "term: admission-webhook\n")
    assert problem.sentence("en").endswith("`admision-webhook`: no such component; did you mean `admission-webhook`?")


def _fields(schema: dict, definitions: dict) -> set[str]:
    """All field names of a schema and of what it refers to."""
    names = set(schema.get("properties", {}))
    for definition in definitions.values():
        names |= set(definition.get("properties", {}))
    return names


def test_example_shows_every_field_and_no_other() -> None:
    schema = schema_of(Record)
    shown = set(re.findall(r"[{ ,#]*\b([a-z_]+):", made.EXAMPLE))

    assert _fields(schema, schema["$defs"]) - shown == set()
    assert read(made.EXAMPLE) == []


def test_files_elsewhere_are_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path)
    (folder / "incidents" / "2024" / "notes.txt").write_text("x")

    assert [problem.message.en[:24] for problem in made.load(folder).problems] == ["a record stands at `inci"]


def test_second_root_adds_records_to_the_first(tmp_path: Path) -> None:
    from kubegap.library import loading

    first = made.root(tmp_path / "first")
    made.write(tmp_path / "second", "2024-03-own-case", made.EXAMPLE)

    assert list(loading.load([first, tmp_path / "second"]).incidents) == [made.EXAMPLE_ID, "2024-03-own-case"]


def test_same_id_in_two_roots_is_told(tmp_path: Path) -> None:
    from kubegap.library import loading

    first = made.root(tmp_path / "first")
    made.write(tmp_path / "second", made.EXAMPLE_ID, made.EXAMPLE)

    assert [problem.message.en for problem in loading.load([first, tmp_path / "second"]).problems] == [
        f"a record with this id stands in {documents.shown(first / 'incidents' / '2024' / (made.EXAMPLE_ID + '.yaml'))} already"
    ]


def test_parsed_example_is_plain() -> None:
    assert parse(made.EXAMPLE.encode()).faults == []
