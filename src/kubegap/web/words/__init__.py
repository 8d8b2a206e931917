"""The words of the interface, a module per room; templates read them as `say.NAME`."""

from __future__ import annotations

from types import ModuleType

from kubegap.text import LANGS, Lang, Text
from kubegap.web.words import about, agents, case, checks, frame, graph, mistakes, results, similar, terms

ROOMS: tuple[ModuleType, ...] = (frame, results, graph, case, checks, terms, about, agents, similar, mistakes)


def texts(room: ModuleType) -> dict[str, Text]:
    """The texts of a room by name."""
    return {name: value for name, value in vars(room).items() if isinstance(value, Text)}


SAID: dict[Lang, dict[str, str]] = {
    lang: {name: text.of(lang) for room in ROOMS for name, text in texts(room).items()} for lang in LANGS
}
