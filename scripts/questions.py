"""Writes docs/questions.md: the questions that checks can ask of a snapshot, from their docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from kubegap import cluster
from kubegap.cluster.resources import GROUPS, RESOURCES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "questions.md"
CHECKS = ROOT / "src" / "kubegap" / "checks"
_HEAD = """# Questions that checks can ask

Written by `python -m scripts.questions` from the docstrings of `src/kubegap/cluster`; do not edit. A pair imports what it needs from
there: `from kubegap.cluster.templates import templates`. Answers that need all objects are indexes, built once for a snapshot.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, *map(_section, _modules()), _kinds()]
    return "\n".join(parts)


def _modules() -> Iterator[ModuleType]:
    """Modules that pairs import and that have functions; what only reads, keeps and carries snapshots no pair imports."""
    imported = set().union(*(_imported(pair) for pair in CHECKS.glob("*/*.py")))
    for found in iter_modules(cluster.__path__, f"{cluster.__name__}."):
        if found.name in imported and not found.ispkg and _functions(import_module(found.name)):
            yield import_module(found.name)


def _imported(pair: Path) -> Iterator[str]:
    """The modules that a pair imports, or imports from."""
    for node in ast.walk(ast.parse(pair.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _functions(module: ModuleType) -> dict[str, ast.FunctionDef]:
    """Its public functions, in the order in which they stand."""
    nodes = ast.parse(inspect.getsource(module)).body
    return {node.name: node for node in nodes if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}


def _section(module: ModuleType) -> str:
    rows = "\n".join(
        f"| `{_signature(node)}` | {_first(ast.get_docstring(node))} |" for node in _functions(module).values()
    )
    about = " ".join((module.__doc__ or "").split("Source")[0].split())
    return f"## {module.__name__.rpartition('.')[2]}\n\n{about}\n\n| question | answer |\n|---|---|\n{rows}\n"


def _signature(node: ast.FunctionDef) -> str:
    names = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
    return f"{node.name}({', '.join(names)})"


def _first(docstring: str | None) -> str:
    """The first paragraph, in one line."""
    return " ".join((docstring or "").split("\n\n")[0].split()).replace("|", "\\|")


def _kinds() -> str:
    rows = "\n".join(
        f"| `{path}` | `{kind.__module__.removeprefix('kubegap.cluster.')}.{kind.__name__}` | {', '.join(kind.resource.also)} |"
        for path, kind in sorted(RESOURCES.items())
    )
    groups = "\n".join(f"- `{name}`: {', '.join(f'`{path}`' for path in paths)}" for name, paths in GROUPS.items())
    return f"## Kinds\n\n{groups}\n\n| path | record | also read as |\n|---|---|---|\n{rows}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
