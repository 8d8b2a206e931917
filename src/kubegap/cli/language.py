"""The reader's language: what was asked for, else the locale's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kubegap.text import LANGS, Lang

_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def choose(arguments: Sequence[str], environment: Mapping[str, str]) -> Lang:
    """`--lang ko` anywhere among the arguments, else the first locale variable that is set, else English.

    It is read before the arguments are parsed, so that help and mistakes are told in the same language.
    """
    for place, argument in enumerate(arguments):
        following = arguments[place + 1] if place + 1 < len(arguments) else ""
        value = following if argument == "--lang" else argument.removeprefix("--lang=") if "=" in argument else ""
        if value in LANGS:
            return "ko" if value == "ko" else "en"
    locale = next((environment[name] for name in _LOCALE_VARIABLES if environment.get(name)), "")
    return "ko" if locale.lower().startswith("ko") else "en"
