"""What can be wrong, where, and what to do next: problems in files, and the errors a person sees."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from kubegap.text import Lang, Text

USAGE = 2


class Problem(Struct, frozen=True, omit_defaults=True):
    """One thing wrong in one file.

    `line` and `column` count from 1 (0 = the file as a whole); `field` is a path such as `components[0].term`.
    """

    path: str
    line: int
    column: int
    field: str
    message: Text
    hint: Text | None = None

    def sentence(self, lang: Lang) -> str:
        """`path:line:column: field: message; hint`, as editors and people read it."""
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        what = f"{self.field}: {self.message.of(lang)}" if self.field else self.message.of(lang)
        return f"{place}: {_with_hint(what, self.hint, lang)}"


class KubegapError(Exception):
    """A condition that the reader can do something about; shown as one line, never as a traceback."""

    exit_code = USAGE

    def __init__(self, message: Text, hint: Text | None = None) -> None:
        super().__init__(message.en)
        self.message = message
        self.hint = hint

    def sentence(self, lang: Lang) -> str:
        """The message and the next step in one language."""
        return _with_hint(self.message.of(lang), self.hint, lang)


class UnreadableFile(KubegapError):
    """A file or folder that cannot be read at all."""


class UnwritableFile(KubegapError):
    """A file or folder that cannot be written."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """While something is written to the path: what the system refuses becomes `UnwritableFile`."""
    try:
        yield
    except OSError as error:
        raise UnwritableFile(_CANNOT_WRITE.fill(path=path, reason=error.strerror or error)) from error


class UnknownName(KubegapError):
    """An id or value that does not exist; `nearest` holds up to three that do."""

    def __init__(self, message: Text, nearest: list[str]) -> None:
        super().__init__(message, did_you_mean(nearest))
        self.nearest = nearest


class BadFile(KubegapError):
    """A file with problems, all of them at once; `message` says how many, as `{count}`."""

    def __init__(self, problems: list[Problem], message: Text) -> None:
        super().__init__(message.fill(count=f"{len(problems):,}"))
        self.problems = problems

    def __str__(self) -> str:
        """The message with every problem below it, for tracebacks; the command line shows them in the reader's language."""
        return "\n".join([self.message.en, *(problem.sentence("en") for problem in self.problems)])


class BadRecords(BadFile):
    """Files of the library with problems, all of them at once."""

    exit_code = 1

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(
            problems,
            Text(
                ko="라이브러리에 문제가 {count}개 있습니다. `kubegap library lint` 를 실행하세요.",
                en="The library has {count} problem(s). Run `kubegap library lint`.",
            ),
        )


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Problems sorted by place, each once."""
    return sorted(
        set(problems),
        key=lambda problem: (problem.path, problem.line, problem.column, problem.field, problem.message.en),
    )


def _with_hint(sentence: str, hint: Text | None, lang: Lang) -> str:
    if hint is None:
        return sentence
    return sentence + (" " if sentence.endswith(".") else "; ") + hint.of(lang)


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """Up to `count` known names closest to a misspelt one, best first."""
    return difflib.get_close_matches(name, list(known), n=count, cutoff=0.5)


def did_you_mean(names: list[str]) -> Text | None:
    """The hint that offers names, or None when there is none to offer."""
    if not names:
        return None
    quoted = ", ".join(f"`{name}`" for name in names)
    return Text(ko=f"혹시 {quoted} 를 찾으셨나요?", en=f"did you mean {quoted}?")


_CANNOT_WRITE = Text(ko="{path} 에 쓸 수 없습니다: {reason}.", en="Cannot write {path}: {reason}.")
