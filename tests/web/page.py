"""A page as a test reads it: links, ids, headings, texts with their language; refuses tags that do not close."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple

VOID = frozenset({"meta", "link", "input", "br", "img", "hr", "path", "circle", "rect"})
OPTIONAL = frozenset({"path", "circle", "rect"})


class Link(NamedTuple):
    href: str
    text: str
    attributes: dict[str, str]


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[Link] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.headings: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[tuple[str, str]] = []
        self._gathering: list[list[str]] = []
        self.feed(html)
        self.close()
        assert not self._open, self._open

    @property
    def text(self) -> str:
        return " ".join(" ".join(text for text, _ in self.texts).split())

    def hrefs(self) -> list[str]:
        return [link.href for link in self.links]

    def link(self, text: str) -> Link:
        return next(link for link in self.links if text in link.text)

    def handle_starttag(self, tag, attrs) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag in VOID:
            return
        lang = attributes.get("lang") or (self._open[-1][1] if self._open else "")
        self._open.append((tag, lang))
        if tag in {"a", "h1", "h2", "h3"}:
            self._gathering.append([])
            if tag == "a":
                self.links.append(Link(attributes.get("href", ""), "", attributes))

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag) -> None:
        assert self._open, f"</{tag}> closes nothing"
        opened, _ = self._open.pop()
        assert opened == tag, f"<{opened}> is closed by </{tag}>"
        if tag in {"a", "h1", "h2", "h3"}:
            text = " ".join("".join(self._gathering.pop()).split())
            if tag == "a":
                at = max(
                    place for place, link in enumerate(self.links) if not link.text or place == len(self.links) - 1
                )
                self.links[at] = self.links[at]._replace(text=text)
            else:
                self.headings.append(text)

    def handle_data(self, data) -> None:
        for gathering in self._gathering:
            gathering.append(data)
        if data.strip() and not any(tag in {"script", "style", "title"} for tag, _ in self._open):
            self.texts.append((data.strip(), self._open[-1][1] if self._open else ""))
