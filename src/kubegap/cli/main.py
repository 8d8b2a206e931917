"""Run a command line: parse, do, and tell trouble in one line of the reader's language."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

import click
from click.exceptions import Exit

from kubegap.cli import commands, language
from kubegap.cli.mistakes import told
from kubegap.cli.tree import Group
from kubegap.problems import BadFile, KubegapError
from kubegap.text import LANGS, Lang

INTERRUPTED = 130
BROKEN_PIPE = 141


def run(arguments: Sequence[str], environment: Mapping[str, str], faces: Mapping[str, str]) -> int:
    """Run the command line and return its exit code; `faces` are modules that bring a command, by its name."""
    lang = language.choose(arguments, environment)
    root = Group(commands, "kubegap", lang, faces)
    root.params += [_version_option(lang), _lang_option(lang)]
    try:
        outcome = root.main(args=list(arguments), prog_name="kubegap", standalone_mode=False)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`); nothing more can be told, and the interpreter must not try at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (KubegapError, click.ClickException, click.Abort) as error:
        return _tell(error, lang)
    except Exit as error:
        return error.exit_code
    return outcome if isinstance(outcome, int) else 0


def _tell(error: Exception, lang: Lang) -> int:
    if isinstance(error, BadFile):
        for problem in error.problems:
            click.echo(problem.sentence(lang), err=True)
    if isinstance(error, KubegapError):
        click.echo(f"kubegap: {error.sentence(lang)}", err=True)
        return error.exit_code
    if isinstance(error, click.Abort):
        return INTERRUPTED
    click.echo(f"kubegap: {told(error, lang)}", err=True)
    return 2


def _lang_option(lang: Lang) -> click.Option:
    words = "언어 (기본값: 로캘)" if lang == "ko" else "Language (default: from the locale)"
    return click.Option(["--lang"], type=click.Choice(LANGS), expose_value=False, help=words)


def _version_option(lang: Lang) -> click.Option:
    def show(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001
        if value and not ctx.resilient_parsing:
            from importlib.metadata import version  # noqa: PLC0415

            click.echo(f"kubegap {version('kubegap')}")
            ctx.exit()

    words = "버전을 보여 주고 끝낸다." if lang == "ko" else "Show the version and exit."
    return click.Option(["--version"], is_flag=True, expose_value=False, is_eager=True, callback=show, help=words)
