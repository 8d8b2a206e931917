"""No text is blank or padded with spaces; a reason that is only spaces is no reason."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.walk import texts
from kubegap.problems import Problem
from kubegap.text import Text


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Sides of a text that begin or end with white space, or hold nothing else."""
    for document in library.documents():
        for path, text in texts(document.value):
            for lang, side in (("ko", text.ko), ("en", text.en)):
                if side != side.strip():
                    yield document.problem((*path, lang), _PADDED if side.strip() else _BLANK)


_BLANK = Text(ko="공백만 있습니다.", en="nothing but spaces")
_PADDED = Text(ko="앞이나 뒤에 공백이 있습니다.", en="spaces at the start or end")
