"""Writes what follows from the pairs of checks: a page for each in docs/checks/, and the role in deploy/rbac.yaml.

The pages are not committed: a new pair must change nothing else. The role is, because whoever grants it wants to read it
first, and a right that a check adds should be seen in the review. A test holds it equal.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path

from kubegap.checks.page import Page
from kubegap.checks.page_text import sections
from kubegap.checks.pages import read_pages
from kubegap.cluster.resources import RESOURCES
from kubegap.library.loading import load
from kubegap.library.record_text import as_markdown
from kubegap.report import grants
from kubegap.text import Lang, Text

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "checks"
ROLE = ROOT / "deploy" / "rbac.yaml"
NAMESPACE = "kubegap"
_ENDINGS: Mapping[Lang, str] = {"en": ".md", "ko": ".ko.md"}


def pages() -> dict[str, str]:
    """The files of docs/checks/: each check in both languages, and a list of them."""
    checks = read_pages()
    titles = {name: found.value.title for name, found in load([ROOT / "library"]).incidents.items()}
    files = {}
    for lang, ending in _ENDINGS.items():
        files[f"README{ending}"] = _list(checks.values(), lang)
        files |= {f"{name}{ending}": _page(page, titles, lang) for name, page in checks.items()}
    return files


def role() -> str:
    """The ClusterRole of everything that a check reads, the account that has it, and what binds them."""
    paths = {path for page in read_pages().values() for path in page.paths}
    return _ROLE.format(
        role=grants.role(RESOURCES[path].resource for path in paths), name=grants.NAME, namespace=NAMESPACE
    )


def _page(page: Page, titles: Mapping[str, Text], lang: Lang) -> str:
    title, *rest = as_markdown(sections(page, partial(_cited, titles, lang), lang), 0).split("\n\n")
    return "\n\n".join([title, _twin(page.id, lang), *(_plain(block) for block in rest)]) + "\n"


def _cited(titles: Mapping[str, Text], lang: Lang, incident: str) -> str:
    return f"[{titles[incident].of(lang)}](../../library/incidents/{incident[:4]}/{incident}.yaml)"


def _list(checks: Iterable[Page], lang: Lang) -> str:
    parts = [f"# {_CHECKS.of(lang)}", _twin("README", lang), _ABOUT.of(lang)]
    for area, found in groupby(sorted(checks, key=lambda page: (page.area, page.id)), key=lambda page: page.area):
        rows = (f"- [{page.id}]({page.id}{_ENDINGS[lang]}): {_plain(page.title.of(lang))}" for page in found)
        parts += [f"## {area}", "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def _twin(name: str, lang: Lang) -> str:
    """The way to the same page in the other language."""
    return f"*[한국어]({name}.ko.md)*" if lang == "en" else f"*[English]({name}.md)*"


def _plain(block: str) -> str:
    """A block of Markdown in which `<` begins no HTML; code, in lines and in blocks, stays as it is."""
    if block.startswith("    "):
        return block
    return re.sub(r"`[^`]*`|<", lambda found: "&lt;" if found[0] == "<" else found[0], block)


def _write() -> None:
    # Pages of pairs that are gone must not stay.
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir()
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")
    ROLE.parent.mkdir(exist_ok=True)
    ROLE.write_text(role(), encoding="utf-8")


_CHECKS = Text(ko="점검 항목", en="Checks")
_ABOUT = Text(
    ko="점검 항목의 짝에서 `python -m scripts.pairs` 로 만든다. `kubegap checks explain ID` 도 같은 내용을 보여 준다.",
    en="Written by `python -m scripts.pairs` from the pairs. `kubegap checks explain ID` says the same.",
)
_ROLE = """\
# Written by `python -m scripts.pairs` from what the checks read; do not edit. It only reads, and no Secrets.
# Kinds that a cluster does not have may stand here all the same: a role can name what is not installed.
{role}---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {name}
  namespace: {namespace}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {name}
subjects:
- kind: ServiceAccount
  name: {name}
  namespace: {namespace}
"""

if __name__ == "__main__":
    _write()
