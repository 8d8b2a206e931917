"""Korean stands under `ko` and English under `en`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from kubegap.library.loading import Library
from kubegap.library.walk import texts
from kubegap.problems import Problem
from kubegap.text import Text

HANGUL = re.compile(r"[\uac00-\ud7a3\u3131-\u318e]")
_WORDS = re.compile(r"[A-Za-z]{2,}")


def problems(library: Library, _today: date) -> Iterator[Problem]:
    """Texts of records and terms with the wrong language on a side."""
    for document in library.documents():
        for path, text in texts(document.value):
            # A label may be a proper name (NCCL, etcd), which has no Hangul in Korean either.
            if "label" not in path and not HANGUL.search(text.ko):
                yield document.problem((*path, "ko"), _NO_KOREAN)
            if HANGUL.search(_without_code(text.en)):
                yield document.problem((*path, "en"), _KOREAN)
            if text.ko == text.en and "label" not in path and _WORDS.search(text.en):
                yield document.problem((*path, "en"), _ALIKE)


def _without_code(sentence: str) -> str:
    """Literal errors and commands may be in any language."""
    return re.sub(r"`[^`]*`", "", sentence)


_NO_KOREAN = Text(ko="`ko` 에 한글이 없습니다.", en="`ko` has no Korean")
_KOREAN = Text(ko="`en` 에 한글이 있습니다.", en="`en` has Korean in it")
_ALIKE = Text(ko="두 언어의 글이 똑같습니다.", en="both languages read the same")
