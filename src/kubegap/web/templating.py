"""Templates, compiled once; and the few marks of text that they know."""

from __future__ import annotations

import re
from types import CodeType
from typing import cast

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape
from msgspec import Struct

from kubegap.library.graph import GRAPH_FACETS
from kubegap.library.vocabulary import FACET_NAMES
from kubegap.library.words import SECTION_NAMES
from kubegap.text import LANGS, Lang
from kubegap.web.views.case import Shown
from kubegap.web.views.results import Hit
from kubegap.web.words import SAID
from kubegap.web.words.results import SUGGESTED_CASE
from kubegap.web.words.terms import FACET_TITLES

_CODE = re.compile(r"`([^`]+)`")
_HANGUL = re.compile(r"([\uac00-\ud7a3\u3131-\u318e](?:[^\x00-\x7f]|[ ,](?=[\uac00-\ud7a3]))*)")
_KEPT = 4096
# Colours of a picture that stands alone, on paper. On a page the stylesheet has them, light and dark.
INKS = {
    "cause": "#ac3f18",
    "component": "#14677f",
    "symptom": "#7239a3",
    "factor": "#7a5a0b",
    "case": "#4c5563",
    "ink": "#15181d",
    "soft": "#565d69",
    "link": "#1b55c4",
    "paper": "#fff",
}
FONTS = "'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', 'Segoe UI', sans-serif"


class _Compiled(BytecodeCache):
    """Keeps what a template was compiled to, for both languages and for every process that is forked from this one."""

    def __init__(self) -> None:
        self._kept: dict[str, CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, if it was compiled before."""
        bucket.code = self._kept.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template."""
        self._kept[bucket.key] = cast(CodeType, bucket.code)


_COMPILED = _Compiled()


def compile_templates() -> None:
    """Compile all templates ahead of the first page, which would wait for it."""
    environment = _environment(LANGS[0])
    for name in environment.list_templates():
        environment.get_template(name)


class Templates:
    """Renders view models in both languages."""

    def __init__(self) -> None:
        self._environments = {lang: _environment(lang) for lang in LANGS}

    def render(self, name: str, page: Struct, lang: Lang, **more: object) -> str:
        """A page from its view model, which the template knows as `page`."""
        return self._environments[lang].get_template(name).render(page=page, **more)

    def drawn(self, lang: Lang) -> Drawn:
        """What an edition draws again and again in a language."""
        return Drawn(self._environments[lang])


class Drawn:
    """Pieces of pages that depend on an edition and a language alone, each rendered once."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._kept: dict[tuple[str, ...], Markup] = {}

    def glance(self, case: Shown) -> Markup:
        """The lines of a case that are the same in every list."""
        return self._once("_glance.html", (case.id,), case=case)

    def body(self, case: Shown) -> Markup:
        """The sections of a case."""
        return self._once("_body.html", (case.id,), case=case)

    def tags(self, hit: Hit) -> Markup:
        """The values of a case at a glance, of which the chosen ones come first."""
        return self._once("_tags.html", (hit.case.id, *[tag.id for tag in hit.tags]), hit=hit)

    def _once(self, name: str, key: tuple[str, ...], **values: object) -> Markup:
        if (found := self._kept.get((name, *key))) is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            found = self._kept[name, *key] = self._draw(name, **values)
        return found

    def _draw(self, name: str, **values: object) -> Markup:
        return _marked(self._environment.get_template(name).render(**values))


def _marked(rendered: str) -> Markup:
    """What a template rendered is escaped already."""
    return Markup(rendered.strip())  # noqa: S704


def prose(text: str) -> Markup:
    """Text with `code` in it; everything else is escaped."""
    if "`" not in text:
        return escape(text)
    return Markup(_CODE.sub(r'<code translate="no">\1</code>', str(escape(text))))  # noqa: S704


def piece(text: str) -> Markup:
    """A stretch cut out of a text: a mark of code that lost its twin is left out."""
    return Markup(prose(text).replace("`", ""))  # noqa: S704


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
        bytecode_cache=_COMPILED,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=prose, piece=piece, foreign=foreign, number=number)
    names = {name: text.of(lang) for name, text in SECTION_NAMES.items()}
    facets = {facet: name.of(lang) for facet, name in FACET_NAMES.items()}
    shape = environment.get_template("_shape.html")
    shapes = {sign: _marked(shape.render(facet=sign)) for sign in (*FACET_NAMES, "case")}
    environment.globals.update(say=SAID[lang], lang=lang, names=names, facets=facets, shapes=shapes)
    suggested = {"incident": SUGGESTED_CASE.of(lang)} | {str(facet): name for facet, name in facets.items()}
    environment.globals.update(
        suggested=suggested,
        legend=GRAPH_FACETS,
        titles={facet: title.of(lang) for facet, title in FACET_TITLES.items()},
        inks=INKS,
        fonts=FONTS,
    )
    return environment
