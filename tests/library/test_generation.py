"""A generation is written whole or not at all, opens without YAML, and says what is wrong with it."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import msgspec
import pytest

from kubegap.library import generation as generations
from kubegap.library.compiling import compile_library
from kubegap.library.generation import DamagedLibrary, NoLibrary, OtherFormat, open_library
from kubegap.library.search.query import Query
from kubegap.library.search.search import Search
from kubegap.problems import UnknownName, UnwritableFile
from tests.library import made

ROOT = Path(__file__).parent.parent.parent


def build(folder: Path, out: Path, revision: str = "r") -> str:
    library = made.load(folder)
    incidents = [document.value for document in library.incidents.values()]
    return compile_library(incidents, library.vocabulary, out, revision=revision, extra={}).hash


def build_in_process(folder: Path, out: Path) -> None:
    for _ in range(3):
        build(folder, out)


def title(out: Path) -> str:
    return open_library(out).incident(made.EXAMPLE_ID).title.en


@pytest.fixture
def first(tmp_path: Path) -> tuple[Path, Path]:
    """A library's files, and the directory in which it stands compiled."""
    folder, out = made.root(tmp_path / "files"), tmp_path / "out"
    build(folder, out)
    return folder, out


def test_same_input_gives_the_same_content(first: tuple[Path, Path], tmp_path: Path) -> None:
    folder, out = first
    build(folder, tmp_path / "again")

    one, other = open_library(out), open_library(tmp_path / "again")

    assert one.manifest == other.manifest
    assert all(one.file(name) == other.file(name) for name in one.manifest.files)


def test_changed_record_changes_the_hash(first: tuple[Path, Path]) -> None:
    folder, out = first
    before = open_library(out).manifest.hash
    made.write(folder, made.EXAMPLE_ID, made.changed("organisation: Example Corp", "organisation: Other Corp"))

    assert build(folder, out) != before
    assert open_library(out).incident(made.EXAMPLE_ID).organisation == "Other Corp"


KILL = """
import os, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from kubegap.library import storing
from tests.library.test_generation import build
step, count = {step!r}, {count}
place = Path if step == "replace" else storing if step in vars(storing) else os
original = getattr(place, step)
calls = 0
def dying(*arguments, **named):
    global calls
    calls += 1
    if calls == count:
        os._exit(9)
    return original(*arguments, **named)
setattr(place, step, dying)
build(Path({folder!r}), Path({out!r}))
"""
STEPS = [
    ("_write_durably", 1),
    ("_write_durably", 4),
    ("fsync", 2),
    ("read", 1),
    ("verify", 1),
    ("_lock", 1),
    ("_swap_in", 1),
    ("replace", 1),
    ("_prune", 1),
]


@pytest.mark.parametrize(("step", "count"), STEPS)
def test_killed_build_leaves_a_usable_library(first: tuple[Path, Path], step: str, count: int) -> None:
    folder, out = first
    made.write(folder, made.EXAMPLE_ID, made.changed("en: A policy webhook blocked", "en: A new title blocked"))
    script = KILL.format(root=str(ROOT), step=step, count=count, folder=str(folder), out=str(out))

    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False)

    # The rename of the pointer (`replace`) is the swap; only after that the new one stands.
    assert killed.returncode == 9, killed.stderr.decode()
    assert title(out).startswith("A new title" if step == "_prune" else "A policy webhook")
    generations.verify(open_library(out))
    build(folder, out)
    assert title(out).startswith("A new title")


def test_two_builds_at_once_leave_one_whole_library(first: tuple[Path, Path]) -> None:
    folder, out = first
    other = made.root(
        folder.parent / "other",
        {made.EXAMPLE_ID: made.changed("en: A policy webhook blocked", "en: A new title blocked")},
    )
    context = get_context("spawn")
    processes = [context.Process(target=build_in_process, args=(files, out)) for files in (folder, other)]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0]
    generations.verify(open_library(out))


def test_reader_keeps_its_generation_while_others_are_swapped_in(first: tuple[Path, Path]) -> None:
    folder, out = first
    reader = open_library(out)
    for number in range(4):
        made.write(folder, made.EXAMPLE_ID, made.changed("organisation: Example Corp", f"organisation: Corp {number}"))
        build(folder, out)

    assert reader.incident(made.EXAMPLE_ID).organisation == "Example Corp"
    assert len([path for path in out.iterdir() if path.is_dir()]) == 2


def test_crashed_builds_are_cleared_away_in_time(first: tuple[Path, Path]) -> None:
    folder, out = first
    old, young = out / ".building-old", out / ".building-young"
    for left in (old, young):
        left.mkdir()
    os.utime(old, (1, 1))

    build(folder, out)

    assert not old.exists()
    assert young.exists()


def test_other_format_says_what_to_run(first: tuple[Path, Path]) -> None:
    _, out = first
    manifest = out / generations.current(out) / generations.MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b'"format": %d' % generations.FORMAT, b'"format": 1'))

    with pytest.raises(OtherFormat) as raised:
        open_library(out)

    assert raised.value.sentence("en").endswith(
        f"has format 1; this kubegap reads format {generations.FORMAT}. Run `kubegap library build`."
    )


@pytest.mark.parametrize(
    "damage", [lambda path: path.unlink(), lambda path: path.write_bytes(b"x"), lambda path: path.write_bytes(b"")]
)
def test_damaged_file_is_refused(first: tuple[Path, Path], damage: object) -> None:
    _, out = first
    damage(out / generations.current(out) / generations.INCIDENTS)

    with pytest.raises(DamagedLibrary):
        open_library(out)


def test_a_file_of_the_right_size_that_makes_no_sense_is_told_with_its_place(first: tuple[Path, Path]) -> None:
    _, out = first
    folder = out / generations.current(out)
    for name in open_library(out).manifest.files:
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(b"x" * len(whole))

        with pytest.raises(DamagedLibrary) as raised:
            Search(open_library(out)).run(Query(q="webhook kuberntes"))

        assert raised.value.sentence("en").startswith(str(folder))
        assert raised.value.sentence("en").endswith("Run `kubegap library build`.")
        (folder / name).write_bytes(whole)


def test_changed_byte_is_found_by_verify(first: tuple[Path, Path]) -> None:
    _, out = first
    path = out / generations.current(out) / generations.INCIDENTS
    path.write_bytes(path.read_bytes().replace(b"Example", b"exAMPLE"))

    with pytest.raises(DamagedLibrary):
        generations.verify(open_library(out))


def test_missing_library_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(NoLibrary) as raised:
        open_library(tmp_path)

    assert "Run `kubegap library build`." in raised.value.sentence("en")
    assert "`kubegap library build` 를 실행하세요." in raised.value.sentence("ko")


@pytest.mark.parametrize("place", ["a-file", "a-file/below"])
def test_place_that_cannot_be_written_is_told(first: tuple[Path, Path], tmp_path: Path, place: str) -> None:
    (tmp_path / "a-file").touch()

    with pytest.raises(UnwritableFile) as raised:
        build(first[0], tmp_path / place)

    assert raised.value.sentence("en").startswith(f"Cannot write {tmp_path / place}: ")
    assert raised.value.sentence("ko").startswith(f"{tmp_path / place} 에 쓸 수 없습니다: ")


@pytest.mark.parametrize("most_bytes", [0, 6_000])
def test_full_disk_under_the_engine_is_told_and_the_library_stays(first: tuple[Path, Path], most_bytes: int) -> None:
    folder, out = first
    script = f"""
import resource
from pathlib import Path
from kubegap.library.search import tantivy_index
from kubegap.problems import UnwritableFile
from tests.library.test_generation import build

build_engine = tantivy_index.build

def on_a_full_disk(folder, entries):
    resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, resource.RLIM_INFINITY))
    build_engine(folder, entries)

tantivy_index.build = on_a_full_disk
try:
    build(Path({str(folder)!r}), Path({str(out)!r}))
except UnwritableFile as error:
    print(error.sentence("en"))
"""
    told = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert told.stdout.startswith(f"Cannot write {out}: ")
    assert title(out)


def test_unknown_incident_is_told_with_the_nearest(first: tuple[Path, Path]) -> None:
    with pytest.raises(UnknownName) as raised:
        open_library(first[1]).incident("2024-03-exampel-webhook-blocks-leases")

    assert raised.value.nearest == [made.EXAMPLE_ID]


def test_opening_parses_no_yaml(library_dir: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from kubegap.library.generation import open_library;"
        "from kubegap.library.search.search import Search; from kubegap.library.search.query import Query;"
        "Search(open_library(Path(sys.argv[1]))).run(Query(q='webhook')); print('yaml' in sys.modules)"
    )

    run = subprocess.run([sys.executable, "-c", script, str(library_dir)], capture_output=True, text=True, check=True)

    assert run.stdout == "False\n"


def test_records_come_back_as_they_were(loaded, generation) -> None:
    assert {incident.id: incident for incident in generation.incidents()} == {
        incident: document.value for incident, document in loaded.incidents.items()
    }


def test_related_is_seen_from_both_sides(generation) -> None:
    for incident in generation.incidents():
        for other in incident.related:
            assert other in generation.related[incident.id]
            assert incident.id in generation.related[other]


def test_manifest_counts(generation, loaded) -> None:
    assert generation.manifest.incidents == len(loaded.incidents)
    assert sum(generation.manifest.terms[facet] for facet in ("component", "cause", "symptom", "factor")) == 231
    assert (
        msgspec.json.decode(msgspec.json.encode(generation.manifest), type=generations.Manifest) == generation.manifest
    )
