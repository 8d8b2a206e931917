"""Templates, compiled once; and the few marks of text that they know."""

from __future__ import annotations

import re

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from msgspec import Struct

from kubegap.library.vocabulary import FACET_NAMES, FACETS, Facet, Vocabulary
from kubegap.library.words import SECTION_NAMES
from kubegap.text import LANGS, Lang
from kubegap.web.views.case import Shown, ShownTag
from kubegap.web.words import SAID

_CODE = re.compile(r"`([^`]+)`")
_HANGUL = re.compile(r"([\uac00-\ud7a3\u3131-\u318e](?:[^\x00-\x7f]|[ ,](?=[\uac00-\ud7a3]))*)")
_KEPT_BODIES = 1024


class Templates:
    """Renders view models in both languages."""

    def __init__(self) -> None:
        self._environments = {lang: _environment(lang) for lang in LANGS}

    def render(self, name: str, page: Struct, lang: Lang, **more: object) -> str:
        """A page from its view model, which the template knows as `page`."""
        return self._environments[lang].get_template(name).render(page=page, **more)

    def drawn(self, vocabulary: Vocabulary, lang: Lang) -> Drawn:
        """What an edition draws again and again in a language."""
        return Drawn(self._environments[lang], vocabulary, lang)


class Drawn:
    """Pieces of pages that depend on an edition and a language alone, each rendered once."""

    def __init__(self, environment: Environment, vocabulary: Vocabulary, lang: Lang) -> None:
        self._body = environment.get_template("_body.html")
        self._chip = environment.get_template("_chip.html")
        self._bodies: dict[str, Markup] = {}
        self._chips: dict[tuple[Facet, str, bool], Markup] = {}
        labels = {term.label.of(lang): None for facet in FACETS for term in vocabulary[facet].values()}
        self.names = _marked(environment.get_template("_names.html").render(names=list(labels)))

    def body(self, case: Shown) -> Markup:
        """The sections of a case."""
        if (found := self._bodies.get(case.id)) is None:
            if len(self._bodies) >= _KEPT_BODIES:
                self._bodies.clear()
            found = self._bodies[case.id] = _marked(self._body.render(case=case))
        return found

    def chip(self, tag: ShownTag) -> Markup:
        """A value at a glance."""
        key = (tag.facet, tag.id, tag.is_inferred)
        if (found := self._chips.get(key)) is None:
            found = self._chips[key] = _marked(self._chip.render(tag=tag))
        return found


def _marked(rendered: str) -> Markup:
    """What a template rendered is escaped already."""
    return Markup(rendered.strip())  # noqa: S704


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
    shape = environment.get_template("_shape.html")
    shapes = {facet: _marked(shape.render(facet=facet)) for facet in FACET_NAMES}
    environment.globals.update(say=SAID[lang], lang=lang, names=names, facets=facets, shapes=shapes)
    return environment
