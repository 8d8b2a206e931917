"""Templates, compiled once; and the few marks of text that they know."""

from __future__ import annotations

import re
from collections.abc import Callable

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from kubegap.library.vocabulary import FACET_NAMES
from kubegap.library.words import SECTION_NAMES
from kubegap.text import LANGS, Lang
from kubegap.web.views.case import Shown
from kubegap.web.words import SAID

_CODE = re.compile(r"`([^`]+)`")
_HANGUL = re.compile(r"([\uac00-\ud7a3\u3131-\u318e](?:[^\x00-\x7f]|[ ,](?=[\uac00-\ud7a3]))*)")
_KEPT_BODIES = 1024

Body = Callable[[Shown], Markup]


class Templates:
    """Renders view models in both languages."""

    def __init__(self) -> None:
        self._environments = {lang: _environment(lang) for lang in LANGS}

    def render(self, name: str, page: Struct, lang: Lang, **more: object) -> str:
        """A page from its view model, which the template knows as `page`."""
        return self._environments[lang].get_template(name).render(page=page, **more)

    def bodies(self, lang: Lang) -> Body:
        """A renderer of cases' sections that keeps what it rendered; for one edition."""
        template = self._environments[lang].get_template("_body.html")
        kept: dict[str, Markup] = {}

        def body(case: Shown) -> Markup:
            if (found := kept.get(case.id)) is None:
                if len(kept) >= _KEPT_BODIES:
                    kept.clear()
                found = kept[case.id] = Markup(template.render(case=case))  # noqa: S704
            return found

        return body

    def names(self, names: list[str], lang: Lang) -> Markup:
        """The names that the search box suggests."""
        return Markup(self._environments[lang].get_template("_names.html").render(names=names))  # noqa: S704


def prose(text: str) -> Markup:
    """Text with `code` in it; everything else is escaped."""
    if "`" not in text:
        return escape(text)
    return Markup(_CODE.sub(r'<code translate="no">\1</code>', str(escape(text))))  # noqa: S704


def foreign(text: str, lang: Lang) -> Markup:
    """A place in a source: English on a Korean page; on an English one, what is Korean in it is marked."""
    if lang == "en":
        return Markup(_HANGUL.sub(r'<span lang="ko">\1</span>', str(prose(text))))  # noqa: S704
    return Markup('<span lang="en">{}</span>').format(prose(text))


def number(value: int) -> str:
    """With thousands separators."""
    return f"{value:,}"


def _environment(lang: Lang) -> Environment:
    environment = Environment(
        loader=PackageLoader("kubegap.web"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=prose, foreign=foreign, number=number)
    names = {name: text.of(lang) for name, text in SECTION_NAMES.items()}
    facets = {facet: name.of(lang) for facet, name in FACET_NAMES.items()}
    environment.globals.update(say=SAID[lang], lang=lang, names=names, facets=facets)
    return environment
