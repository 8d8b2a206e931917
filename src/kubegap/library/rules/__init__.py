"""Data rules: one law per module, each a function `problems(library, today)`; a package walk finds them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.problems import Problem, in_order

Rule = Callable[[Library, date], Iterator[Problem]]


def rules() -> dict[str, Rule]:
    """All rules by name, which is their module's with hyphens."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name.replace("_", "-"): importlib.import_module(f"{__name__}.{name}").problems for name in modules}


def lint(library: Library, today: date) -> list[Problem]:
    """Every problem of the library: what could not be read, and what breaks a rule; sorted by place."""
    broken = [problem for rule in rules().values() for problem in rule(library, today)]
    return in_order([*library.problems, *broken])
