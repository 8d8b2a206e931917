"""Commands from modules: a module of `commands/` is a command, a folder a group; each is imported only when it is used."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import click

from kubegap.text import Lang


class Group(click.Group):
    """The commands of one package; a module makes its command with `command(lang)`."""

    def __init__(self, package: ModuleType, name: str, lang: Lang) -> None:
        settings = {"help_option_names": ["-h", "--help"]}
        super().__init__(name=name, help=package.HELP.of(lang), context_settings=settings)
        self.package = package
        self.lang = lang

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the package's modules, and of commands that were added."""
        modules = {module.name.replace("_", "-") for module in pkgutil.iter_modules(self.package.__path__)}
        return sorted({*modules, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None."""
        if (added := super().get_command(ctx, cmd_name)) is not None:
            return added
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{self.package.__name__}.{cmd_name.replace('-', '_')}")
        if hasattr(module, "__path__"):
            return Group(module, cmd_name, self.lang)
        command: click.Command = module.command(self.lang)
        command.name = cmd_name
        return command
