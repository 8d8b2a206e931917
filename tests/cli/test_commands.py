"""The command line: answers on stdout, talk on stderr, exit codes as designed, the reader's language throughout."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kubegap import terminal
from kubegap.checks.pages import CHECKS, read_pages
from kubegap.cli import language
from kubegap.cluster.resources import RESOURCES
from kubegap.library import generation as generations
from kubegap.library.compiling import compile_library
from kubegap.library.generation import Generation
from kubegap.library.record import Revision
from kubegap.library.search.result import Result
from kubegap.library.search.tantivy_index import FOLDER
from kubegap.text import same

ROOT = Path(__file__).parent.parent.parent
SEED = ["--component", "gpu-hardware-memory", "--symptom", "gpu-not-visible", "--factor", "monitoring-blind-spot"]
DUMP = "tests/cluster/data/eks-policy-engines.json"


class Run:
    """Runs kubegap as a process over the compiled library."""

    def __init__(self, library: Path) -> None:
        self.library = library

    def __call__(
        self, *arguments: str | bytes, stdin: bytes = b"", columns: int = 80, **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        own = {"LC_ALL": "en_US.UTF-8", "COLUMNS": str(columns), "KUBEGAP_LIBRARY": str(self.library), **environment}
        command = [sys.executable, "-m", "kubegap", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env={**os.environ, **own}, input=stdin, capture_output=True, check=False
        )


@pytest.fixture(scope="module")
def run(library_dir: Path) -> Run:
    return Run(library_dir)


def test_seed_filters_list_the_cases_newest_first(run: Run) -> None:
    answer = run("search", *SEED, "--format", "json")
    result = json.loads(answer.stdout)

    assert answer.returncode == 0
    assert [item["id"] for item in result["items"]] == [
        "2024-10-gpuop-xid-94-gpu-never-returned",
        "2024-06-alibaba-nccl-error-4096-gpu-job",
        "2021-08-bigscience-ecc-gpu-node-reused",
    ]
    assert {top["id"] for top in result["top_components"]} == {"gpu-hardware-memory", "nccl"}


def test_the_kinds_are_those_that_the_checks_read_as_kubectl_names_them(run: Run) -> None:
    listed = run("checks", "kinds").stdout.decode().splitlines()
    paths = {path for page in read_pages().values() for path in page.paths if not RESOURCES[path].resource.is_metric}

    assert len(listed) == len(set(listed)) == len(paths)
    assert {"pods", "deployments.apps", "endpointslices.discovery.k8s.io", "jobs.batch.volcano.sh"} <= set(listed)
    assert not any("secrets" in name or "configmaps" in name for name in listed)


def test_json_has_the_frozen_shape(run: Run) -> None:
    result = json.loads(run("search", "webhook", "--format", "json").stdout)

    assert list(result) == list(Result.__struct_fields__)
    assert set(result["items"][0]) == {
        *("id", "title", "organisation", "happened", "components", "causes", "symptoms", "factors", "why")
    }
    assert set(result["items"][0]["why"][0]) == {"field", "index", "lang", "ranges", "words", "terms"}


def test_forms_hold_the_same_cases_in_the_same_order(run: Run) -> None:
    expected = [item["id"] for item in json.loads(run("search", "GPU", "--format", "json").stdout)["items"]]
    as_csv = run("search", "GPU", "--format", "csv").stdout.decode("utf-8-sig")
    as_lines = run("search", "GPU", "--format", "ndjson").stdout.decode()
    as_markdown = run("search", "GPU", "--format", "markdown").stdout.decode()
    as_table = run("search", "GPU").stdout.decode()

    assert [row["id"] for row in csv.DictReader(io.StringIO(as_csv))] == expected
    assert [json.loads(line)["id"] for line in as_lines.splitlines()] == expected
    for text in (as_markdown, as_table):
        assert sorted(expected, key=text.index) == expected


def test_table_fits_the_terminal_and_counts_hangul_twice(run: Run) -> None:
    for columns in (60, 80, 120):
        for arguments in (("search", "웹훅"), ("terms",), ("show", "2026-05-sirzzang-unattended-upgrades-twice")):
            lines = run(*arguments, "--lang", "ko", columns=columns).stdout.decode().splitlines()
            too_wide = [line for line in lines if terminal.width(line) > columns]

            # An id or an address is never cut.
            assert [line for line in too_wide if " " in line.strip()] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["search", "webhook"], 0),
        (["search", "xyzzy"], 1),
        (["search", "--component", "nope"], 2),
        (["search", "--frob"], 2),
        (["search", "--from", "yesterday"], 2),
        (["search", "--from", "2024", "--to", "2023"], 2),
        (["show", "2021-08-bigscience-ecc-gpu-node-reused"], 0),
        (["show", "2021-08-nowhere"], 1),
        (["similar", "2021-08-bigscience-ecc-gpu-node-reused"], 0),
        (["similar", "2021-08-nowhere"], 2),
        (["similar", "/no/such/file"], 2),
        (["terms", "nope"], 2),
        (["checks", "explain", "nope"], 2),
        (["check"], 2),
        (["check", "-f", DUMP], 1),
        (["check", "-f", "/no/such/file"], 2),
        (["frob"], 2),
        (["library", "lint"], 0),
        (["library", "lint", "/nowhere"], 2),
        (["--version"], 0),
    ],
    ids=str,
)
def test_exit_codes(run: Run, arguments: list[str], code: int) -> None:
    answer = run(*arguments)

    assert answer.returncode == code, answer.stderr.decode()
    assert b"Traceback" not in answer.stderr
    if code == 2:
        assert answer.stdout == b""
        assert answer.stderr.startswith(b"kubegap: ")


def test_unknown_value_is_told_with_the_nearest_three(run: Run) -> None:
    told = run("search", "--component", "gpu-hw-memory").stderr.decode()

    assert (
        told
        == "kubegap: `gpu-hw-memory`: no such component; did you mean `gpu-hardware-memory`, `shared-memory`, `gpu-telemetry`?\n"
    )


def test_unknown_id_is_told_with_the_nearest(run: Run) -> None:
    told = run("show", "2021-08-bigscience-ecc-gpu-node-reussed").stderr.decode()

    assert "did you mean `2021-08-bigscience-ecc-gpu-node-reused`" in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["search", "--help"], ["search", "--frob"], ["show", "nowhere"], ["library", "--help"]],
    ids=str,
)
def test_language_follows_locale_and_option(run: Run, arguments: list[str]) -> None:
    def korean(answer: subprocess.CompletedProcess[bytes]) -> bool:
        return any("\uac00" <= letter <= "\ud7a3" for letter in (answer.stdout + answer.stderr).decode())

    assert not korean(run(*arguments))
    assert korean(run(*arguments, LC_ALL="ko_KR.UTF-8"))
    assert korean(run("--lang", "ko", *arguments)) or korean(run(*arguments, "--lang", "ko"))


@pytest.mark.parametrize(
    ("arguments", "korean", "english"),
    [
        (
            ["serach", "x"],
            "`serach` 라는 명령이 없습니다. 혹시 `search`, `serve` 인가요?",
            "Did you mean `search`, `serve`?",
        ),
        (["library"], "명령이 빠졌습니다.", "The command is missing."),
        (["search", "--frob"], "`--frob` 라는 옵션이 없습니다.", "There is no option `--frob`."),
        (["search", "--limit", "x"], "1 부터 1000 까지의 정수를 쓰세요.", "Write a whole number from 1 to 1000."),
        (["search", "--page", "0"], "1 이상의 정수를 쓰세요.", "Write a whole number from 1 up."),
        (["search", "--order", "x"], "쓸 수 있는 값: `relevance`", "There are `relevance`"),
        (["check", "--baseline"], "(필요한 값 1개)", "`--baseline` lacks a value (it takes 1)."),
        (["check", "--compare", "a"], "(필요한 값 2개)", "`--compare` lacks a value (it takes 2)."),
        (["check", "--verbose=1"], "`--verbose` 에는 값을 주지 않습니다.", "`--verbose` takes no value."),
        (["show", "a", "b", "c"], "인자가 너무 많습니다: `b c`.", "There are too many arguments: `b c`."),
        (["show"], "`ID` 이 빠졌습니다.", "`ID` is missing."),
        (["snapshot", "save", "/"], "폴더가 아니라 파일이어야 합니다.", "It must be a file, not a folder."),
    ],
    ids=str,
)
def test_mistakes_are_told_in_one_language(run: Run, arguments: list[str], korean: str, english: str) -> None:
    told = run("--lang", "ko", *arguments).stderr.decode()

    assert korean in told
    assert english in run(*arguments).stderr.decode()
    # What is not quoted is prose, and all of it Korean.
    assert re.findall("[A-Za-z]+", re.sub("`[^`]*`", "", told)) == ["kubegap"]


def test_language_is_chosen_before_parsing() -> None:
    assert language.choose(["search", "--lang", "ko"], {}) == "ko"
    assert language.choose(["search", "--lang=ko"], {"LANG": "en_US"}) == "ko"
    assert language.choose(["search"], {"LC_ALL": "", "LANG": "ko_KR.UTF-8"}) == "ko"
    assert language.choose(["search", "--lang"], {}) == "en"


def test_log_comes_from_standard_input(run: Run) -> None:
    answer = run("similar", "--format", "json", stdin=b"NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus")

    assert json.loads(answer.stdout)["items"][0]["id"] == "2021-03-nvplugin-lost-gpu-12000-failed-pods"


@pytest.mark.parametrize(
    "stdin",
    [b"", b"\xff\xfe\x00" * 20_000, os.urandom(70_000), b"\0" * 65_536],
    ids=["empty", "broken", "noise", "nul"],
)
def test_any_bytes_as_a_log_get_an_answer(run: Run, stdin: bytes) -> None:
    answer = run("similar", stdin=stdin)

    assert answer.returncode in {0, 1}
    assert b"Traceback" not in answer.stderr


@pytest.mark.parametrize("words", [b"\xff\xfe", b"a\x80b", "\u202e노드".encode(), b"-- --", b"'\"`$(x)"], ids=repr)
def test_any_bytes_as_words_get_an_answer(run: Run, words: bytes) -> None:
    answer = run("search", "--", words)

    assert answer.returncode in {0, 1}, answer.stderr
    assert b"Traceback" not in answer.stderr


def test_long_log_is_cut_and_said(run: Run) -> None:
    answer = run("similar", stdin=b"webhook timeout failed\n" * 4_000)

    assert b"Only the first 65,536 bytes" in answer.stderr


def test_reader_that_goes_away_is_no_trouble(library_dir: Path) -> None:
    command = f"{sys.executable} -m kubegap terms | head -1"
    answer = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "KUBEGAP_LIBRARY": str(library_dir)},
        capture_output=True,
        check=False,
    )

    assert answer.returncode == 0
    assert b"Traceback" not in answer.stderr
    assert b"Broken" not in answer.stderr


def test_ids_and_values_complete(run: Run) -> None:
    incident = run(_KUBEGAP_COMPLETE="bash_complete", COMP_WORDS="kubegap show 2021-08-big", COMP_CWORD="2", _IN="1")
    value = run(_KUBEGAP_COMPLETE="bash_complete", COMP_WORDS="kubegap search --symptom gpu-", COMP_CWORD="3")

    assert b"2021-08-bigscience-ecc-gpu-node-reused" in incident.stdout
    assert b"gpu-not-visible" in value.stdout


def test_stats_count_what_is_there(run: Run, loaded) -> None:
    stats = json.loads(run("library", "stats", "--format", "json").stdout)

    assert stats["incidents"] == len(loaded.incidents)
    assert sum(stats["years"].values()) == stats["incidents"]
    assert stats["terms"]["component"]["gpu-hardware-memory"] > 2
    assert set(stats) >= {"organisations", "source_languages", "read", "unused"}


@pytest.mark.parametrize(
    "arguments",
    [["search", "NCCL"], ["serve", "--port", "0", "--workers", "1"], ["serve", "--port", "0", "--workers", "2"]],
)
@pytest.mark.parametrize(("lang", "words"), [("ko", "읽을 수 없습니다"), ("en", "cannot be read")])
def test_library_without_its_index_is_one_line(
    run: Run, tmp_path: Path, arguments: list[str], lang: str, words: str
) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(run.library, damaged)
    index = damaged / generations.current(damaged) / FOLDER
    shutil.rmtree(index)

    told = run(*arguments, "--lang", lang, "--library", str(damaged))

    assert told.returncode == 2
    assert told.stdout == b""
    lines = [line for line in told.stderr.decode().splitlines() if str(index) in line]
    assert lines
    assert all(words in line and "`kubegap library build`" in line for line in lines)
    assert "Traceback" not in told.stderr.decode()


def with_pages(generation: Generation, folder: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """The option for a library whose pages another kubegap might have compiled."""
    found = json.loads(generation.file(CHECKS))
    change(found["webhook-fail-closed-wide"])
    compile_library([], generation.vocabulary, folder, revision="", extra={CHECKS: json.dumps(found).encode()})
    return ["--library", str(folder)]


OTHER_PAGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a field less": lambda page: page.pop("remediation"),
    "a field more": lambda page: page.update(novel=1),
    "a field of another type": lambda page: page.update(incidents="x"),
    "another severity": lambda page: page["severities"].update(worst={"ko": "가", "en": "a"}),
    "another kind": lambda page: page["reads"].append({"resource": "v9/things", "why": {"ko": "가", "en": "a"}}),
    "about another kind": lambda page: page["subjects"].append("v9/things"),
}


@pytest.mark.parametrize("change", OTHER_PAGES.values(), ids=OTHER_PAGES)
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_library_of_another_kubegap_is_one_line(
    run: Run, generation: Generation, tmp_path: Path, lang: str, change: Callable[[dict[str, Any]], object]
) -> None:
    library = with_pages(generation, tmp_path, change)

    for command in (["check", "-f", "examples/policy-engine.yaml"], ["checks", "kinds"]):
        told = run(*command, "--lang", lang, *library)
        assert (told.returncode, told.stdout) == (2, b"")
        assert len(told.stderr.decode().splitlines()) == 1
        assert "`kubegap library build`" in told.stderr.decode()


def test_library_can_be_named(run: Run, library_dir: Path, tmp_path: Path) -> None:
    assert run("show", "2021-08-bigscience-ecc-gpu-node-reused", "--library", str(tmp_path)).returncode == 2
    assert run("terms", "--library", str(library_dir), KUBEGAP_LIBRARY=str(tmp_path)).returncode == 0


def test_withdrawn_records_are_counted_nowhere(run: Run, generation: Generation, tmp_path: Path) -> None:
    cited = generation.incident("2020-02-moj-opa-blocks-control-plane-pods")
    other = generation.incident("2019-00-jetstack-webhook-blocks-master-upgrade")
    told = Revision(on="2026-12-01", because=same("wrong"))

    for name, record, count in (("before", cited, 1), ("after", replace(cited, withdrawn=told), 0)):
        library = ["--library", str(tmp_path / name)]
        extra = {CHECKS: generation.file(CHECKS)}
        compile_library([record, other], generation.vocabulary, tmp_path / name, revision="", extra=extra)
        terms = json.loads(run("terms", "component", "--format", "json", *library).stdout)
        checked = run(
            "check", "-f", "examples/policy-engine.yaml", "--component", "cni-plugin", "--format", "json", *library
        )

        assert {term["id"]: term["count"] for term in terms}["cni-plugin"] == count
        assert bool(json.loads(checked.stdout or b'{"checks": []}')["checks"]) == bool(count)


def test_lint_as_json_lists_rules_and_problems(run: Run) -> None:
    told = json.loads(run("library", "lint", "--format", "json").stdout)

    assert told["problems"] == []
    assert "tags-grounded" in told["rules"]


def test_thirteenth_record_takes_one_new_file(run: Run, tmp_path: Path) -> None:
    """What CONTRIBUTING says: copy the example, fill it in, lint, and the case is found."""
    files = tmp_path / "library"
    shutil.copytree(ROOT / "library", files)
    before = {path for path in files.rglob("*") if path.is_file()}
    target = files / "incidents" / "2024" / "2024-03-example-webhook-blocks-leases.yaml"
    target.write_text(
        (files / "EXAMPLE.yaml").read_text(encoding="utf-8").replace("2026-12-02", "2026-11-30"), encoding="utf-8"
    )

    linted = run("library", "lint", str(files))
    built = run("library", "build", str(files), "--out", str(tmp_path / "out"))
    found = run("search", "정책 웹훅 리스", "--library", str(tmp_path / "out"), "--format", "json")

    assert linted.returncode == 0, linted.stdout.decode()
    assert built.returncode == 0
    assert json.loads(found.stdout)["items"][0]["id"] == target.stem
    assert {path for path in files.rglob("*") if path.is_file()} - before == {target}


def test_build_refuses_a_library_with_problems(run: Run, tmp_path: Path) -> None:
    files = tmp_path / "library"
    shutil.copytree(ROOT / "library", files)
    path = next(files.glob("incidents/*/*.yaml"))
    path.write_text(path.read_text(encoding="utf-8").replace("added:", "aded:"), encoding="utf-8")

    answer = run("library", "build", str(files), "--out", str(tmp_path / "out"))

    assert answer.returncode == 1
    assert b"there is no field `aded`; did you mean `added`?" in answer.stderr
    assert not (tmp_path / "out" / generations.CURRENT).exists()


@pytest.mark.parametrize(("lang", "words"), [("ko", "이 라이브러리에 없는 사례"), ("en", "not in this library")])
def test_library_that_lacks_cited_incidents_is_checked_with(
    run: Run, generation: Generation, tmp_path: Path, lang: str, words: str
) -> None:
    """A team's own records, compiled with the checks that came with kubegap."""
    own = [generation.incident("2021-08-bigscience-ecc-gpu-node-reused")]
    compile_library(own, generation.vocabulary, tmp_path, revision="", extra={CHECKS: generation.file(CHECKS)})
    lacking = f"{words} (2020-02-moj-opa-blocks-control-plane-pods)"
    library = ["--lang", lang, "--library", str(tmp_path)]

    for form in ("table", "markdown"):
        checked = run(
            "check", "-f", "examples/policy-engine.yaml", "--verbose", "--format", form, *library, columns=120
        )
        assert checked.returncode == 1, checked.stderr.decode()
        assert lacking in " ".join(checked.stdout.decode().replace("`", "").split())
    explained = run("checks", "explain", "webhook-fail-closed-wide", *library, columns=120)
    assert explained.returncode == 0
    assert f"2020-02-moj-opa-blocks-control-plane-pods: {words}" in explained.stdout.decode()


def test_check_cites_incidents_and_says_what_was_not_seen(run: Run) -> None:
    answer = run("check", "-f", "examples/policy-engine.yaml")

    assert answer.returncode == 1
    assert b"2019-00-jetstack-webhook-blocks-master-upgrade" in answer.stdout
    assert b"manifests hold no" in answer.stdout.lower()


@pytest.mark.parametrize("component", ["admission-webhook", "cluster-dns", "gpu-hardware-memory"])
def test_check_chooses_by_component(run: Run, component: str) -> None:
    found = json.loads(run("search", "--component", component, "--limit", "1000", "--format", "json").stdout)
    carriers = {item["id"] for item in found["items"]}

    chosen = json.loads(run("check", "-f", DUMP, "--component", component, "--format", "json").stdout)["checks"]

    cited = {check: set(page.incidents) for check, page in read_pages().items()}
    assert carriers
    assert [check["check"] for check in chosen] == [check for check, ids in cited.items() if ids & carriers]


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_what_chooses_no_check_is_a_mistake_and_no_clean_report(run: Run, lang: str) -> None:
    cited = {incident for page in read_pages().values() for incident in page.incidents}
    other = next(path.stem for path in sorted(ROOT.glob("library/incidents/*/*.yaml")) if path.stem not in cited)

    for chosen, named in (
        (["--incident", other], other),
        (["--incident", other, "--select", "pdb-missing"], other),
        (["--select", "pdb-missing", "--skip", "pdb-*"], "--skip"),
    ):
        answer = run("check", "-f", DUMP, *chosen, "--lang", lang)
        assert (answer.returncode, answer.stdout) == (2, b"")
        assert answer.stderr.count(b"\n") == 1
        assert named.encode() in answer.stderr
        assert {"ko": "점검할 것이 없습니다", "en": "nothing to check"}[lang] in answer.stderr.decode()
