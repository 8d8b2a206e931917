"""Templates, compiled once; and the few marks of text that they know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from types import CodeType
from typing import cast

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape
from msgspec import Struct

from kubegap.library.graph import GRAPH_FACETS, LINE
from kubegap.library.vocabulary import FACET_NAMES, Facet
from kubegap.library.words import SECTION_NAMES
from kubegap.text import LANGS, Lang
from kubegap.web.views.case import Shown
from kubegap.web.views.facets import Value
from kubegap.web.views.graph import GraphGroup, GraphValue
from kubegap.web.views.reasons import Part
from kubegap.web.views.results import Hit
from kubegap.web.words import SAID
from kubegap.web.words.results import SUGGESTED_CASE
from kubegap.web.words.terms import FACET_TITLES

_CODE = re.compile(r"`([^`]+)`")
_HANGUL = re.compile(r"([\uac00-\ud7a3\u3131-\u318e](?:[^\x00-\x7f]|[ ,](?=[\uac00-\ud7a3]))*)")
# Pieces of each kind. Bodies are the largest: some twenty kilobytes each.
_KEPT = 512
_BETWEEN = "\x1f"
_HOLE = re.compile("\x00([a-z_]+)\x00")
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


class _Holes:
    """Stands for what each page fills in for itself: whichever part of it a template asks for becomes a hole."""

    def __getattr__(self, name: str) -> str:
        return f"\x00{name}\x00"


class _Stencil:
    """A piece that differs from page to page only in a few places: its text, and what belongs there of a value."""

    def __init__(self, rendered: str) -> None:
        self.text = _HOLE.sub("%s", rendered.replace("%", "%%"))
        self.own = attrgetter(*_HOLE.findall(rendered))


class Drawn:
    """Pieces of pages that depend on an edition and a language alone, each rendered once."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._pieces: dict[str, dict[tuple[str, ...], Markup]] = {}
        self._stencils: dict[tuple[str, Facet, str, bool], _Stencil] = {}

    def glance(self, case: Shown) -> Markup:
        """The lines of a case that are the same in every list."""
        return self._once("_glance.html", (case.id,), case=case)

    def body(self, case: Shown) -> Markup:
        """The sections of a case."""
        return self._once("_body.html", (case.id,), case=case)

    def tags(self, hit: Hit) -> Markup:
        """The values of a case at a glance, of which the chosen ones come first."""
        return self._once("_tags.html", (hit.case.id, *[tag.id for tag in hit.tags]), hit=hit)

    def values(self, facet: Facet, values: Sequence[Value]) -> Markup:
        """Some values of a list."""
        return self._filled("_value.html", facet, values)

    def nodes(self, group: GraphGroup) -> Markup:
        """The values of a facet in the graph; its side is the same on every page."""
        return self._filled("_node.html", group.facet, group.values)

    def rows(self, group: GraphGroup) -> Markup:
        """The same in the graph's table."""
        return self._filled("_row.html", group.facet, group.values)

    def _once(self, name: str, key: tuple[str, ...], **values: object) -> Markup:
        kept = self._pieces.setdefault(name, {})
        if (found := kept.get(key)) is None:
            if len(kept) >= _KEPT:
                kept.clear()
            found = kept[key] = _marked(self._draw(name, **values))
        return found

    def _filled(self, name: str, facet: Facet, values: Sequence[Value | GraphValue]) -> Markup:
        stencils = [self._stencil(name, facet, value) for value in values]
        own = [part for stencil, value in zip(stencils, values, strict=True) for part in stencil.own(value)]
        # Escaped all at once, which takes a tenth of the time. No address, label or number has a control character in it.
        escaped = str(escape(_BETWEEN.join(map(str, own)))).split(_BETWEEN) if own else []
        return _marked("\n".join([stencil.text for stencil in stencils]) % tuple(escaped))

    def _stencil(self, name: str, facet: Facet, value: Value | GraphValue) -> _Stencil:
        # A facet and a label say which value it is, and there are no more of them than the vocabulary has.
        key = (name, facet, value.label, value.is_chosen)
        if (found := self._stencils.get(key)) is None:
            found = self._stencils[key] = _Stencil(self._draw(name, value=value, own=_Holes()))
        return found

    def _draw(self, name: str, **values: object) -> str:
        return self._environment.get_template(name).render(**values).strip()


def _marked(rendered: str) -> Markup:
    """What a template rendered is escaped already."""
    return Markup(rendered)  # noqa: S704


def prose(text: str) -> Markup:
    """Text with `code` in it; everything else is escaped."""
    if "`" not in text:
        return escape(text)
    return Markup(_CODE.sub(r'<code translate="no">\1</code>', str(escape(text))))  # noqa: S704


def marked(parts: Sequence[Part]) -> Markup:
    """Stretches cut out of a text, of which some match; a mark of code that lost its twin is left out."""
    shown = [(str(prose(part.text)).replace("`", ""), part.is_match) for part in parts]
    return Markup("".join([f"<mark>{text}</mark>" if is_match else text for text, is_match in shown]))  # noqa: S704


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
    environment.filters.update(prose=prose, marked=marked, foreign=foreign, number=number)
    names = {name: text.of(lang) for name, text in SECTION_NAMES.items()}
    facets = {facet: name.of(lang) for facet, name in FACET_NAMES.items()}
    shape = environment.get_template("_shape.html")
    shapes = {sign: _marked(shape.render(facet=sign).strip()) for sign in (*FACET_NAMES, "case")}
    environment.globals.update(say=SAID[lang], lang=lang, names=names, facets=facets, shapes=shapes)
    suggested = {"incident": SUGGESTED_CASE.of(lang)} | {str(facet): name for facet, name in facets.items()}
    environment.globals.update(
        suggested=suggested,
        legend=GRAPH_FACETS,
        titles={facet: title.of(lang) for facet, title in FACET_TITLES.items()},
        inks=INKS,
        label_line=LINE,
        fonts=FONTS,
    )
    return environment
