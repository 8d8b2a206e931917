"""Commands from modules: a module of `commands/` is a command, a folder a group; each is imported only when it is used."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType

import click

from kubegap.problems import KubegapError
from kubegap.text import Lang, Text


class Group(click.Group):
    """The commands of one package; a module makes its command with `command(lang)`.

    `faces` are modules elsewhere that bring a command too, by its name.
    """

    def __init__(self, package: ModuleType, name: str, lang: Lang, faces: Mapping[str, str] | None = None) -> None:
        settings = {"help_option_names": ["-h", "--help"]}
        super().__init__(name=name, help=package.HELP.of(lang), context_settings=settings)
        self.lang = lang
        own = [module.name for module in pkgutil.iter_modules(package.__path__)]
        self.modules = {module.replace("_", "-"): f"{package.__name__}.{module}" for module in own} | dict(faces or {})

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return sorted(self.modules)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        if (name := self.modules.get(cmd_name)) is None:
            return None
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("kubegap"):
                raise
            # A face whose extra is not installed is listed, and says what it needs.
            return _lacking(cmd_name, name.split(".")[1], self.lang)
        if hasattr(module, "__path__"):
            return Group(module, cmd_name, self.lang)
        command: click.Command = module.command(self.lang)
        command.name = cmd_name
        return command


class LackingExtra(KubegapError):
    """A command whose packages are not installed."""


def _lacking(name: str, extra: str, lang: Lang) -> click.Command:
    message = _LACKING.fill(name=name, extra=extra)

    @click.command(name, help=message.of(lang), context_settings={"ignore_unknown_options": True})
    @click.argument("_anything", nargs=-1)
    def lacking(_anything: tuple[str, ...]) -> None:
        raise LackingExtra(message)

    return lacking


_LACKING = Text(
    ko="`{name}` 에는 다른 패키지가 더 필요합니다. `pip install 'kubegap[{extra}]'` 로 설치하세요.",
    en="`{name}` needs further packages: `pip install 'kubegap[{extra}]'`.",
)
