"""The output formats of `kubegap check`: each module here is one, its name is the format's, and `render(view)` its text."""

from importlib import import_module
from pkgutil import iter_modules

from kubegap.report.view import View

DEFAULT = "table"


def names() -> tuple[str, ...]:
    """All formats, the default first; nothing is imported for that."""
    found = sorted(module.name for module in iter_modules(__path__))
    return (DEFAULT, *(name for name in found if name != DEFAULT))


def render(name: str, view: View) -> str:
    """The report in one format, with a line end; the same view gives the same bytes."""
    text: str = import_module(f"{__name__}.{name}").render(view)
    return text
