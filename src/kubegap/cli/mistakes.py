"""Mistakes in a command line, in the reader's language; click itself knows only English."""

from __future__ import annotations

import click

from kubegap.text import Lang, Text


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
        hint = _MEANT.fill(names=", ".join(error.possibilities)) if error.possibilities else None
        return _with(_NO_SUCH_OPTION.fill(name=error.option_name), hint)
    if isinstance(error, click.MissingParameter):
        return _MISSING.fill(name=_name(error))
    if isinstance(error, click.BadParameter):
        return _BAD_VALUE.fill(name=_name(error), problem=error.message)
    if isinstance(error, click.FileError):
        return _FILE.fill(name=error.ui_filename, problem=error.message)
    return Text(ko=_KOREAN.get(error.message.split(" ")[0], "") + error.message, en=error.message)


def _name(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    return (
        error.param.opts[0]
        if error.param.opts[0].startswith("-")
        else error.param.make_metavar(error.ctx or click.Context(click.Command("")))
    )


def _with(message: Text, hint: Text | None) -> Text:
    return Text(ko=f"{message.ko} {hint.ko}", en=f"{message.en} {hint.en}") if hint else message


_KOREAN = {"No": "그런 명령이 없습니다: ", "Missing": "빠진 것이 있습니다: ", "Got": "인자가 너무 많습니다: "}
_SEE_HELP = Text(ko="`{command} --help` 를 보세요.", en="See `{command} --help`.")
_MEANT = Text(ko="혹시 {names} 인가요?", en="Did you mean {names}?")
_NO_SUCH_OPTION = Text(ko="`{name}` 라는 옵션이 없습니다.", en="There is no option `{name}`.")
_MISSING = Text(ko="`{name}` 이 빠졌습니다.", en="`{name}` is missing.")
_BAD_VALUE = Text(ko="`{name}` 의 값이 맞지 않습니다: {problem}", en="The value of `{name}` does not fit: {problem}")
_FILE = Text(ko="{name} 을 읽을 수 없습니다: {problem}.", en="Cannot read {name}: {problem}.")
