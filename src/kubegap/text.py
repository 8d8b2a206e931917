"""Human sentences, always in Korean and English side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

Lang = Literal["ko", "en"]
LANGS: tuple[Lang, ...] = get_args(Lang)

Line = Annotated[str, Meta(min_length=1)]


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence or phrase in both languages; neither may be empty."""

    ko: Annotated[Line, Meta(description="Korean, written from the facts")]
    en: Annotated[Line, Meta(description="English, written from the facts")]

    def of(self, lang: Lang) -> str:
        """The sentence in one language."""
        return self.ko if lang == "ko" else self.en

    def fill(self, **values: object) -> Text:
        """Put values into the `{name}` places of both languages; a `Text` value fills each side with its own language."""
        return self.map(lambda side, lang: side.format_map(_in_language(values, lang)))

    def map(self, change: Callable[[str, Lang], str]) -> Text:
        """Apply a function of (sentence, language) to both sides."""
        return Text(ko=change(self.ko, "ko"), en=change(self.en, "en"))


def same(words: str) -> Text:
    """A text that reads alike in both languages: a name, an id, a number."""
    return Text(ko=words, en=words)


def join(texts: list[Text], *, ko: str, en: str) -> Text:
    """Join texts with a separator per language; an empty list is a mistake of the caller."""
    return Text(ko=ko.join(text.ko for text in texts), en=en.join(text.en for text in texts))


def counted(count: int, *, one: Text, many: Text) -> Text:
    """The form of a text for a count; `{count}` is filled in with thousands separators."""
    return (one if count == 1 else many).fill(count=f"{count:,}")


def _in_language(values: Mapping[str, object], lang: Lang) -> dict[str, object]:
    return {name: value.of(lang) if isinstance(value, Text) else value for name, value in values.items()}
