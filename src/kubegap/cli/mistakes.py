"""Mistakes in a command line, in the reader's language; click itself knows only English."""

from __future__ import annotations

from typing import Any

import click

from kubegap.problems import nearest
from kubegap.text import Lang, Text, same


def told(error: Exception, lang: Lang) -> str:
    """One line that says what is wrong with the command line and where help is."""
    if not isinstance(error, click.ClickException):
        return str(error)
    line = _message(error).of(lang)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        line += " " + _SEE_HELP.fill(command=error.ctx.command_path).of(lang)
    return line


def _message(error: click.ClickException) -> Text:
    if isinstance(error, click.NoSuchOption):
        return _with(_NO_SUCH_OPTION.fill(name=error.option_name), _meant(error.possibilities))
    if isinstance(error, click.NoSuchCommand):
        return _with(_NO_SUCH_COMMAND.fill(name=error.command_name), _meant(_near(error)))
    if isinstance(error, click.BadOptionUsage):
        return _bad_count(error)
    if isinstance(error, click.MissingParameter):
        return _MISSING.fill(name=_name(error))
    if isinstance(error, click.BadParameter):
        return _with(_BAD_VALUE.fill(name=_name(error)), _wanted(error.param.type) if error.param else None)
    return _other(error)


def _other(error: click.ClickException) -> Text:
    """What click tells in nothing but its sentence."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        if isinstance(error.ctx.command, click.Group):
            return _NO_COMMAND
        if extra := error.message.partition("(")[2].rstrip(")"):
            return _TOO_MANY.fill(extra=extra)
    return same(error.message)


def _bad_count(error: click.BadOptionUsage) -> Text:
    """An option without its values, or a flag with one; which of them, click tells only in its sentence."""
    words = error.message.split()
    count = next((word for word in words if word.isdigit()), "1")
    return (_TAKES_NONE if "not" in words else _TAKES).fill(name=error.option_name, count=count)


def _wanted(kind: click.ParamType[Any]) -> Text | None:
    """What values there are of a type that our commands use."""
    if isinstance(kind, click.Choice):
        return _ONE_OF.fill(values=", ".join(f"`{value}`" for value in kind.choices))
    if isinstance(kind, click.IntRange):
        return (_FROM if kind.max is None else _BETWEEN).fill(low=kind.min, high=kind.max)
    return _A_FILE if isinstance(kind, click.Path) else None


def _name(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    return (
        error.param.opts[0]
        if error.param.opts[0].startswith("-")
        else error.param.make_metavar(error.ctx or click.Context(click.Command("")))
    )


def _near(error: click.NoSuchCommand) -> list[str]:
    """Our commands are found by walking, so click knows none that is near."""
    group = error.ctx.command if error.ctx else None
    names = group.list_commands(error.ctx) if isinstance(group, click.Group) and error.ctx else []
    return nearest(error.command_name, names)


def _meant(names: list[str] | None) -> Text | None:
    return _MEANT.fill(names=", ".join(f"`{name}`" for name in names)) if names else None


def _with(message: Text, hint: Text | None) -> Text:
    return Text(ko=f"{message.ko} {hint.ko}", en=f"{message.en} {hint.en}") if hint else message


_SEE_HELP = Text(ko="`{command} --help` 를 보세요.", en="See `{command} --help`.")
_MEANT = Text(ko="혹시 {names} 인가요?", en="Did you mean {names}?")
_NO_SUCH_OPTION = Text(ko="`{name}` 라는 옵션이 없습니다.", en="There is no option `{name}`.")
_NO_SUCH_COMMAND = Text(ko="`{name}` 라는 명령이 없습니다.", en="There is no command `{name}`.")
_NO_COMMAND = Text(ko="명령이 빠졌습니다.", en="The command is missing.")
_TOO_MANY = Text(ko="인자가 너무 많습니다: `{extra}`.", en="There are too many arguments: `{extra}`.")
_TAKES = Text(
    ko="`{name}` 뒤에 값이 빠졌습니다 (필요한 값 {count}개).", en="`{name}` lacks a value (it takes {count})."
)
_TAKES_NONE = Text(ko="`{name}` 에는 값을 주지 않습니다.", en="`{name}` takes no value.")
_MISSING = Text(ko="`{name}` 이 빠졌습니다.", en="`{name}` is missing.")
_BAD_VALUE = Text(ko="`{name}` 의 값이 맞지 않습니다.", en="The value of `{name}` does not fit.")
_ONE_OF = Text(ko="쓸 수 있는 값: {values}.", en="There are {values}.")
_FROM = Text(ko="{low} 이상의 정수를 쓰세요.", en="Write a whole number from {low} up.")
_BETWEEN = Text(ko="{low} 부터 {high} 까지의 정수를 쓰세요.", en="Write a whole number from {low} to {high}.")
_A_FILE = Text(ko="폴더가 아니라 파일이어야 합니다.", en="It must be a file, not a folder.")
