"""The examples of the READMEs: run each `$ kubegap …` again and put its output below it.

`python -m scripts.readme` writes them; a test holds what stands there equal to what comes out. The library of the examples is
that of the day the READMEs name, so that a new record changes no README.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from kubegap.checks import pages
from kubegap.checks.pages import CHECKS
from kubegap.library import loading
from kubegap.library.compiling import compile_library

ROOT = Path(__file__).parent.parent
READMES = {"README.md": "en_US.UTF-8", "README.ko.md": "ko_KR.UTF-8"}
_AS_OF = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_EXAMPLE = re.compile(r"```console\n\$ (kubegap [^\n]*)\n(.*?)```", re.DOTALL)


def rewritten(readme: str, library: Path) -> str:
    """The text of a README with the outputs of today."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    return _EXAMPLE.sub(
        lambda match: f"```console\n$ {match[1]}\n{output(match[1], READMES[readme], library)}```", text
    )


def output(command: str, locale: str, library: Path) -> str:
    """What a command prints, in a terminal of 100 columns."""
    arguments = [sys.executable, "-m", "kubegap", *shlex.split(command)[1:]]
    terminal = {"LC_ALL": locale, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    environment = {**os.environ, **terminal, "KUBEGAP_LIBRARY": str(library)}
    run = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, check=False)  # noqa: S603, our own command
    return (run.stdout + run.stderr).decode()


def build_library(out: Path) -> Path:
    """Compile the records that the library held on the day that the READMEs name."""
    (as_of,) = {_AS_OF.search((ROOT / readme).read_text(encoding="utf-8")).group() for readme in READMES}  # type: ignore[union-attr]
    library = loading.load([ROOT / "library"])
    incidents = [document.value for document in library.incidents.values() if document.value.added <= as_of]
    extra = {CHECKS: pages.encode(pages.read_pages())}
    compile_library(incidents, library.vocabulary, out, revision="", extra=extra)
    return out


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        compiled = build_library(Path(folder))
        for name in READMES:
            (ROOT / name).write_text(rewritten(name, compiled), encoding="utf-8")
