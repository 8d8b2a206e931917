"""Compiling the library: read the roots, refuse problems, add the pages of the checks, write a generation."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from kubegap.checks import pages
from kubegap.checks.pages import Checks
from kubegap.garbage import without_collector
from kubegap.library import loading, rules
from kubegap.library.compiling import compile_library
from kubegap.library.generation import Manifest
from kubegap.library.loading import Library
from kubegap.problems import BadRecords, Problem, in_order


def build(roots: Sequence[Path], out: Path, revision: str | None = None) -> Manifest:
    """Compile roots into `out` and make that current; raises `BadRecords` with every problem.

    `revision` is that of git unless given.
    """
    with without_collector():
        library, checks = loading.load(roots), pages.load()
        if problems := lint(library, checks):
            raise BadRecords(problems)
        return compile_library(
            [document.value for document in library.incidents.values()],
            library.vocabulary,
            out,
            revision=git_revision(roots[0]) if revision is None else revision,
            extra={pages.CHECKS: pages.encode(checks.pages)},
        )


def lint(library: Library, checks: Checks) -> list[Problem]:
    """Every problem of records, terms and pages of checks, sorted by place."""
    # A record with problems is there all the same.
    known = {*library.incidents, *(Path(problem.path).stem for problem in library.problems)}
    return in_order([*rules.lint(library, datetime.now(UTC).date()), *checks.lint(known)])


def git_revision(folder: Path) -> str:
    """The commit that a folder is checked out at; empty outside git."""
    try:
        run = subprocess.run(["git", "-C", folder, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
