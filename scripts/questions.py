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

PAGE = Path(__file__).parent.parent / "docs" / "questions.md"
# What reads, keeps and carries snapshots, and so answers no question about one.
_MACHINERY = {
    "collect", "credentials", "discovery", "evidence", "expressions", "files", "gathering", "indexing", "kubeconfig", "listing",
    "metrics", "resources", "saved", "sharing", "snapshot", "stream", "transport", "typed", "validity", "yaml_text",
}  # fmt: skip
_HEAD = """# Questions that checks can ask

Written by `python -m scripts.questions` from the docstrings of `src/kubegap/cluster`; do not edit. A pair imports what it needs from
there: `from kubegap.cluster.templates import templates`. Answers that need all objects are indexes, built once for a snapshot.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, *filter(None, map(_section, _modules())), _kinds()]
    return "\n".join(parts)


def _modules() -> Iterator[ModuleType]:
    for found in iter_modules(cluster.__path__):
        if not found.ispkg and found.name not in _MACHINERY:
            yield import_module(f"{cluster.__name__}.{found.name}")


def _section(module: ModuleType) -> str:
    """A module with its public functions, in the order in which they stand; none where it has only records."""
    tree = ast.parse(inspect.getsource(module))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    if not functions:
        return ""
    rows = "\n".join(f"| `{_signature(node)}` | {_first(ast.get_docstring(node))} |" for node in functions)
    about = " ".join((ast.get_docstring(tree) or "").split("Source")[0].split())
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
