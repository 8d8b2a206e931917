"""Each data rule can fail: the example passes all, and one change makes exactly the rule in question speak."""

from __future__ import annotations

from pathlib import Path

import pytest

from kubegap.library import rules
from tests.library import made

OTHER = "2024-04-example-other"
LONG = "A sentence that is long enough to be noticed when two records have it in common."


def _vocabulary(folder: Path, facet: str, old: str, new: str) -> None:
    path = folder / "vocabulary" / f"{facet}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _other(**changes: str) -> str:
    """A second record that is unlike the first in every rule's eyes, then changed."""
    text = made.EXAMPLE.replace("from: 2024-03-09", "from: 2024-04-09").replace("to: 2024-03-10", "to: 2024-04-10")
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


RECORDS = {
    "terms-exist": made.changed("term: admission-webhook\n", "term: admission-webhok\n"),
    "tags-given-once": made.changed("term: api-server", "term: admission-webhook"),
    "tags-grounded": made.changed('    where: {source: 1, at: "section Impact"}\n', ""),
    "sources-named": made.changed('{source: 1, at: "section Impact"}', '{source: 2, at: "section Impact"}'),
    "sources-https": made.changed("url: https://example.com", "url: http://example.com"),
    "languages-in-place": made.changed("en: Forty nodes", "en: 노드 Forty nodes"),
    "texts-trimmed": made.changed("    ko: 출처가 고친 노드 수를 따라 38대를 40대로 바꿨다.", "    ko: ' '"),
    "dates-real": made.changed("added: 2026-11-30", "added: 2026-11-31"),
    "ids-dated": made.changed("from: 2024-03-09", "from: 2024-04-09").replace("to: 2024-03-10", "to: 2024-04-10"),
    "related-once": made.changed("related: []", "related: [2024-03-nowhere]"),
    "lessons-say-something": made.EXAMPLE[: made.EXAMPLE.index("lesson:")]
    + "lesson:\n  ko: 조심한다.\n  en: Take care.\n"
    + made.EXAMPLE[made.EXAMPLE.index("\n# The public reports") :],
}


def test_example_breaks_no_rule(tmp_path: Path) -> None:
    folder = made.root(tmp_path)

    assert rules.lint(made.load(folder), made.TODAY) == []


@pytest.mark.parametrize("rule", sorted(RECORDS))
def test_changed_example_breaks_the_rule(tmp_path: Path, rule: str) -> None:
    folder = made.root(tmp_path, {made.EXAMPLE_ID: RECORDS[rule]})

    found = made.problems(folder, rule)

    assert len(found) == 1
    assert found[0].line > 1


def test_every_rule_is_shown_to_fail() -> None:
    own = {"terms-without-loops", "names-unique", "sources-apart", "sentences-own", "records-apart", "words-unique"}

    assert {*RECORDS, *own} == set(rules.rules())


def test_loop_in_broader_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path)
    _vocabulary(folder, "cause", "software-bug:\n", "software-bug:\n  broader: orchestrator-bug\n")

    assert [problem.field for problem in made.problems(folder, "terms-without-loops")] == [
        "software-bug.broader",
        "orchestrator-bug.broader",
    ]


def test_unknown_broader_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path)
    _vocabulary(folder, "cause", "broader: software-bug", "broader: sofware-bug")

    (problem,) = made.problems(folder, "terms-exist")

    assert problem.sentence("en").endswith("`sofware-bug`: no such cause; did you mean `software-bug`?")


def test_synonym_of_two_terms_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path)
    _vocabulary(
        folder,
        "component",
        "kubelet:\n  label: {ko: kubelet, en: kubelet}",
        "kubelet:\n  label: {ko: kubelet, en: E-T.C D}",
    )

    assert {problem.message.en for problem in made.problems(folder, "names-unique")} == {
        "`etcd` is a name of `kubelet` already"
    }


def test_word_of_two_groups_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path)
    words = folder / "vocabulary" / "words.yaml"
    words.write_text("one: {ko: [노드], en: [node]}\ntwo: {ko: [노 드], en: [kubelet]}\n", encoding="utf-8")

    assert [problem.message.en for problem in made.problems(folder, "words-unique")] == [
        "`노 드` stands in `one` already",
        "`kubelet` stands in `kubelet` already",
    ]


def test_shared_source_without_place_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path, {made.EXAMPLE_ID: made.EXAMPLE, OTHER: _other()})

    assert [problem.field for problem in made.problems(folder, "sources-apart")] == ["sources[0]"]


def test_sentence_of_two_records_is_told(tmp_path: Path) -> None:
    first = made.changed("en: Forty nodes turned NotReady, and new pods stayed Pending.", f"en: {LONG}")
    folder = made.root(
        tmp_path,
        {
            made.EXAMPLE_ID: first,
            OTHER: _other(**{"en: A control-plane upgrade restarted all webhook pods at once.": f"en: {LONG}"}),
        },
    )

    assert "trigger.en" in {problem.field for problem in made.problems(folder, "sentences-own")}


def test_nearly_same_records_are_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path, {made.EXAMPLE_ID: made.EXAMPLE, OTHER: _other()})

    assert [problem.message.en for problem in made.problems(folder, "records-apart")] == [
        f"this record is nearly the same as `{made.EXAMPLE_ID}`"
    ]


def test_future_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path, {made.EXAMPLE_ID: made.changed("added: 2026-11-30", "added: 2027-01-16")})

    assert [problem.message.en for problem in made.problems(folder, "dates-real")] == ["2027-01-16 lies in the future"]


def test_period_that_ends_before_it_starts_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path, {made.EXAMPLE_ID: made.changed("to: 2024-03-10", "to: 2024-03-08")})

    assert [problem.field for problem in made.problems(folder, "dates-real")] == ["happened.to"]


def test_date_less_exact_than_its_precision_is_told(tmp_path: Path) -> None:
    folder = made.root(tmp_path, {made.EXAMPLE_ID: made.changed("from: 2024-03-09", "from: 2024-03")})

    assert [problem.field for problem in made.problems(folder, "dates-real")] == ["happened.precision"]


def test_passage_beside_an_earlier_edition_names_its_place(tmp_path: Path) -> None:
    source = (
        "sources:\n  - title: Earlier\n    publisher: Us\n    kind: earlier-edition\n    language: ko\n    read: full\n"
    )
    folder = made.root(tmp_path, {made.EXAMPLE_ID: made.changed("sources:\n", source)})

    fields = {problem.field for problem in made.problems(folder, "sources-named")}

    assert {"symptom", "trigger", "detection", "actions[0]"} <= fields
    assert "actions[1]" not in fields


def test_link_on_both_sides_is_told(tmp_path: Path) -> None:
    first = made.changed("related: []", f"related: [{OTHER}]")
    folder = made.root(
        tmp_path, {made.EXAMPLE_ID: first, OTHER: _other(**{"related: []": f"related: [{made.EXAMPLE_ID}]"})}
    )

    assert len(made.problems(folder, "related-once")) == 1


def test_all_problems_come_at_once_and_sorted(tmp_path: Path) -> None:
    folder = made.root(
        tmp_path, {made.EXAMPLE_ID: RECORDS["dates-real"], OTHER: "title: [\n", "2024-05-b": "title: x\n"}
    )

    found = rules.lint(made.load(folder), made.TODAY)

    assert [problem.path for problem in found] == sorted(problem.path for problem in found)
    assert len({problem.path for problem in found}) == 3


def test_the_library_in_the_repository_is_clean(loaded) -> None:
    from datetime import UTC, datetime

    found = rules.lint(loaded, datetime.now(UTC).date())

    assert [problem.sentence("en") for problem in found] == []
